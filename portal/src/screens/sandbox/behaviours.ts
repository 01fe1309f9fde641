// What the numbers of the sandbox do, in plain words. docs/sandbox.md has the protocol details of each.

export interface Behaviour {
  /** The last four digits, after 555; they work under every area code. */
  readonly line: string;
  readonly name: string;
  readonly does: string;
}

export const numberOf = (line: string): string => `+1720555${line}`;

export const TEXT_BEHAVIOURS: readonly Behaviour[] = [
  { line: "0100", name: "delivered", does: "Arrives." },
  { line: "0101", name: "failed", does: "The carrier takes it, then reports a failure." },
  { line: "0102", name: "unreachable", does: "The phone is off or away." },
  { line: "0103", name: "noTextService", does: "The line cannot be texted." },
  { line: "0104", name: "spam", does: "Blocked as spam." },
  { line: "0105", name: "expired", does: "The carrier gave up in time." },
  { line: "0106", name: "silent", does: "Taken, and never heard of again. Settle it below." },
  { line: "0107", name: "throttled", does: "Too fast, three times; then it arrives." },
  { line: "0108", name: "slow", does: "Taken after three seconds." },
  { line: "0109", name: "rejected", does: "Refused at once: no such number." },
  { line: "0110", name: "cut", does: "The connection breaks, and the text is lost." },
  { line: "0111", name: "unanswered", does: "The carrier never answers, and the text is lost." },
  { line: "0112", name: "receiptFirst", does: "The receipt comes before the answer." },
  { line: "0113", name: "receiptTwice", does: "The receipt comes twice." },
  { line: "0114", name: "takenAndCut", does: "The connection breaks, yet it arrives: Failed becomes Delivered." },
  { line: "0115", name: "broken", does: "The carrier has a fault, at each of five tries." },
];

export const CALL_BEHAVIOURS: readonly Behaviour[] = [
  { line: "0100", name: "answers", does: "Rings for a second, then answers." },
  { line: "0101", name: "busy", does: "Is busy: 486." },
  { line: "0102", name: "noAnswer", does: "Rings, and is not answered." },
  { line: "0103", name: "rejects", does: "Rings for a second, then declines: 603." },
  { line: "0104", name: "unavailable", does: "Cannot be reached: 480." },
  { line: "0105", name: "unknown", does: "No such number: 404." },
  { line: "0106", name: "silent", does: "Says nothing at all, not even that it rings." },
  { line: "0107", name: "hangsUp", does: "Answers, and hangs up after three seconds." },
  { line: "0108", name: "earlyMedia", does: "Speaks before it answers: 183." },
  { line: "0109", name: "broken", does: "The carrier has a fault: 503." },
  { line: "0110", name: "pressesKey", does: "Answers, and presses 1 a second later." },
  { line: "0111", name: "answersAtOnce", does: "Answers without ringing." },
  { line: "0112", name: "pressesKeyByInfo", does: "Answers, and presses 1 by SIP INFO." },
  { line: "0113", name: "pressesKeyAsTone", does: "Answers, and presses 1 as a tone." },
  { line: "0114", name: "speaks", does: "Answers, and says a sentence again and again." },
];

export const MIGRATION_WORDS = {
  accept: "the partner above accepts it",
  decline: "it is declined",
  expire: "no answer comes in time",
  cancel: "its owner takes it back",
} as const;

export const PORT_WORDS = {
  complete: "a date is confirmed and everything moves, at once",
  partial: "the later half is rejected; of one number, its messaging",
  reject: "all of it is rejected",
  exception: "it waits for your answer",
  delay: "all goes well, in three times the time",
  focChange: "a date is confirmed, and then another one",
  messagingLate: "voice moves at once, messaging later",
  silent: "nothing ever happens",
} as const;
