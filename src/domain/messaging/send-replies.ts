// Sends the replies that a webhook's response to an inbound message asks for: from the number to the sender, by the
// same verb and rules as any other message (opt-outs; limits of the account and of a recipient, which also slow a loop
// between two programs).
//
// Exactly once for each delivery: the sid of a reply is derived from the delivery's sid and the reply's position in the
// response, so a delivery that is repeated after a crash, or replayed later, finds the reply already sent. Two
// concurrent processes cannot both store it; the one that fails retries the delivery.

import type { Account } from "../accounts/index.ts";
import type { Problem } from "../problems.ts";
import { PLAIN_ORDER, textFaults } from "./message-order.ts";
import type { MessageIntake, Reply, ReplyReader } from "./ports.ts";
import { isSubscriber } from "./receive-message.ts";
import { type SendDeps, sendMessage } from "./send-message.ts";

/** The stores that the transaction of a reply uses. */
export interface ReplyUnit {
  readonly intake: MessageIntake;
  readonly outboundMessages: { find(accountSid: string, sid: string): Promise<unknown> };
}

export interface ReplyDeps extends Omit<SendDeps, "intake" | "recipients" | "ids" | "requestId" | "now"> {
  readonly readReplies: ReplyReader;
  readonly transaction: <Value>(work: (unit: ReplyUnit) => Promise<Value>) => Promise<Value>;
  readonly findAccount: (sid: string) => Promise<Account | undefined>;
  readonly recipientsOf: (account: Account) => SendDeps["recipients"];
  /** Counts a message against the account's limit; returns why it may not be sent now. */
  readonly takeFromLimit: (account: Account) => Promise<Problem | undefined>;
  readonly now: () => Date;
}

export interface AnsweredMessage {
  readonly accountSid: string;
  readonly deliverySid: string;
  readonly from: string;
  readonly to: string;
  readonly answer: Uint8Array;
}

/** Why a requested reply is not sent; with `retryAfterSeconds` if it may be sent later. */
interface ReplyRefusal {
  readonly reason: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** Stops at the first reply that is refused, and returns why. Undefined: none was refused. */
export async function sendReplies(deps: ReplyDeps, answered: AnsweredMessage): Promise<ReplyRefusal | undefined> {
  const replies = deps.readReplies(answered.answer);
  if (!replies.ok) {
    const { line, column, reason } = replies.refusal;
    return { reason: `No reply was sent: line ${line}, column ${column}: ${reason}` };
  }
  if (replies.value.length === 0) return undefined;
  if (!isSubscriber(answered.from))
    return { reason: "No reply was sent: the sender is a program, which might answer it." };
  const account = await deps.findAccount(answered.accountSid);
  if (!account) return undefined;
  for (const [place, reply] of replies.value.entries()) {
    const refusal = await sendOnce(deps, account, answered, { reply, sid: replySid(answered.deliverySid, place) });
    if (!refusal) continue;
    const { detail, code, retryAfterSeconds } = refusal;
    return { reason: `The reply was not sent: ${detail ?? code}`, retryAfterSeconds };
  }
  return undefined;
}

/** The delivery's sid, with the position of the reply added to its last digit. */
function replySid(deliverySid: string, place: number): string {
  const last = Number.parseInt(deliverySid.slice(-1), 16);
  return `OM${deliverySid.slice(2, -1)}${((last + place) & 15).toString(16)}`;
}

async function sendOnce(
  deps: ReplyDeps,
  account: Account,
  { from, to }: AnsweredMessage,
  { reply, sid }: { readonly reply: Reply; readonly sid: string },
): Promise<Problem | undefined> {
  return deps.transaction(async ({ intake, outboundMessages }) => {
    if (await outboundMessages.find(account.sid, sid)) return undefined;
    const limited = await deps.takeFromLimit(account);
    if (limited) return limited;
    const sent = await sendMessage(
      {
        ...deps,
        intake,
        recipients: deps.recipientsOf(account),
        ids: { sid: () => sid },
        requestId: null,
        now: deps.now(),
      },
      account,
      { order: { ...PLAIN_ORDER, from: to, recipients: [from], ...reply }, faults: textFaults(reply) },
    );
    return sent.ok ? undefined : sent.refusal;
  });
}
