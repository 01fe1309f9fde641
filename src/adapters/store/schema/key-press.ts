// What the first party of a call hears until it presses a key.

export const keyPressSchema = {
  name: "0131-key-press",
  sql: `
alter table calls add key_prompt text;
`,
};
