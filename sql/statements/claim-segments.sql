with recursive waiting as (
  (select account_sid from recording_segments
    where raw_host = $1 and state = 'Waiting' and account_sid > $6 order by account_sid limit 1)
  union all
  select (select account_sid from recording_segments
           where raw_host = $1 and state = 'Waiting' and account_sid > waiting.account_sid order by account_sid limit 1)
    from waiting where waiting.account_sid is not null
), due as materialized (
  select oldest.recording_sid, oldest.index from waiting cross join lateral (
    select recording_sid, index from recording_segments
     where raw_host = $1 and state = 'Waiting' and account_sid = waiting.account_sid and due_at <= $3
     order by due_at limit 1 for update skip locked) as oldest
   where waiting.account_sid <> all ($5)
   limit $4
)
update recording_segments as segment set state = 'Encoding', leased_by = $2,
       -- Known from now on, so that whoever deletes it has its file removed, too.
       key = recording.account_sid || '/' || recording.call_sid || '/' || recording.sid || '-' || segment.index || '.mp3'
  from due, call_recordings as recording
 where segment.recording_sid = due.recording_sid and segment.index = due.index and recording.sid = due.recording_sid
returning recording.account_sid as "accountSid", recording.call_sid as "callSid", recording.sid as "recordingSid",
          segment.index, case when recording.source is null then 2 else 1 end as channels, segment.raw_file as "rawFile", segment.samples, segment.attempts, segment.key;
