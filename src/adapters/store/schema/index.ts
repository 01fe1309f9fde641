// Every change of the schema, in the order in which it is applied. A migration that was released is never edited.

import { accountsAndLookup } from "./0001-accounts-and-lookup.ts";
import { webhooks } from "./0002-webhooks.ts";
import { messaging } from "./0003-messaging.ts";
import { deliveryLeases } from "./0004-delivery-leases.ts";
import { registry } from "./0005-registry.ts";
import { porting } from "./0006-porting.ts";
import { migrationView } from "./0007-migrations.ts";
import type { Migration } from "./apply-schema.ts";

export const migrations: readonly Migration[] = [
  accountsAndLookup,
  webhooks,
  messaging,
  deliveryLeases,
  registry,
  porting,
  migrationView,
];
