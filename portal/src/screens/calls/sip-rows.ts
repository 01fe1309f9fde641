// The SIP messages of a call as the rows of a ladder, and between them the moments that explain them. Pure.

import type { Call, CallTrail, SipMessage } from "@tandem/sdk";

export interface MessageRow {
  readonly kind: "message";
  readonly id: string;
  readonly at: string;
  readonly message: SipMessage;
  /** INVITE, or 180 Ringing. */
  readonly word: string;
  readonly isProvisional: boolean;
  readonly isRefusal: boolean;
  readonly hasSdp: boolean;
  /** A retransmission: the same octets were sent in the same direction before. */
  readonly isAgain: boolean;
}

export interface MomentRow {
  readonly kind: "joined" | "key";
  readonly id: string;
  readonly at: string;
}

export type LadderRow = MessageRow | MomentRow;

export function wordOf(startLine: string): string {
  const [, answer] = /^SIP\/2\.0 (\d{3}.*)$/.exec(startLine) ?? [];
  return answer ?? startLine.split(" ")[0] ?? startLine;
}

export function ladderOf(
  call: Call,
  messages: readonly SipMessage[],
  trail: CallTrail | undefined,
): readonly LadderRow[] {
  const seen = new Set<string>();
  const rows: LadderRow[] = messages.map((message, index) => {
    const word = wordOf(message.startLine);
    const key = `${message.leg} ${message.direction} ${message.text}`;
    const isAgain = seen.has(key);
    seen.add(key);
    return {
      kind: "message",
      id: String(index + 1),
      at: message.at,
      message,
      word,
      isProvisional: /^1\d\d /.test(word),
      isRefusal: /^[4-6]\d\d /.test(word),
      hasSdp: /\r?\n\r?\nv=0/.test(message.text),
      isAgain,
    };
  });
  const moments: MomentRow[] = [
    ...(call.answeredOn === null ? [] : [{ kind: "joined" as const, id: "joined", at: call.answeredOn }]),
    ...(trail?.steps ?? [])
      .filter(({ step }) => step === "keyPressed")
      .map(({ at }) => ({ kind: "key" as const, id: `key ${at}`, at })),
  ];
  for (const moment of moments) {
    const after = rows.findLastIndex(({ at }) => at <= moment.at);
    rows.splice(after + 1, 0, moment);
  }
  return rows;
}

/** 0.412, 3:58.611: from the start of the call. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) return seconds.toFixed(3);
  const rest = (seconds % 60).toFixed(3).padStart(6, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}
