select sid from outbound_queue where expires_at <= $1 order by expires_at limit $2 for update skip locked;
