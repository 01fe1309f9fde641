select phone.number, phone.account_sid as "accountSid", phone.messaging_config_sid as "messagingConfigSid",
       'VOICE' = any (phone.features) as "hasVoice", phone.calls_forwarded_to as "callsForwardedTo",
       phone.record_inbound_calls as "recordInboundCalls",
       json_build_object('status', account.status, 'features', account.features, 'allowedCountries', account.allowed_countries,
                         'limitChanges', account.limit_changes, 'country', account.country) as account,
       (select coalesce(stock.country, owned.number)
    from phones as owned left join inventory_numbers as stock on stock.number = owned.number
    where owned.account_sid = account.sid and owned.status <> 'Removed' order by owned.id limit 1) as oldest,
       (select count(*)::int from calls where calls.account_sid = phone.account_sid and calls.status <> 'Completed' and process is null)
       + (select count(*)::int from calls where calls.account_sid = phone.account_sid and calls.status <> 'Completed' and process < $3)
       + (select count(*)::int from calls where calls.account_sid = phone.account_sid and calls.status <> 'Completed' and process > $3) as "callsElsewhere",
       asked.caller, (
         select json_build_object('callSid', sid, 'chain', forwarding_chain) from (
           select sid, forwarding_chain from calls
            where forwarding_to = phone.number and forwarding_from = asked.caller and status <> 'Completed'
           union all
           select sid, forwarding_chain from calls
            where forwarding_others @> array[phone.number] and forwarding_from = asked.caller and status <> 'Completed') as forwarded
          order by cardinality(forwarding_chain) desc limit 1) as continued
  from unnest($1::text[], $2::text[]) as asked (number, caller) join phones as phone on phone.number = asked.number
  join accounts as account on account.sid = phone.account_sid
 where phone.number = any ($1) and phone.status <> 'Removed';
