select conversation_metadata from outbound_messages
 where account_sid = $1 and to_number = $2 and from_number = $3 and not is_reply order by sid desc limit 1;
