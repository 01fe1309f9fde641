// Describes in sentences what happened to a message, why, and what to do about it. The server writes them, so that all
// clients show the same.

import type { OutboundMessage } from "./message.ts";
import type { TrailStep } from "./ports.ts";

export interface MessageSummary {
  readonly what: string;
  readonly why: string;
  /** Null when nothing is to be done. */
  readonly advice: string | null;
}

type Summarised = Pick<
  OutboundMessage,
  | "from"
  | "status"
  | "statusReason"
  | "errorCode"
  | "errorDescription"
  | "sendAt"
  | "sentOn"
  | "deliveredOn"
  | "expiresOn"
>;

const UNKNOWN_OUTCOME = 3100;

/** What to do about a message that failed, by its error code. */
const ADVICE: Readonly<Record<number, string>> = {
  4: "Look what the number waits for with GET /v1/Phones/{phone}, and send it again when the number is Active.",
  6: "Send it from a number that has the feature: GET /v1/Phones shows the features of each.",
  1002: "The recipient has to write START to the sender before it may get messages again.",
  1003: "Send it again later: the phone may be switched off or out of reach.",
  1004: "Look the number up with GET /carrierLookup/v1/Numbers/{Number}: it may be one that takes no texts.",
  2006: "Make sure that the media can be fetched by this server and are not too large, and send it again.",
  3002: "Change the text: carriers block shortened links, and what they take for advertising without consent.",
  3003: "Read the carrier's answer in the steps, and ask the operator of this service if it does not say enough.",
  3004: "Send it again later; if it fails again, look the number up.",
  3006: "Send it again later; if it fails again, ask the operator of this service.",
  3011: "Send it again later; if it fails again, ask the operator of this service.",
  3015: "The registry has to activate the campaign again; link the MessagingConfig to another one otherwise.",
  3017: "Link the MessagingConfig to a campaign that is Active, and send it again.",
  3019: "Ask the operator of this service why the account is suspended.",
  3100: "Send it again only if getting it twice does no harm. A late receipt may still say that it arrived.",
  2147483647: "Send it again later.",
};

export function summariseMessage(message: Summarised, trail: readonly TrailStep[]): MessageSummary {
  const { errorDescription, statusReason, status } = message;
  const reasons = [errorDescription, statusReason].filter((reason) => reason !== null);
  return {
    what: whatOf(message),
    why: reasons.length > 0 ? reasons.map(sentence).join(" ") : USUAL_REASONS[status],
    advice: adviceOf(message, trail),
  };
}

function whatOf({ status, errorCode, sendAt, sentOn, deliveredOn, expiresOn }: Summarised): string {
  const at = (date: Date | null) => (date === null ? "" : ` at ${date.toISOString()}`);
  switch (status) {
    case "Queued":
      return sendAt === null ? "It waits to be sent." : `It waits to be sent${at(sendAt)}.`;
    case "Sent":
      return `The carrier took it${at(sentOn)}; it has not said yet whether it arrived.`;
    case "Delivered":
      return `It was delivered${at(deliveredOn)}.`;
    case "Failed":
      return errorCode === UNKNOWN_OUTCOME ? "Nobody knows whether it arrived." : "It was not delivered.";
    case "Expired":
      return `It was not sent: it expired${at(expiresOn)}.`;
    case "Canceled":
      return "It was not sent: it was canceled.";
    default:
      return status satisfies never;
  }
}

/** Reasons for a status that has no particular reason of its own. */
const USUAL_REASONS: Readonly<Record<OutboundMessage["status"], string>> = {
  Queued: "The messages before it leave first, or no link to a carrier has capacity.",
  Sent: "The carrier's receipt has not come yet.",
  Delivered: "The carrier's receipt says so.",
  Failed: "The carrier gave no reason.",
  Expired: "It could not be sent in time.",
  Canceled: "Its sender canceled it.",
};

function adviceOf({ status, errorCode, from }: Summarised, trail: readonly TrailStep[]): string | null {
  if (status === "Failed") return ADVICE[errorCode] ?? null;
  if (status === "Expired") return "Send it again, with more time until it expires.";
  const isHeld = status === "Queued" && trail.some(({ step }) => step === "held");
  return isHeld ? `It leaves by itself when ${from} is Active: GET /v1/Phones/{phone} says what is lacking.` : null;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
