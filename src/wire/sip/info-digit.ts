// Digits inside INFO: `application/dtmf-relay` (Signal and Duration) and `application/dtmf` (the digit alone).

import { contentTypeOf, type SipMessage } from "./message.ts";

export interface InfoDigit {
  readonly digit: string;
  readonly ms: number;
}

export const DIGIT_TYPE = "application/dtmf-relay";
const MS_USUAL = 160;
const MS_MAX = 8000;

/** Undefined for other types, or when the body contains no digit. */
export function digitOfInfo(message: SipMessage): InfoDigit | undefined {
  const type = contentTypeOf(message);
  if (type === DIGIT_TYPE) {
    const digit = digitOf(/^Signal[ \t]*=[ \t]*(\S+)/im.exec(message.body)?.[1]);
    const ms = Number(/^Duration[ \t]*=[ \t]*(\d{1,5})/im.exec(message.body)?.[1] ?? MS_USUAL);
    return digit === undefined ? undefined : { digit, ms: Math.min(Math.max(ms, 1), MS_MAX) };
  }
  if (type !== "application/dtmf") return undefined;
  const digit = digitOf(message.body.trim());
  return digit === undefined ? undefined : { digit, ms: MS_USUAL };
}

/** Numbers 10 to 15 stand for the signs and letters (RFC 4733 3.2). */
function digitOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9*#A-Da-d]$/.test(text)) return text.toUpperCase();
  return /^1[0-5]$/.test(text) ? "*#ABCD"[Number(text) - 10] : undefined;
}

export function infoBody({ digit, ms }: InfoDigit): string {
  return `Signal=${digit}\r\nDuration=${ms}\r\n`;
}
