// Reads a call script: the XML that answers an inbound-call webhook.
//
//   <Response><Dial Record="true">+14155550100</Dial></Response>     also <Dial><Number>…, <Dial><Sip>…
//   <Response><Hangup>Goodbye.</Hangup></Response>                   without text: at once
//
// Total and bounded: any bytes give a script or a refusal with the place of the fault. No DTD, no entities beyond the
// five, one root; whatever is not named above is invalid.

import type { SaxesTagPlain } from "saxes";
import { ok, type Result } from "../../base/result.ts";
import {
  type DestinationReader,
  faultAt,
  parseScriptXml,
  type ScriptFault,
  type ScriptParts,
  type ScriptPlace,
} from "../../base/script-xml.ts";
import { tableOf } from "../../base/table.ts";
import { readSpokenText, SPOKEN_TEXT_MAX } from "./spoken-text.ts";

export type CallScript =
  | {
      readonly kind: "dial";
      readonly to: string;
      /** Null: as in the number's settings. */
      readonly record: boolean | null;
      /** How long the party may ring, and how long the call may last from the join; absent: the defaults. */
      readonly ringSeconds?: number | undefined;
      readonly maxSeconds?: number | undefined;
    }
  /** Without a text: immediately. */
  | {
      readonly kind: "hangUp";
      readonly text: string;
      readonly voice?: VoiceUse | undefined;
      /** Without a text, the caller gets a busy response. */
      readonly isBusy?: boolean | undefined;
    };

/** The voice that a script requests, and the one that speaks. */
export interface VoiceUse {
  readonly asked: string;
  readonly spokenBy: string;
}

/** Reads scripts of one language. */
export type ScriptReader = (bytes: Uint8Array, readDestination: DestinationReader) => Result<CallScript, ScriptFault>;

export function readScript(bytes: Uint8Array, readDestination: DestinationReader): Result<CallScript, ScriptFault> {
  return parseScriptXml(bytes, (place) => new ScriptReading(place, readDestination));
}

/** The elements a script may have, by their parent; `""` is the document. */
const CHILDREN = tableOf<readonly string[]>({
  "": ["Response"],
  Response: ["Dial", "Hangup"],
  Dial: ["Number", "Sip"],
  Hangup: [],
  Number: [],
  Sip: [],
});
const TEXT_ALLOWED = new Set(["Dial", "Hangup", "Number", "Sip"]);

class ScriptReading implements ScriptParts<CallScript> {
  readonly #place: ScriptPlace;
  readonly #readDestination: DestinationReader;
  readonly #open: string[] = [];
  #verb: { readonly name: string; readonly line: number; readonly column: number } | undefined;
  #record: boolean | null = null;
  /** The text of the verb: before, inside and after a child element of it. */
  #text = "";
  #hasChild = false;

  constructor(place: ScriptPlace, readDestination: DestinationReader) {
    this.#place = place;
    this.#readDestination = readDestination;
  }

  enter({ name, attributes }: SaxesTagPlain): void {
    const parent = this.#open.at(-1) ?? "";
    if (!CHILDREN.get(parent)?.includes(name)) {
      const allowed = CHILDREN.get(parent) ?? [];
      const what = parent === "" ? "The root of a script" : `What is inside ${parent}`;
      this.#place.fail(
        allowed.length === 0 ? `${parent} holds text alone.` : `${what} is ${allowed.join(" or ")}, not ${name}.`,
      );
    }
    if (parent === "Response") this.#enterVerb(name, attributes);
    else if (Object.keys(attributes).length > 0) this.#place.fail(`${name} has no attributes.`);
    if (parent === "Dial") {
      if (this.#hasChild || this.#text.trim() !== "") this.#place.fail("Dial holds one destination.");
      this.#hasChild = true;
    }
    this.#open.push(name);
  }

  #enterVerb(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#verb) this.#place.fail("A script holds one instruction: Dial or Hangup.");
    this.#verb = { name, ...this.#place.here() };
    for (const [attribute, value] of Object.entries(attributes)) {
      if (name !== "Dial" || attribute !== "Record") this.#place.fail(`${name} has no attribute ${attribute}.`);
      if (!/^(?:true|false)$/i.test(value)) this.#place.fail('Record is "true" or "false".');
      this.#record = value.toLowerCase() === "true";
    }
  }

  leave(): void {
    this.#open.pop();
  }

  take(part: string): void {
    const element = this.#open.at(-1) ?? "";
    if (part.trim() === "" && element !== "Hangup") return;
    if (!TEXT_ALLOWED.has(element))
      this.#place.fail(`${element === "" ? "A script" : element} holds no text of its own.`);
    if (element === "Dial" && this.#hasChild) this.#place.fail("Dial holds one destination.");
    this.#text += part;
  }

  finish(): Result<CallScript, ScriptFault> {
    const verb = this.#verb;
    if (!verb) return faultAt(1, 1, "Response is empty: it holds Dial or Hangup.");
    if (verb.name === "Hangup") {
      const spoken = readSpokenText(this.#text, SPOKEN_TEXT_MAX);
      return spoken.ok ? ok({ kind: "hangUp", text: spoken.value }) : faultAt(verb.line, verb.column, spoken.refusal);
    }
    const text = this.#text.trim();
    const destination = this.#readDestination(text);
    if (!destination.ok) {
      return faultAt(verb.line, verb.column, text === "" ? "Dial names no destination." : destination.refusal);
    }
    return ok({ kind: "dial", to: destination.value, record: this.#record });
  }
}
