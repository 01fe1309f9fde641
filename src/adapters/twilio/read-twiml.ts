// Reads TwiML into a call script, as far as a call script can do what it asks for.
//
//   <Response><Dial record="true"><Number>+14155550100</Number></Dial></Response>   also <Sip>, and plain text
//   <Response><Say voice="alice">We are closed.</Say><Hangup/></Response>           several Say are one text
//   <Response><Hangup/></Response>, <Response><Reject/></Response>, <Response/>
//
// Total and bounded as call scripts are. Attributes that only colour what is done are ignored (IGNORED); whatever would
// change where the call goes, who is told or what is heard is refused, so that no call silently does something else.

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
import { type CallScript, readSpokenText, SPOKEN_TEXT_MAX } from "../../domain/voice/index.ts";

export function readTwiml(bytes: Uint8Array, readDestination: DestinationReader): Result<CallScript, ScriptFault> {
  return parseScriptXml(bytes, (place) => new TwimlReading(place, readDestination));
}

const VERBS = ["Dial", "Say", "Hangup", "Reject"] as const;
type Verb = (typeof VERBS)[number];

/** What may stand in an element; `""` is the document. */
const CHILDREN = tableOf<readonly string[]>({
  "": ["Response"],
  Response: VERBS,
  Dial: ["Number", "Sip"],
});
const TEXT_ALLOWED = new Set(["Dial", "Say", "Number", "Sip"]);

/** A verb, and those that may come right before it. */
const FOLLOWS: Readonly<Record<Verb, readonly (Verb | undefined)[]>> = {
  Dial: [undefined],
  Say: [undefined, "Say"],
  Hangup: [undefined, "Say", "Dial"],
  Reject: [undefined],
};

const IGNORED = tableOf<readonly string[]>({
  Dial: ["answerOnBridge", "hangupOnStar", "method", "recordingTrack", "ringTone", "timeLimit", "timeout", "trim"],
  Say: ["language", "voice"],
  Reject: ["reason"],
});

const RECORD = tableOf<boolean>({
  true: true,
  false: false,
  "do-not-record": false,
  "record-from-answer": true,
  "record-from-answer-dual": true,
  "record-from-ringing": true,
  "record-from-ringing-dual": true,
});

class TwimlReading implements ScriptParts<CallScript> {
  readonly #place: ScriptPlace;
  readonly #readDestination: DestinationReader;
  readonly #open: string[] = [];
  #first: { readonly verb: Verb; readonly line: number; readonly column: number } | undefined;
  #last: Verb | undefined;
  #record: boolean | null = null;
  /** What is said, or where the call goes. */
  #text = "";
  #hasChild = false;

  constructor(place: ScriptPlace, readDestination: DestinationReader) {
    this.#place = place;
    this.#readDestination = readDestination;
  }

  enter({ name, attributes }: SaxesTagPlain): void {
    const parent = this.#open.at(-1) ?? "";
    const allowed = CHILDREN.get(parent) ?? [];
    if (!allowed.includes(name)) {
      this.#place.fail(
        allowed.length === 0
          ? `${parent} holds text alone here.`
          : `${name} is not carried out here: what stands in ${parent || "the document"} is ${allowed.join(", ")}.`,
      );
    }
    const verb = parent === "Response" ? VERBS.find((known) => known === name) : undefined;
    if (verb) this.#enterVerb(verb);
    if (parent === "Dial") {
      if (this.#hasChild || this.#text.trim() !== "") this.#place.fail("Dial holds one destination here.");
      this.#hasChild = true;
    }
    for (const [attribute, value] of Object.entries(attributes)) this.#takeAttribute(name, attribute, value);
    this.#open.push(name);
  }

  #enterVerb(verb: Verb): void {
    if (!FOLLOWS[verb].includes(this.#last)) this.#place.fail(`${verb} cannot follow ${this.#last} here.`);
    this.#first ??= { verb, ...this.#place.here() };
    if (this.#last === "Say" && verb === "Say") this.#text += " ";
    this.#last = verb;
  }

  #takeAttribute(element: string, attribute: string, value: string): void {
    if (IGNORED.get(element)?.includes(attribute)) return;
    if (element === "Say" && attribute === "loop" && value === "1") return;
    const record = element === "Dial" && attribute === "record" ? RECORD.get(value) : undefined;
    if (record === undefined) {
      this.#place.fail(`${attribute}="${value.slice(0, 40)}" of ${element} is not carried out here.`);
    } else this.#record = record;
  }

  leave(): void {
    this.#open.pop();
  }

  take(part: string): void {
    const element = this.#open.at(-1) ?? "";
    if (part.trim() === "" && element !== "Say") return;
    if (!TEXT_ALLOWED.has(element)) this.#place.fail(`${element === "" ? "TwiML" : element} holds no text of its own.`);
    if (element === "Dial" && this.#hasChild) this.#place.fail("Dial holds one destination here.");
    this.#text += part;
  }

  finish(): Result<CallScript, ScriptFault> {
    const { verb = "Hangup", line = 1, column = 1 } = this.#first ?? {};
    if (verb !== "Dial") {
      const spoken = readSpokenText(this.#text, SPOKEN_TEXT_MAX);
      return spoken.ok ? ok({ kind: "hangUp", text: spoken.value }) : faultAt(line, column, spoken.refusal);
    }
    const text = this.#text.trim();
    const destination = this.#readDestination(text);
    if (destination.ok) return ok({ kind: "dial", to: destination.value, record: this.#record });
    return faultAt(line, column, text === "" ? "Dial names no destination." : destination.refusal);
  }
}
