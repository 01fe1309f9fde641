select min(sid) as least, max(sid) as greatest from outbound_queue as queue where due_at = 'infinity';
