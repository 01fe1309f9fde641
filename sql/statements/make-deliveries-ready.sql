update delivery_queue set is_ready = true where id = any (array(
  select id from delivery_queue where not is_ready and due_at <= $1 order by due_at limit $2 for update skip locked));
