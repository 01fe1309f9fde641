with present as (
  select term from sending_lease where term = $1 for share
), due as (
  select sid from outbound_queue where claimed_by is null and due_at <= $2 and expires_at > $2 and exists (select from present)
   order by priority, sid limit $3 for update skip locked
), taken as (
  update outbound_queue as queued set claimed_by = $1 from due where queued.sid = due.sid returning queued.sid, queued.account_sid, queued.deferrals
)
select message.*, taken.deferrals from taken cross join lateral (
    select sid as "sid", account_sid as "accountSid", from_number as "from", to_number as "to", recipients as "recipients", text as "text", media_urls as "mediaUrls", priority as "priority", carrier as "carrier", is_reply as "isReply", expires_at as "expiresOn" from outbound_messages where account_sid = taken.account_sid and sid = taken.sid offset 0) as message
 order by message.sid;
