// Reads TwiML into a call script, as far as a call script can do what the TwiML requests.
//
//   <Response><Dial record="true"><Number>+14155550100</Number></Dial></Response>   also <Sip>, and plain text
//   <Response><Say voice="alice">We are closed.</Say><Hangup/></Response>           several Say are one text
//   <Response><Hangup/></Response>, <Response><Reject/></Response>, <Response/>
//
// Total and bounded, like the reader of call scripts. A verb, a noun or an attribute that is not supported is refused
// by its name, so that no call silently does something else. Any voice becomes the one that this server has, which the
// call's `why` reports.

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
import {
  CALL_SECONDS_MAX,
  type CallScript,
  RING_SECONDS,
  readSpokenText,
  type ScriptReader,
  SPOKEN_TEXT_MAX,
} from "../../domain/voice/index.ts";

/** The voice that speaks the text of `Say`. */
export interface Speaker {
  readonly name: string;
  /** Such as `en` or `pt-BR`; null where it is not configured. */
  readonly language: string | null;
}

export function twimlReader(speaker: Speaker): ScriptReader {
  return (bytes, readDestination) =>
    parseScriptXml(bytes, (place) => new TwimlReading(place, readDestination, speaker));
}

const VERBS = ["Dial", "Say", "Hangup", "Reject"] as const;
type Verb = (typeof VERBS)[number];

/** What an element may contain; `""` is the document. */
const CHILDREN = tableOf<readonly string[]>({
  "": ["Response"],
  Response: VERBS,
  Dial: ["Number", "Sip"],
});
const TEXT_ALLOWED = new Set(["Dial", "Say", "Number", "Sip"]);

/** A verb, and those that may directly precede it. */
const FOLLOWS: Readonly<Record<Verb, readonly (Verb | undefined)[]>> = {
  Dial: [undefined],
  Say: [undefined, "Say"],
  Hangup: [undefined, "Say", "Dial"],
  Reject: [undefined],
};

const RECORD = tableOf<boolean>({
  true: true,
  false: false,
  "do-not-record": false,
  "record-from-answer": true,
  "record-from-answer-dual": true,
  "record-from-ringing": true,
  "record-from-ringing-dual": true,
});

/** Twilio's names of voices. */
const VOICE = /^(?:alice|man|woman|(?:Polly|Google)\.[\w-]{1,60})$/i;
const LANGUAGE = /^[a-z]{2,3}(?:-[\w-]{1,20})?$/i;

/** The attributes of a verb that were read. */
interface Wishes {
  record?: boolean;
  ringSeconds?: number;
  maxSeconds?: number;
  voice?: string;
  isBusy?: boolean;
}

/** Takes the value, or returns why it is not supported. */
type Attribute = (wishes: Wishes, value: string, speaker: Speaker) => string | undefined;

const secondsOf = (name: "ringSeconds" | "maxSeconds", min: number, max: number): Attribute => {
  return (wishes, value) => {
    const seconds = /^\d{1,6}$/.test(value) ? Number(value) : 0;
    if (seconds < min || seconds > max) return `${min} to ${max} seconds are allowed`;
    wishes[name] = seconds;
    return undefined;
  };
};

/** The supported attributes, by element; all others are refused. */
export const TWIML_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Attribute>>>> = {
  Dial: {
    record(wishes, value) {
      const record = RECORD.get(value);
      if (record === undefined) return `${[...RECORD.keys()].join(", ")} are allowed`;
      wishes.record = record;
      return undefined;
    },
    timeout: secondsOf("ringSeconds", RING_SECONDS.min, RING_SECONDS.max),
    timeLimit: secondsOf("maxSeconds", 1, CALL_SECONDS_MAX),
  },
  Say: {
    voice(wishes, value) {
      if (!VOICE.test(value)) return "alice, man, woman, Polly.… and Google.… are allowed";
      wishes.voice = value;
      return undefined;
    },
    language(_wishes, value, { name, language }) {
      if (!LANGUAGE.test(value)) return "a language is written en or en-US";
      const isSpoken = language === null || primaryOf(language) === primaryOf(value);
      return isSpoken ? undefined : `the voice here is ${name}, which speaks ${language}`;
    },
    loop: (_wishes, value) => (value === "1" ? undefined : "a text is said once"),
  },
  Reject: {
    reason(wishes, value) {
      if (value !== "rejected" && value !== "busy") return "rejected and busy are allowed";
      wishes.isBusy = value === "busy";
      return undefined;
    },
  },
};

const primaryOf = (language: string) => language.split("-", 1)[0]?.toLowerCase();

const ATTRIBUTES = tableOf(
  Object.fromEntries(Object.entries(TWIML_ATTRIBUTES).map(([element, known]) => [element, tableOf(known)])),
);

class TwimlReading implements ScriptParts<CallScript> {
  readonly #place: ScriptPlace;
  readonly #readDestination: DestinationReader;
  readonly #open: string[] = [];
  #first: { readonly verb: Verb; readonly line: number; readonly column: number } | undefined;
  #last: Verb | undefined;
  readonly #speaker: Speaker;
  readonly #wishes: Wishes = {};
  /** The text to say, or the destination of the call. */
  #text = "";
  #hasChild = false;

  constructor(place: ScriptPlace, readDestination: DestinationReader, speaker: Speaker) {
    this.#place = place;
    this.#readDestination = readDestination;
    this.#speaker = speaker;
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
    const take = ATTRIBUTES.get(element)?.get(attribute);
    const why = take ? take(this.#wishes, value, this.#speaker) : "";
    if (why === undefined) return;
    const told = `${attribute}="${value.slice(0, 40)}" of ${element} is not carried out here`;
    this.#place.fail(why === "" ? `${told}.` : `${told}: ${why}.`);
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
      if (!spoken.ok) return faultAt(line, column, spoken.refusal);
      const { voice: asked, isBusy } = this.#wishes;
      const voice = asked === undefined ? undefined : { asked, spokenBy: this.#speaker.name };
      return ok({ kind: "hangUp", text: spoken.value, ...(voice && { voice }), ...(isBusy && { isBusy }) });
    }
    const text = this.#text.trim();
    const destination = this.#readDestination(text);
    if (destination.ok) {
      const { record = null, ringSeconds, maxSeconds } = this.#wishes;
      const seconds = { ...(ringSeconds && { ringSeconds }), ...(maxSeconds && { maxSeconds }) };
      return ok({ kind: "dial", to: destination.value, record, ...seconds });
    }
    return faultAt(line, column, text === "" ? "Dial names no destination." : destination.refusal);
  }
}
