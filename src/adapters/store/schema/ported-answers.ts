// Whether a cached live answer said that the number was ported; null where it did not say.

export const portedAnswersSchema = {
  name: "0210-ported-answers",
  sql: `
alter table lookup_cache add ported boolean;
`,
};
