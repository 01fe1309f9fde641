// The country in which an account's numbers without a plus are interpreted; null: that of its oldest number.

export const accountCountrySchema = {
  name: "0320-account-country",
  sql: `
alter table accounts add country text check (country ~ '^[A-Z]{2}$');
`,
};
