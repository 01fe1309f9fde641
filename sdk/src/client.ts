// A client for the Tandem API, for Node 20, Deno and browsers.

import { type AccountItself, accountOf } from "./account.ts";
import type { LookupBatchAnswer, NumberDetails, NumberInformation } from "./api.generated.ts";
import { type Oversight, oversightOf } from "./attention.ts";
import { type Calls, callsOf } from "./calls.ts";
import { type Campaigns, campaignsOf } from "./campaigns.ts";
import { type Deliveries, deliveriesOf } from "./deliveries.ts";
import { type Events, eventsOf } from "./events.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, call, type WriteOptions } from "./exchange.ts";
import { type Messages, messagesOf } from "./messages.ts";
import { type MessagingConfigs, messagingConfigsOf } from "./messaging-configs.ts";
import { type Migrations, migrationsOf } from "./migrations.ts";
import { type OptOuts, optOutsOf } from "./opt-outs.ts";
import { type Phones, phonesOf } from "./phones.ts";
import { type PortIn, portInOf } from "./port-in.ts";
import { type Requests, requestsOf } from "./requests.ts";
import { type Sandbox, sandboxOf } from "./sandbox.ts";
import { type Sessions, sessionsOf } from "./session.ts";
import { type Webhooks, webhooksOf } from "./webhooks.ts";

export interface LookupAnswer extends Answer<NumberInformation> {
  /** Where the answer came from: override, own, enum, http, sip or table. */
  readonly source: string | undefined;
  /** When that source last knew it, in ISO 8601. */
  readonly asOf: string | undefined;
}

export interface TandemClient {
  readonly lookup: {
    number(number: string, options?: CallOptions): Promise<LookupAnswer>;
    /** With country, spellings, area, network, portability, age and confidence. */
    details(number: string, options?: CallOptions): Promise<Answer<NumberDetails>>;
    /** Up to a thousand, answered in order; text that is no number is answered with an error in its place. */
    numbers(numbers: readonly string[], options?: WriteOptions): Promise<Answer<LookupBatchAnswer>>;
  };
  readonly account: AccountItself;
  readonly messages: Messages;
  readonly calls: Calls;
  readonly phones: Phones;
  readonly messagingConfigs: MessagingConfigs;
  readonly campaigns: Campaigns;
  readonly portIn: PortIn;
  readonly migrations: Migrations;
  readonly optOuts: OptOuts;
  readonly sandbox: Sandbox;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly events: Events;
  readonly requests: Requests;
  readonly session: Sessions;
  readonly oversight: Oversight;
}

export function createClient(order: ClientOrder): TandemClient {
  return {
    lookup: {
      async number(number, options) {
        const request = { ...options, params: { Number: number } };
        const { headers, ...answer } = await call(order, "GET /carrierLookup/v1/Numbers/{Number}", request);
        return {
          ...answer,
          source: headers.get("X-Lookup-Source") ?? undefined,
          asOf: headers.get("X-Lookup-As-Of") ?? undefined,
        };
      },
      details: (number, options) =>
        ask(order, "GET /carrierLookup/v1/Numbers/{Number}/details", { ...options, params: { Number: number } }),
      numbers: (numbers, options) =>
        ask(order, "POST /carrierLookup/v1/Numbers", { changesNothing: true, ...options, body: { numbers } }),
    },
    account: accountOf(order),
    messages: messagesOf(order),
    calls: callsOf(order),
    phones: phonesOf(order),
    messagingConfigs: messagingConfigsOf(order),
    campaigns: campaignsOf(order),
    portIn: portInOf(order),
    migrations: migrationsOf(order),
    optOuts: optOutsOf(order),
    sandbox: sandboxOf(order),
    webhooks: webhooksOf(order),
    deliveries: deliveriesOf(order),
    events: eventsOf(order),
    requests: requestsOf(order),
    session: sessionsOf(order),
    oversight: oversightOf(order),
  };
}
