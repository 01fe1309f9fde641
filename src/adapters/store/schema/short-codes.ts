// Short codes in the inventory, each with its country.

export const shortCodesSchema = {
  name: "0125-short-codes",
  sql: `
alter table inventory_numbers
  add country text,
  add constraint inventory_numbers_country check ((country is null) = (number like '+%'));
`,
};
