// Says of later steps whether a version that does not know them can use the database.

import type { SchemaStep } from "./schema-step.ts";

export const additiveSteps: SchemaStep = {
  name: "0016-additive-steps",
  sql: "alter table schema_steps add column is_additive boolean not null default false",
};
