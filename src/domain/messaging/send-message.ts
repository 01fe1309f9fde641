// Accepts a message, or refuses it with all its faults. An accepted message is stored before the client is answered.

import { type SegmentedText, segmentText } from "../../../rules/sms/segment.ts";
import { smartEncode } from "../../../rules/sms/smart-encoding.ts";
import type { Ids } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Account } from "../accounts/index.ts";
import { isShortCode } from "../numbers/index.ts";
import { mergeErrors, PROBLEM_TITLES, type Problem, problem } from "../problems.ts";
import { firstRefusal, type SendFault } from "./error-codes.ts";
import { judgeCountries, judgeSender, judgeTimes, type Times } from "./judge-sending.ts";
import { isMms, type NewMessage, newMessage, WAITING_REASONS } from "./message.ts";
import { addFault, type MessageOrder, type ReadOrder } from "./message-order.ts";
import type {
  CarrierFinder,
  MessageIntake,
  NumberReader,
  ReadNumber,
  RecipientGuard,
  SenderDirectory,
  SenderFacts,
} from "./ports.ts";

export interface SendDeps {
  readonly senders: SenderDirectory;
  readonly intake: MessageIntake;
  readonly carriers: CarrierFinder;
  readonly recipients: RecipientGuard;
  readonly readNumber: NumberReader;
  /** Refuses a URL that must not be called; it is checked again when it is called. */
  readonly checkUrl: (url: string) => Result<unknown, string>;
  readonly ids: Ids;
  /** The client's id of the request; null if we made the id: the sid contains it. */
  readonly requestId: string | null;
  readonly now: Date;
}

/** The answer to a dry run, which stores and sends nothing. */
export interface DryRun {
  readonly wouldSend: boolean;
  readonly segmentCount: number;
  readonly encoding: SegmentedText["encoding"];
  readonly recipients: readonly { readonly number: string; readonly type: string; readonly carrier: string | null }[];
  readonly refusals: readonly { readonly errorCode: number; readonly field: string; readonly message: string }[];
}

export type Sent =
  | { readonly kind: "message"; readonly message: NewMessage }
  | { readonly kind: "dryRun"; readonly dryRun: DryRun };

const SHORT_CODE_REFUSED = "This is no phone number: a short code can send and cannot be sent to.";
const WAITING_MAX = 100_000;

export async function sendMessage(
  deps: SendDeps,
  account: Account,
  { order, faults: shapeFaults }: ReadOrder,
): Promise<Result<Sent, Problem>> {
  const faults = [...shapeFaults];
  const sender = isShortCode(order.from)
    ? await readShortCode(deps, account, order.from)
    : readSender(deps, account, order, faults);
  const recipients = readRecipients(deps, account, order, faults);
  checkUrls(deps, order, faults);
  const from = sender?.e164;
  const numbers = recipients.map(({ e164 }) => e164);
  // Both run at the same time, to save a round trip where both ask the database.
  const [facts, guarded] = await Promise.all([
    from === undefined ? undefined : deps.senders.factsOf({ accountSid: account.sid, from, recipients: numbers }),
    faults.length > 0 || order.dryRun ? ok(undefined) : deps.recipients.take(account.sid, numbers),
  ]);
  if (facts) faults.push(...judgeSender(order, account, facts));
  await judgeCountries(deps.senders, account, sender, recipients, faults);
  const times = judgeTimes(deps.now, order, facts?.sender, faults);
  if (deps.intake.waitingOf(account.sid) >= WAITING_MAX) {
    addFault(faults, 3005, "$", `${WAITING_MAX} messages of the account wait to be sent: send on when some have left.`);
  }
  if (order.dryRun) return ok({ kind: "dryRun", dryRun: await makeDryRun(deps, order, numbers, faults) });
  if (faults.length > 0 || from === undefined || !facts?.sender || !times) return refused(refusalOf(faults));
  if (!guarded.ok) {
    const { recipient, retryAfterSeconds } = guarded.refusal;
    return refused({
      ...problem("rate-limited", `Too many messages to ${recipient}: wait ${retryAfterSeconds} s.`),
      retryAfterSeconds,
    });
  }
  const message = await writeMessage(deps, account, { order, from, recipients: numbers, sender: facts.sender, times });
  await deps.intake.accept(message);
  return ok({ kind: "message", message });
}

function readSender(
  deps: SendDeps,
  { country }: Account,
  { from }: MessageOrder,
  faults: SendFault[],
): ReadNumber | undefined {
  if (from === "") return undefined;
  const read = deps.readNumber(from, country);
  if (read.ok) return read.value;
  addFault(faults, 1, "From", read.refusal.reason);
  return undefined;
}

/** A short code of the account takes precedence over a number with the same digits. */
async function readShortCode(
  { senders, readNumber }: SendDeps,
  { sid, country }: Account,
  digits: string,
): Promise<ReadNumber> {
  const own = await senders.shortCodeOf(sid, digits);
  if (own) return own;
  const read = readNumber(digits, country);
  return read.ok ? read.value : { e164: digits, callingCode: "", country: undefined };
}

function readRecipients(
  deps: SendDeps,
  { country }: Account,
  { recipients }: MessageOrder,
  faults: SendFault[],
): readonly ReadNumber[] {
  const numbers: ReadNumber[] = [];
  for (const [index, text] of recipients.entries()) {
    if (text === undefined) continue;
    const field = fieldOf(recipients, index);
    const read = deps.readNumber(text, country);
    if (!read.ok) addFault(faults, 1001, field, isShortCode(text) ? SHORT_CODE_REFUSED : read.refusal.reason);
    else if (numbers.some(({ e164 }) => e164 === read.value.e164))
      addFault(faults, 1001, field, "This is given twice.");
    else numbers.push(read.value);
  }
  return numbers;
}

const fieldOf = (recipients: readonly unknown[], index: number) =>
  recipients.length === 1 ? "To" : `Recipients[${index}]`;

function checkUrls(deps: SendDeps, order: MessageOrder, faults: SendFault[]): void {
  for (const [index, url] of order.mediaUrls.entries()) {
    if (url === undefined) continue;
    const checked = deps.checkUrl(url);
    if (!checked.ok) addFault(faults, 2006, `MediaUrls[${index}]`, checked.refusal);
  }
  if (order.callbackUrl === null) return;
  const checked = deps.checkUrl(order.callbackUrl);
  if (!checked.ok) addFault(faults, 2003, "CallbackUrlOverride", checked.refusal);
}

async function makeDryRun(
  deps: SendDeps,
  order: MessageOrder,
  numbers: readonly string[],
  faults: readonly SendFault[],
): Promise<DryRun> {
  const { encoding, segments } = segmentText(order.text, { smartEncoding: order.smartEncoding });
  const recipients = await Promise.all(
    numbers.map(async (number) => {
      const { type, carrierName } = await deps.carriers.find(number);
      return { number, type, carrier: carrierName };
    }),
  );
  return {
    wouldSend: faults.length === 0,
    segmentCount: isMms(order) ? 1 : segments.length,
    encoding,
    recipients,
    refusals: faults.map(({ code, field, message }) => ({ errorCode: code, field, message })),
  };
}

interface CheckedOrder {
  readonly order: MessageOrder;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly sender: NonNullable<SenderFacts["sender"]>;
  readonly times: Times;
}

async function writeMessage(deps: SendDeps, account: Account, checked: CheckedOrder): Promise<NewMessage> {
  const { order, from, recipients, sender, times } = checked;
  const { now } = deps;
  const isHeld = sender.status !== "Active";
  const sendAt = times.dueOn > now ? times.dueOn : null;
  const waitingReason = WAITING_REASONS[sendAt === order.sendAt ? "scheduled" : "sendingTimes"];
  const { carrierName } = await deps.carriers.find(recipients[0] as string);
  return newMessage({
    sid: deps.ids.sid("OM"),
    accountSid: account.sid,
    from,
    recipients,
    text: order.smartEncoding ? smartEncode(order.text) : order.text,
    mediaUrls: order.mediaUrls as readonly string[],
    statusReason: isHeld ? `Held until ${from} is active` : sendAt && waitingReason,
    carrier: carrierName,
    messagingConfigSid: sender.messagingConfigSid,
    tcrCampaignId: sender.tcrCampaignId,
    priority: order.priority,
    createdOn: now,
    expiresOn: times.expiresOn,
    conversationMetadata: order.conversationMetadata,
    callbackUrl: order.callbackUrl,
    callbackShape: order.callbackShape,
    callbackStatuses: order.callbackStatuses,
    sendAt,
    dueOn: isHeld ? null : times.dueOn,
    isReply: false,
    requestId: deps.requestId,
  });
}

/** The refusal of a message with these faults: it has the code that comes first in the order of the codes. */
export function refusalOf(faults: readonly SendFault[]): Problem {
  const first = firstRefusal(faults);
  const title = PROBLEM_TITLES[first.problem];
  return {
    code: first.problem,
    detail: faults.find(({ code }) => code === first.code)?.message ?? title,
    errors: mergeErrors(...faults.map(({ field, message }) => ({ [field]: [message] }))),
    errorCode: first.code,
    errorMessage: title,
  };
}
