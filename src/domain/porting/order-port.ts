// Orders numbers from another carrier: checks the order against the store, stores it with its documents and queues its
// submission, all in the caller's transaction. A refusal names all faults together, and nothing is stored then.

import { ok, type Result, refused } from "../../base/result.ts";
import type { Account } from "../accounts/index.ts";
import { expectPhones, type Phone } from "../numbers/index.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem } from "../problems.ts";
import { statusChanged, type UpdateDeps } from "./apply-update.ts";
import type { CheckedPortOrder, PortFaults } from "./check-order.ts";
import { newPortOrder, type PortOrder } from "./port-order.ts";
import type { NewDocument, NumberHolder, PortDocumentStore } from "./ports.ts";

export interface OrderDeps extends UpdateDeps {
  readonly portDocuments: PortDocumentStore;
}

export interface PortInOrder {
  readonly sid: string;
  readonly account: Pick<Account, "sid" | "features">;
  readonly request: Result<CheckedPortOrder, PortFaults>;
  readonly documents: Result<readonly NewDocument[], FieldErrors>;
  readonly supportContact: string;
}

export interface OrderedPort {
  readonly order: PortOrder;
  readonly phones: readonly Phone[];
}

export async function orderPort(
  deps: OrderDeps,
  { sid, account, request, documents, supportContact }: PortInOrder,
  now: Date,
): Promise<Result<OrderedPort, Problem>> {
  await deps.phones.lockAccount(account.sid);
  const { messagingConfigSid, numbers } = request.ok ? request.value : request.refusal;
  const config = await configFault(deps, account, messagingConfigSid, supportContact);
  const held = await heldFaults(deps, account.sid, numbers);
  const faults = mergeErrors(
    request.ok ? {} : request.refusal.errors,
    documents.ok ? {} : documents.refusal,
    config?.errors ?? {},
    held,
  );
  if (config?.code === "campaign-not-linked") return refused({ ...config, errors: faults });
  if (!request.ok || !documents.ok || Object.keys(faults).length > 0) return refused(invalid(faults));

  const { details, pins } = request.value;
  const order = newPortOrder({ ...request.value, sid, accountSid: account.sid, details, createdOn: now });
  await deps.portOrders.insert(order, pins);
  await deps.portDocuments.add(sid, documents.value, now);
  await deps.portOrders.addRequest(sid, "submit", now);
  const phones = await expectPhones(
    deps,
    {
      accountSid: account.sid,
      portOrderSid: sid,
      messagingConfigSid: order.messagingConfigSid,
      numbers: request.value.numbers,
    },
    now,
  );
  // Another account has taken one of the numbers since `holders` was read.
  if (!phones.ok) return refused(invalid({ [`phones[${numbers.indexOf(phones.refusal)}].number`]: [SERVED] }));
  await deps.outbox.emit([statusChanged(order, { from: null, to: order.status, reason: null })], now);
  return ok({ order, phones: phones.value });
}

interface ConfigFault extends Problem {
  readonly errors: FieldErrors;
}

async function configFault(
  { phones }: Pick<OrderDeps, "phones">,
  account: PortInOrder["account"],
  messagingConfigSid: string | null,
  supportContact: string,
): Promise<ConfigFault | undefined> {
  if (messagingConfigSid === null) return undefined;
  const campaign = await phones.campaignOf(account.sid, messagingConfigSid);
  if (!campaign) {
    return {
      code: "validation",
      errors: { messagingConfigSid: [`There is no MessagingConfig ${messagingConfigSid}.`] },
    };
  }
  if (campaign.status === "Active" || account.features.includes("campaignMigration")) return undefined;
  const is = campaign.status === null ? "linked to no campaign" : `linked to a campaign that is ${campaign.status}`;
  return {
    code: "campaign-not-linked",
    detail: `Link the MessagingConfig to an active campaign first, or ask ${supportContact} to switch campaignMigration on.`,
    errors: { messagingConfigSid: [`It is ${is}.`] },
  };
}

const SERVED = "This number is here already and serves an account.";

async function heldFaults(
  { portOrders }: Pick<OrderDeps, "portOrders">,
  accountSid: string,
  numbers: readonly (string | null)[],
): Promise<FieldErrors> {
  const wanted = numbers.filter((number) => number !== null);
  const holders = wanted.length === 0 ? [] : await portOrders.holders(wanted);
  const byNumber = new Map(holders.map((holder) => [holder.number, holder]));
  const faults = numbers.flatMap((number, place) => {
    const holder = number === null ? undefined : byNumber.get(number);
    return holder ? [[`phones[${place}].number`, [whyHeld(accountSid, holder)]]] : [];
  });
  return Object.fromEntries(faults);
}

/** For a number of another account, it reveals only that the number is taken. */
export function whyHeld(accountSid: string, holder: NumberHolder): string {
  if (holder.accountSid === null) return "This number is here already: take it with POST /v1/Phones.";
  if (holder.accountSid !== accountSid) return SERVED;
  return holder.portOrderSid === null
    ? "This number is yours already."
    : `This number is yours already, or on its way, by port order ${holder.portOrderSid}.`;
}
