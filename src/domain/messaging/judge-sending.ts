// What speaks against a message because of who sends it, to whom and when. Each adds what it finds; nothing is decided before all have
// been asked.

import type { Account } from "../accounts/index.ts";
import type { SendFault } from "./error-codes.ts";
import { addFault, type MessageOrder } from "./message-order.ts";
import type { ReadNumber, SenderDirectory, SenderFacts } from "./ports.ts";
import { nextSendingTime } from "./sending-times.ts";

const DEFAULT_EXPIRY_SECONDS = 14_400;
/** A message may be written so long ahead. */
const AHEAD_DAYS_MAX = 35;
const DAY_MS = 24 * 3_600_000;

export function judgeSender(order: MessageOrder, { sender, optedOut }: SenderFacts, faults: SendFault[]): void {
  if (!sender) {
    addFault(faults, 2, "From", "This is not one of your numbers: see GET /v1/Phones.");
    return;
  }
  const held = order.holdUntilActive ? "" : " Send with HoldUntilActive=true to have it wait.";
  switch (sender.status) {
    case "Active":
      break;
    case "PendingMessagingConfigAdd":
      if (!order.holdUntilActive)
        addFault(
          faults,
          3,
          "From",
          `It has no MessagingConfig: add it to one with PATCH /v1/MessagingConfigs/{sid}/addPhones.${held}`,
        );
      break;
    case "PendingTcrCampaignChange":
      if (!order.holdUntilActive)
        addFault(faults, 5, "From", `It is changing its campaign and may not send meanwhile.${held}`);
      break;
    case "PendingPortIn":
    case "PendingTcrCampaignAdd":
      if (!order.holdUntilActive) addFault(faults, 4, "From", `It is ${sender.status} and may not send yet.${held}`);
      break;
    default:
      sender.status satisfies never;
  }
  if (sender.campaignStatus === "Suspended")
    addFault(faults, 3015, "From", `Campaign ${sender.tcrCampaignId} is suspended.`);
  if (sender.campaignStatus === "Expired")
    addFault(faults, 3017, "From", `Campaign ${sender.tcrCampaignId} has expired.`);
  for (const number of optedOut) {
    const field = order.recipients.length === 1 ? "To" : "Recipients";
    addFault(faults, 1002, field, `${number} has opted out of messages from this sender.`);
  }
}

export async function judgeCountries(
  senders: SenderDirectory,
  account: Account,
  own: ReadNumber | undefined,
  recipients: readonly ReadNumber[],
  faults: SendFault[],
): Promise<void> {
  const strangers = recipients.filter(({ country }) =>
    account.allowedCountries
      ? country === undefined || !account.allowedCountries.includes(country)
      : country === undefined || country !== own?.country,
  );
  if (strangers.length === 0) return;
  const allowed = account.allowedCountries ?? (await senders.countriesOf(account.sid));
  const mayReach = (country: string | undefined) => country !== undefined && allowed.includes(country);
  for (const { e164, callingCode, country } of strangers) {
    if (mayReach(country)) continue;
    // In no range that is known, such as +1 555: at home, if anywhere.
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

/** When it leaves, and when it is no longer worth sending. */
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
