// Builds the call script that answers an inbound-call webhook: one instruction, in XML.
//
// Guarantees: the result is a valid script for any input; input that would make it invalid throws a CallScriptError
// with the reason. Texts are escaped.

import { readCallDestination } from "../../rules/call-destination.ts";
import { parseNumber } from "../../rules/numbers/parse-number.ts";
import type { Reading } from "../../rules/reading.ts";

declare const built: unique symbol;

/** The XML of a call script. Answer the webhook with it, as `application/xml`. */
export type CallScript = string & { readonly [built]: true };

/** No script can be built from this input. */
export class CallScriptError extends Error {
  override readonly name = "CallScriptError";
}

export interface DialOptions {
  /** Defaults to the number's settings. */
  readonly record?: boolean;
  /** Two letters: the country of a number without a plus. By default such a number is E.164 digits. */
  readonly country?: string;
}

const SCRIPT_BYTES_MAX = 16 * 1024;
const SPOKEN_CHARACTERS_MAX = 4_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/u;
const MARKUP = /<\/?[a-z!?][^>]*>/i;

export const callScript = {
  /** Forwards the call to a number, which is written in E.164, or to a SIP URI. */
  dial(to: string, { record, country }: DialOptions = {}): CallScript {
    const read = readCallDestination(to, (text) => e164Of(text, country));
    if (!read.ok) throw new CallScriptError(read.refusal);
    const attribute = record === undefined ? "" : ` Record="${record === true}"`;
    return scriptOf(`<Dial${attribute}>${escaped(read.value)}</Dial>`);
  },

  /** Speaks the text and hangs up; without a text the call is rejected immediately. */
  hangUp(text = ""): CallScript {
    const fault = spokenFault(text);
    if (fault !== undefined) throw new CallScriptError(fault);
    const spoken = text.trim();
    return scriptOf(spoken === "" ? "<Hangup/>" : `<Hangup>${escaped(spoken)}</Hangup>`);
  },
} as const;

function scriptOf(instruction: string): CallScript {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Response>${instruction}</Response>`;
  if (new TextEncoder().encode(xml).length > SCRIPT_BYTES_MAX) {
    throw new CallScriptError(`A script has ${SCRIPT_BYTES_MAX} bytes at most.`);
  }
  return xml as CallScript;
}

function e164Of(text: string, country: string | undefined): Reading<string> {
  const parsed = parseNumber(text, country);
  return parsed.ok ? { ok: true, value: parsed.value.e164 } : parsed;
}

function spokenFault(text: string): string | undefined {
  const spoken = text.replace(/\s+/gu, " ").trim();
  if ([...spoken].length > SPOKEN_CHARACTERS_MAX) return `A text has ${SPOKEN_CHARACTERS_MAX} characters at most.`;
  if (CONTROL.test(text)) return "A text must not have control characters.";
  if (MARKUP.test(spoken)) return "A text is spoken as it stands: it must not have SSML or other markup.";
  return undefined;
}

const ESCAPES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES.get(character) ?? "");
}
