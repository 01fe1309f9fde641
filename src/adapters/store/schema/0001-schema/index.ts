// The first step: every table as it was when the first version was released. It is never edited.

import type { SchemaStep } from "../schema-step.ts";
import { ACCOUNTS } from "./accounts.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { MESSAGING } from "./messaging.ts";
import { NUMBERS } from "./numbers.ts";
import { PORTING } from "./porting.ts";
import { VOICE } from "./voice.ts";
import { WEBHOOKS } from "./webhooks.ts";

export const firstSchema: SchemaStep = {
  name: "0001-schema",
  sql: [ACCOUNTS, CAMPAIGNS, NUMBERS, MESSAGING, PORTING, WEBHOOKS, VOICE].join(""),
};
