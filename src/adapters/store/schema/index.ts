// Every step of the schema, in the order in which it is applied. A change is a new step: a file "0002-name.ts" here,
// appended to the list. Steps are never edited or squashed; schema.sql shows what all of them together make.

import { firstSchema } from "./0001-schema/index.ts";
import { segmentsByAccount } from "./0002-segments-by-account.ts";
import type { SchemaStep } from "./schema-step.ts";

export const SCHEMA: readonly SchemaStep[] = [firstSchema, segmentsByAccount];
