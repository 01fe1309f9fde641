select 'override' as kind, number, 'override' as source, status, type, carrier_name as "carrierName",
       updated_at as "asOf", null::timestamptz as "expiresAt", null::boolean as ported
  from lookup_overrides where number = any($1)
union all
select 'own', number, 'own', case status when 'Active' then 'Active' else 'Inactive' end, 'VoIP', $2, updated_at, null,
       port_order_sid is not null
  from phones where number = any($1) and status not in ('Removed', 'PendingPortIn')
union all
select 'own', number, 'own', 'Inactive', 'VoIP', $2, created_at, null, null
  from inventory_numbers where number = any($1)
union all
select 'cached', number, source, status, type, carrier_name, as_of, expires_at, ported
  from lookup_cache where number = any($1);
