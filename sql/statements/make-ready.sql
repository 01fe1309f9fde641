update outbound_queue set is_ready = true
 where sid = any (array(select sid from outbound_queue where not is_ready and due_at <= $1 order by due_at limit $2))
returning 1;
