with released as (
  update outbound_queue as queue set due_at = greatest($1::timestamptz, message.send_at), is_ready = coalesce(message.send_at <= $1, true)
    from outbound_messages as message, phones as phone
   where queue.due_at = 'infinity' and queue.sid between $2 and $3
     and message.account_sid = queue.account_sid and message.sid = queue.sid and message.sid between $2 and $3
     and phone.number = queue.from_number and phone.account_sid = queue.account_sid and phone.status = 'Active' 
  returning queue.account_sid, queue.sid, phone.messaging_config_sid
), belong as (
  update outbound_messages as message
     set status_reason = case when message.send_at > $1 then 'It is scheduled for sendAt' end, messaging_config_sid = released.messaging_config_sid,
         tcr_campaign_id = (select tcr_campaign_id from messaging_configs where sid = released.messaging_config_sid)
    from released where message.account_sid = released.account_sid and message.sid = released.sid and message.sid between $2 and $3
)
select pg_notify($4, '') from released limit 1;
