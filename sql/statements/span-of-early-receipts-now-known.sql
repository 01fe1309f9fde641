select min(awaited.sid) as least, max(awaited.sid) as greatest from early_receipts as early cross join lateral (
    select sid from awaited_receipts where carrier = early.carrier and carrier_id = early.carrier_id offset 0) as awaited;
