select message.*, queued.deferrals from unnest($1::text[], $2::text[]) with ordinality as given (account_sid, sid, place)
 cross join lateral (select deferrals from outbound_queue where sid = given.sid offset 0) as queued
 cross join lateral (
    select sid as "sid", account_sid as "accountSid", from_number as "from", to_number as "to", recipients as "recipients", text as "text", media_urls as "mediaUrls", segment_count as "segmentCount", priority as "priority", carrier as "carrier", is_reply as "isReply", expires_at as "expiresOn" from outbound_messages
     where account_sid = given.account_sid and sid = given.sid and sid between $3 and $4 and status = 'Queued' offset 0) as message
 order by given.place;
