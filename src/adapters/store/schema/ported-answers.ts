// Whether a cached live answer reported the number as ported; null where it did not report either.

export const portedAnswersSchema = {
  name: "0210-ported-answers",
  sql: `
alter table lookup_cache add ported boolean;
`,
};
