// Makes and changes subscriptions. An account has a limited number of them, because every event may go to all of them;
// what exists stays when the limit is lowered. Only one receiver can answer a call, so each scope has at most one
// enabled subscription to inbound calls.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Account, limitOf } from "../accounts/index.ts";
import { ANSWERED_TYPE } from "../events.ts";
import { type Problem, problem } from "../problems.ts";
import type {
  CallbackSecrets,
  SecretRotation,
  SubscriptionChange,
  SubscriptionScope,
  SubscriptionStore,
} from "./ports.ts";
import { REPLACED_SECRETS_MAX, ROTATION_OVERLAP_MS, type Subscription } from "./subscription.ts";

export interface SubscriptionOrder extends Omit<Subscription, "disabledReason" | "hasBearer" | "lastSuccessOn"> {
  readonly bearer: string | null;
}

export async function makeSubscription(
  subscriptions: SubscriptionStore,
  account: Pick<Account, "limitChanges">,
  order: SubscriptionOrder,
  secret: string,
): Promise<Result<Subscription, Problem>> {
  const most = limitOf(account, "webhooks").requests;
  if ((await subscriptions.count(order.accountSid)) >= most) {
    const detail = `The account may have ${most}: delete one that is not needed, or ask the operator for more.`;
    return refused(problem("too-many-webhooks", detail));
  }
  const conflict = order.enabled ? await conflictOf(subscriptions, order, undefined) : undefined;
  if (conflict) return refused(conflict);
  const { bearer, ...rest } = order;
  const subscription: Subscription = { ...rest, disabledReason: null, hasBearer: bearer !== null, lastSuccessOn: null };
  await subscriptions.insert(subscription, { secret, bearer });
  return ok(subscription);
}

export async function changeSubscription(
  subscriptions: SubscriptionStore,
  accountSid: string,
  sid: string,
  change: SubscriptionChange,
): Promise<Result<Subscription, Problem>> {
  const before = await subscriptions.find(accountSid, sid);
  if (!before) return refused(problem("not-found"));
  const conflict = change.enabled ? await conflictOf(subscriptions, before, sid) : undefined;
  if (conflict) return refused(conflict);
  await subscriptions.change(accountSid, sid, change);
  const after = await subscriptions.find(accountSid, sid);
  return after ? ok(after) : refused(problem("not-found"));
}

export async function rotateSecret(
  subscriptions: SubscriptionStore,
  accountSid: string,
  sid: string,
  secret: string,
  now: Date,
): Promise<Result<Subscription, Problem>> {
  const subscription = await subscriptions.find(accountSid, sid);
  if (!subscription) return refused(problem("not-found"));
  const isRotated = await subscriptions.rotateSecret(accountSid, sid, rotationTo(secret, now));
  return isRotated ? ok(subscription) : refused(TOO_MANY_SECRETS);
}

export async function rotateCallbackSecret(
  secrets: CallbackSecrets,
  accountSid: string,
  secret: string,
  now: Date,
): Promise<Result<undefined, Problem>> {
  const isRotated = await secrets.rotate(accountSid, rotationTo(secret, now));
  return isRotated ? ok(undefined) : refused(TOO_MANY_SECRETS);
}

const TOO_MANY_SECRETS = problem(
  "conflict",
  `The secret was replaced ${REPLACED_SECRETS_MAX} times within 24 hours, and all of those still sign: try again when the oldest no longer does.`,
);

function rotationTo(secret: string, now: Date): SecretRotation {
  return { secret, previousUntil: new Date(now.getTime() + ROTATION_OVERLAP_MS), now };
}

async function conflictOf(
  subscriptions: SubscriptionStore,
  scope: SubscriptionScope & Pick<Subscription, "types">,
  exceptSid: string | undefined,
): Promise<Problem | undefined> {
  if (!scope.types.includes(ANSWERED_TYPE)) return undefined;
  const other = await subscriptions.findEnabled(ANSWERED_TYPE, scope, exceptSid);
  if (other === undefined) return undefined;
  return problem("conflict", `${other} answers these calls already: switch it off first, for a call has one answer.`);
}
