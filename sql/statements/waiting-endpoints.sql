select sid from unnest($1::text[]) as endpoint (sid)
 where (select true from delivery_queue where blocked and subscription_sid = endpoint.sid order by resource_sid limit 1);
