// Facts of a migration, with defaults for what a test does not set.

import type {
  MigrationConfig,
  MigrationFacts,
  MigrationNumber,
  MigrationOrder,
} from "../../src/domain/migrations/migration.ts";
import type { ViewTerms } from "../../src/domain/migrations/migration-blockers.ts";
import { PHONE_STATUSES, type PhoneStatus } from "../../src/domain/numbers/index.ts";
import type { PortOrderNumber, PortReason } from "../../src/domain/porting/index.ts";
import { newPortOrder } from "../../src/domain/porting/port-order.ts";

export const ID = "CABC123";
export const NOW = new Date("2026-01-31T12:00:00.000Z");
export const TERMS: ViewTerms = { mayMigrate: true, upstreamCnpId: "STANDEM", supportContact: "support", now: NOW };

export const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

export function config(sid = "MC1", tcrCampaignId: string | null = null): MigrationConfig {
  return { sid, name: `Shop ${ID}`, tcrCampaignId };
}

export function campaign(
  status: NonNullable<MigrationFacts["campaign"]>["status"] = "Active",
  messagingConfigSid: string | null = "MC1",
): MigrationFacts["campaign"] {
  return { tcrBrandId: "BABC123", name: "Shop", status, messagingConfigSid, importedOn: at(-30) };
}

export function standing(
  word: NonNullable<MigrationFacts["registry"]>["standing"],
  reason: string | null = null,
): MigrationFacts["registry"] {
  return { standing: word, reason, standingSince: at(-35), seenOn: at(-40) };
}

const DETAILS = {
  losingCarrier: null,
  accountNumber: "1",
  billingTelephoneNumber: null,
  subscriber: { type: "Business", name: "Shop", authorizedPerson: "Ann" },
  serviceAddress: { street: "1", street2: null, city: "C", state: "CO", postalCode: "1", country: "US" },
  requestedOn: null,
  customerReference: null,
} as const;

export const FIRST = "+14155550150";
export const SECOND = "+14155550151";

/** An order in which every number has these facts. */
export function order(
  status: MigrationOrder["status"],
  facts: Partial<PortOrderNumber> = {},
  { sid = "PO1", numbers = [FIRST] }: { readonly sid?: string; readonly numbers?: readonly string[] } = {},
): MigrationOrder {
  const made = newPortOrder({
    sid,
    accountSid: "AC1",
    messagingConfigSid: "MC1",
    details: DETAILS,
    numbers,
    createdOn: at(-2880),
  });
  return {
    ...made,
    status,
    numbers: made.numbers.map((number) => ({ ...number, status: status as PortOrderNumber["status"], ...facts })),
  };
}

const reason = (code: PortReason["code"]): PortReason => ({ code, detail: null });

export const exception = (code: PortReason["code"]) =>
  order("Exception", { phase: { kind: "exception", sequence: 1, reason: reason(code) } });
export const refusal = (code: PortReason["code"]) => ({
  refusal: { kind: "rejected", sequence: 2, reason: reason(code) } as const,
});
export const ported = () => order("Completed", { messagingMovedOn: at(-60), voiceMovedOn: at(-60) });

export function number(status: PhoneStatus, more: Partial<MigrationNumber> = {}): MigrationNumber {
  return {
    number: FIRST,
    status,
    statusReason: null,
    messagingConfigSid: "MC1",
    portOrderSid: "PO1",
    createdOn: at(-2880),
    activatesOn: null,
    timeline: [],
    ...more,
  };
}

/** By default a config that names the campaign, and nothing else. */
export function facts(more: Partial<MigrationFacts> = {}): MigrationFacts {
  const numbers = more.numbers ?? [];
  const counts = Object.fromEntries(
    PHONE_STATUSES.map((status) => [status, numbers.filter((one) => one.status === status).length]),
  );
  return {
    tcrCampaignId: ID,
    registry: null,
    isDisputed: false,
    campaign: null,
    linkOutcome: null,
    configs: [config()],
    otherCase: [],
    orders: [],
    counts: counts as MigrationFacts["counts"],
    numbers,
    ...more,
  };
}

/** Everything has arrived and is linked. */
export const arrived = (more: Partial<MigrationFacts> = {}) =>
  facts({
    registry: standing("Ours"),
    campaign: campaign(),
    linkOutcome: "Linked",
    configs: [config("MC1", ID)],
    orders: [ported()],
    numbers: [number("Active")],
    ...more,
  });
