// A client for the Tandem API, for Node 20, Deno and browsers. Its methods are generated; a few are written by hand,
// because the OpenAPI document cannot describe what they take or return.

import { type Deliveries, deliveriesOf } from "./deliveries.ts";
import { type Events, eventsOf } from "./events.ts";
import type { ClientOrder } from "./exchange.ts";
import { type Lookup, lookupNumberOf } from "./lookup.ts";
import type { Messages } from "./messages.ts";
import { type ClientMethods, clientMethodsOf } from "./methods.generated.ts";
import { type Migrations, migrationsOf } from "./migrations.ts";
import { type PortIn, portInOf } from "./port-in.ts";
import { phoneUrlOf, type Sandbox } from "./sandbox.ts";

export interface TandemClient extends Omit<ClientMethods, "messages" | "migrations" | "deliveries"> {
  readonly lookup: Lookup;
  readonly messages: Messages;
  readonly portIn: PortIn;
  readonly migrations: Migrations;
  readonly sandbox: Sandbox;
  readonly deliveries: Deliveries;
  readonly events: Events;
}

export function createClient(order: ClientOrder): TandemClient {
  const plain = clientMethodsOf(order);
  return {
    ...plain,
    lookup: { ...plain.lookup, number: lookupNumberOf(order) },
    portIn: portInOf(order, plain.portIn),
    migrations: migrationsOf(plain.migrations),
    sandbox: { ...plain.sandbox, phoneUrl: phoneUrlOf(order) },
    deliveries: deliveriesOf(plain.deliveries),
    events: eventsOf(order, plain.events),
  };
}
