// The rules on who may send to whom, and when. All faults are collected before a message is refused. A message that has
// waited is judged again by the same rules before it is sent.

import type { Account } from "../accounts/index.ts";
import type { SendFault } from "./error-codes.ts";
import { isMms } from "./message.ts";
import { addFault, type MessageOrder } from "./message-order.ts";
import type { Outgoing, ReadNumber, SenderDirectory, SenderFacts, SenderState } from "./ports.ts";
import { nextSendingTime, type SendingTimes } from "./sending-times.ts";

const DEFAULT_EXPIRY_SECONDS = 14_400;
/** How far ahead a message may be scheduled. */
const AHEAD_DAYS_MAX = 35;
const DAY_MS = 24 * 3_600_000;
/** The clocks of clients may be slow by this much. */
const SLACK_MS = 60_000;

interface SenderFault extends SendFault {
  readonly code: keyof typeof REFUSED_LATER;
}

const NOT_ACTIVE: Readonly<Record<Exclude<SenderState["status"], "Active">, readonly [3 | 4 | 5, string]>> = {
  PendingMessagingConfigAdd: [
    3,
    "It has no MessagingConfig: add it to one with PATCH /v1/MessagingConfigs/{sid}/addPhones.",
  ],
  PendingPortIn: [4, "It is PendingPortIn and may not send yet."],
  PendingTcrCampaignAdd: [4, "It is PendingTcrCampaignAdd and may not send yet."],
  PendingTcrCampaignChange: [5, "It is changing its campaign and may not send meanwhile."],
};

/** Returns the faults in the order of `REFUSALS`. */
export function judgeSender(
  order: Pick<MessageOrder, "recipients" | "mediaUrls" | "holdUntilActive">,
  { status: accountStatus }: Pick<Account, "status">,
  { sender, optedOut }: SenderFacts,
): readonly SenderFault[] {
  if (!sender) return [{ code: 2, field: "From", message: "This is not one of your numbers: see GET /v1/Phones." }];
  const faults: SenderFault[] = [];
  const { status, campaignStatus, tcrCampaignId } = sender;
  if (status !== "Active" && !order.holdUntilActive) {
    const [code, why] = NOT_ACTIVE[status];
    faults.push({ code, field: "From", message: `${why} Send with HoldUntilActive=true to have it wait.` });
  }
  const needsMms = isMms(order);
  // A number that is being ported in gets its features when its port completes.
  if (!(needsMms ? sender.sendsMms : sender.sendsSms) && status !== "PendingPortIn") {
    const feature = needsMms ? "MMS" : "SMS";
    faults.push({ code: 6, field: "From", message: `${feature} is not among its features: see GET /v1/Phones.` });
  }
  if (campaignStatus === "Suspended")
    faults.push({ code: 3015, field: "From", message: `Campaign ${tcrCampaignId} is suspended.` });
  if (campaignStatus === "Expired")
    faults.push({ code: 3017, field: "From", message: `Campaign ${tcrCampaignId} has expired.` });
  const field = order.recipients.length === 1 ? "To" : "Recipients";
  for (const number of optedOut)
    faults.push({ code: 1002, field, message: `${number} has opted out of messages from this sender.` });
  if (accountStatus !== "Active") faults.push({ code: 3019, field: "$", message: "The account is suspended." });
  return faults;
}

const NO_LONGER_ACTIVE = {
  code: 4,
  description: "The sender is not active.",
  reason: "The sender was no longer active when it was due",
} as const;

/** The status of an accepted message that may no longer be sent, by the code of its fault. */
const REFUSED_LATER = {
  2: NO_LONGER_ACTIVE,
  3: NO_LONGER_ACTIVE,
  4: NO_LONGER_ACTIVE,
  5: NO_LONGER_ACTIVE,
  6: {
    code: 6,
    description: "The sender cannot send such messages.",
    reason: "The sender lacked the feature when it was due",
  },
  3015: {
    code: 3015,
    description: "The sender's campaign is suspended.",
    reason: "The sender's campaign was no longer active when it was due",
  },
  3017: {
    code: 3017,
    description: "The sender's campaign has expired.",
    reason: "The sender's campaign was no longer active when it was due",
  },
  1002: { code: 1002, description: "The recipient has opted out.", reason: "The recipient opted out while it waited" },
  3019: { code: 3019, description: "The account is suspended.", reason: "The account was suspended when it was due" },
} as const;

/** How long the checks at acceptance hold. */
const JUDGED_MS = 2_000;

/** Whether a message has waited so long that it is judged again before it is sent. */
export function mustBeJudged({ checkedOn }: Pick<Outgoing, "checkedOn">, now: Date): boolean {
  return now.getTime() - checkedOn.getTime() > JUDGED_MS;
}

export interface WaitingMessage {
  readonly message: Outgoing;
  readonly account: Pick<Account, "status">;
  readonly facts: SenderFacts;
}

/** Messages that may not be sent now. */
export interface HeldMessages {
  readonly refused: readonly {
    readonly message: Outgoing;
    readonly refusal: (typeof REFUSED_LATER)[keyof typeof REFUSED_LATER];
  }[];
  /** Outside the sending times. `until` is undefined when they never begin. */
  readonly early: readonly { readonly message: Outgoing; readonly until: Date | undefined }[];
}

export function judgeWaiting(waiting: readonly WaitingMessage[], now: Date): HeldMessages {
  const refused: HeldMessages["refused"][number][] = [];
  const early: HeldMessages["early"][number][] = [];
  // Many messages have the same config, and computing the next sending time is slow.
  const openings = new Map<SendingTimes | null, Date | undefined>();
  for (const { message, account, facts } of waiting) {
    const { recipients, mediaUrls, isReply } = message;
    const [fault] = judgeSender({ recipients, mediaUrls, holdUntilActive: false }, account, {
      sender: facts.sender,
      optedOut: isReply ? [] : facts.optedOut,
    });
    if (fault) refused.push({ message, refusal: REFUSED_LATER[fault.code] });
    if (fault || isReply) continue;
    const times = facts.sender?.sendingTimes ?? null;
    if (!openings.has(times)) openings.set(times, nextSendingTime(times, now));
    const until = openings.get(times);
    if (until !== now) early.push({ message, until });
  }
  return { refused, early };
}

export async function judgeCountries(
  senders: SenderDirectory,
  account: Account,
  own: ReadNumber | undefined,
  recipients: readonly ReadNumber[],
  faults: SendFault[],
): Promise<void> {
  const doubtful = recipients.filter(({ country }) =>
    account.allowedCountries
      ? country === undefined || !account.allowedCountries.includes(country)
      : country === undefined || country !== own?.country,
  );
  if (doubtful.length === 0) return;
  const allowed = account.allowedCountries ?? (await senders.countriesOf(account.sid));
  const mayReach = (country: string | undefined) => country !== undefined && allowed.includes(country);
  for (const { e164, callingCode, country } of doubtful) {
    if (mayReach(country)) continue;
    // A number in no known range, such as +1 555, counts as one of the sender's country.
    if (country === undefined && callingCode === own?.callingCode && mayReach(own.country)) continue;
    const where = country === undefined ? "belongs to no single country" : `is in ${country}`;
    const list = allowed.length === 0 ? "none" : allowed.join(", ");
    const field = recipients.length === 1 ? "To" : "Recipients";
    addFault(faults, 1005, field, `${e164} ${where}; allowed for this account: ${list}. The operator can allow more.`);
  }
}

export interface Times {
  readonly dueOn: Date;
  readonly expiresOn: Date;
}

/** When the message is due, and when it expires. */
export function judgeTimes(
  now: Date,
  order: MessageOrder,
  sender: SenderFacts["sender"],
  faults: SendFault[],
): Times | undefined {
  const faultsBefore = faults.length;
  for (const [field, date] of [
    ["SendAt", order.sendAt],
    ["ExpiresOn", order.expiresOn],
  ] as const) {
    if (date && date.getTime() - now.getTime() > AHEAD_DAYS_MAX * DAY_MS)
      addFault(faults, 2005, field, `${AHEAD_DAYS_MAX} days ahead at most are allowed.`);
  }
  if (order.sendAt && now.getTime() - order.sendAt.getTime() > SLACK_MS)
    addFault(faults, 2005, "SendAt", "This lies in the past.");
  const earliest = order.sendAt && order.sendAt > now ? order.sendAt : now;
  if (order.expiresOn && order.expiresOn <= earliest)
    addFault(faults, 2004, "ExpiresOn", earliest === now ? "This lies in the past." : "This is not after SendAt.");
  if (faults.length > faultsBefore || !sender) return undefined;
  const expirySeconds = sender.defaultExpirySeconds ?? DEFAULT_EXPIRY_SECONDS;
  const dueOn = nextSendingTime(sender.sendingTimes, earliest);
  const expiresOn = order.expiresOn ?? new Date(earliest.getTime() + expirySeconds * 1000);
  if (dueOn && dueOn < expiresOn) return { dueOn, expiresOn };
  const opens = dueOn ? `not before ${dueOn.toISOString()}` : "never";
  const message = `The MessagingConfig's sending times allow it ${opens}, and it expires ${expiresOn.toISOString()}.`;
  addFault(faults, 2004, "ExpiresOn", message);
  return undefined;
}
