// Describes in sentences what happened to a call, why, and what to do about it. The server writes them, so that all
// clients show the same. The trail consists of the record, and of what was noted because it was unusual.

import { type Call, durationSeconds, type EndReason } from "./call.ts";
import type { CallTrailStep } from "./ports.ts";

export interface CallSummary {
  readonly what: string;
  readonly why: string;
  /** Null when nothing is to be done. */
  readonly advice: string | null;
}

/** Those of Completed and Canceled say what a party did, and that of Canceled holds for a party that declined, too. */
const ENDS: Readonly<Record<EndReason, readonly [why: string, advice: string | null]>> = {
  Completed: ["hung up.", null],
  NoAnswer: ["Nobody answered in time.", "Call again later, or let it ring longer with `ringSeconds`."],
  Busy: ["The line was busy.", "Call again later."],
  Rejected: ["The called side refused the call.", "Read the SIP code of the leg, and the reason in the steps."],
  Canceled: ["hung up before both parties were connected.", null],
  Failed: ["The call could not be connected or kept.", "Read the reason in the steps, and the SIP messages at …/sip."],
  HungUp: ["The hang-up operation ended it.", null],
  ScriptUnavailable: [
    "No call script came.",
    "Subscribe to InboundCallReceivedWebhook and answer it within 5 s, or set `callsForwardedTo` of the number.",
  ],
  ScriptInvalid: [
    "The call script is invalid.",
    "Mend it; `tandem script check` tells what is wrong with a call script or with TwiML.",
  ],
  ScriptHangup: ["The call script asked for it.", null],
  NotAcknowledged: [
    "The first party pressed no key.",
    "Ask the first party to press a key, or leave `requireKeyPress` out.",
  ],
  MediaTimeout: ["No audio came any more.", "Look for a firewall or NAT between the party and this server."],
  MaxDuration: ["It lasted as long as a call may.", "Ask for more with `maxSeconds`, up to 14,400."],
};

export function summariseCall(call: Call, steps: readonly CallTrailStep[]): CallSummary {
  if (call.endReason === null) {
    return { what: `It is ${call.status}.`, why: "The call is under way.", advice: null };
  }
  const seconds = durationSeconds(call) ?? 0;
  const what = call.answeredOn === null ? "The parties were never connected." : `The parties talked for ${seconds} s.`;
  const [end, advice] = endOf(call, call.endReason);
  const why = end.startsWith("hung up") ? `${enderOf(call)} ${end}` : end;
  const told = steps
    .map(({ details }) => details.reason)
    .filter((reason) => typeof reason === "string" && reason !== "");
  const given = steps.map(({ details }) => details.advice).findLast((one) => typeof one === "string");
  return { what, why: [why, ...told].join(" "), advice: given ?? advice };
}

function endOf(call: Call, reason: EndReason): (typeof ENDS)[EndReason] {
  if (isSilent(call)) return SILENT;
  const hasAnswered = call.legs.some(({ endReason, answeredOn }) => endReason === "NoAnswer" && answeredOn !== null);
  return ENDS[reason === "NoAnswer" && hasAnswered ? "Canceled" : reason];
}

/** Who hung up, with the number: "The second party, +13035550101,". */
function enderOf({ endedBy, endReason, legs }: Call): string {
  const own = legs.filter(({ leg }) => leg === endedBy);
  const leg = own.findLast((each) => each.endReason === endReason) ?? own.at(-1);
  if (!leg) return "A party";
  return `The ${leg.leg === "First" ? "first" : "second"} party, ${leg.direction === "Inbound" ? leg.from : leg.to},`;
}

const SILENT = [
  "The called side did not even ring.",
  "Check its address and port, and whether a firewall lets SIP through in both directions.",
] as const;

/** The party that was called last did not ring, and refused nothing either. */
function isSilent({ endReason, legs }: Call): boolean {
  const last = legs.at(-1);
  return endReason === "NoAnswer" && last?.rangOn === null && last.sipCode === null;
}

/** Everything that happened, in order. */
export function trailOf(call: Call, noted: readonly CallTrailStep[]): readonly CallTrailStep[] {
  const steps: CallTrailStep[] = [
    {
      at: call.createdOn,
      step: "created",
      details: { direction: call.direction, from: call.from, to: call.to, callerId: call.callerId },
    },
  ];
  for (const { leg, to, rangOn, answeredOn } of call.legs) {
    if (rangOn) steps.push({ at: rangOn, step: "rang", details: { leg, to } });
    if (answeredOn) steps.push({ at: answeredOn, step: "answered", details: { leg } });
  }
  if (call.answeredOn) steps.push({ at: call.answeredOn, step: "joined", details: {} });
  // Sorting keeps the order of steps of the same moment; notes about the end come before the end.
  const sorted = [...steps, ...noted].sort((one, other) => one.at.getTime() - other.at.getTime());
  const { completedOn, endReason, endedBy } = call;
  if (!completedOn) return sorted;
  const legs = call.legs.map(({ leg, sipCode, media }) => ({ leg, sipCode, media }));
  return [...sorted, { at: completedOn, step: "ended", details: { endReason, endedBy, legs } }];
}
