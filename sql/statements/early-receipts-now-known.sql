delete from early_receipts using awaited_receipts as awaited
 where awaited.carrier = early_receipts.carrier and awaited.carrier_id = early_receipts.carrier_id and awaited.sid between $1 and $2
   and (substring(early_receipts.receipt #>> '{about,to}' from '\d{7}$') is null or right((select to_number from outbound_messages where account_sid = awaited.account_sid and sid = awaited.sid and sid between $1 and $2), 7) in (substring(early_receipts.receipt #>> '{about,to}' from '\d{7}$'), substring(early_receipts.receipt #>> '{about,from}' from '\d{7}$')))
returning early_receipts.receipt;
