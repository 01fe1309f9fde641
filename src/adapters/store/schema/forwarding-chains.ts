// A call that comes back while its forwarded leg is being set up is recognised by caller and number, whichever process
// receives it: the numbers that have forwarded it are in the record of the call that is being forwarded.

export const forwardingChainsSchema = {
  name: "0290-forwarding-chains",
  sql: `
alter table calls add column forwarding_to text, add column forwarding_chain text[];
create index calls_forwarding on calls (forwarding_to, caller_id, cardinality(forwarding_chain))
  where forwarding_to is not null and status <> 'Completed';
`,
};
