// Reads the XML of a program, in whatever language it is: what verbs, nouns and attributes a language has is a table
// (`ScriptLanguage`); what they mean stands here, once.
//
// Total and bounded: any bytes give a program or a refusal with the place of the fault. What a language does not have
// is refused by its name, so that no call silently does something else.

import type { Result } from "../../base/result.ts";
import {
  childrenOf,
  type DestinationReader,
  failAt,
  readScriptXml,
  type ScriptElement,
  type ScriptFault,
  textOf,
} from "../../base/script-xml.ts";
import { tableOf } from "../../base/table.ts";
import { CALL_SECONDS_MAX, RING_SECONDS } from "./call.ts";
import { PAUSE_SECONDS_MAX, TIMES_MAX } from "./program.ts";
import { readSpokenText, SPOKEN_TEXT_MAX } from "./spoken-text.ts";

/** What a script requests, in order. */
export type CallScript = readonly ScriptInstruction[];

export type ScriptInstruction =
  | {
      readonly kind: "say";
      readonly text: string;
      readonly times?: number | undefined;
      readonly voice?: VoiceUse | undefined;
    }
  | { readonly kind: "pause"; readonly seconds: number }
  | {
      readonly kind: "dial";
      readonly to: string;
      /** Null: as in the number's settings. */
      readonly record: boolean | null;
      /** How long the party may ring, and how long the parties may be connected; absent: the defaults. */
      readonly ringSeconds?: number | undefined;
      readonly maxSeconds?: number | undefined;
    }
  /** A call that is not answered yet is rejected, as busy or not. */
  | { readonly kind: "hangUp"; readonly isBusy?: boolean | undefined };

/** The voice that a script requests, and the one that speaks. */
export interface VoiceUse {
  readonly asked: string;
  readonly spokenBy: string;
}

/** Reads scripts of one language. */
export type ScriptReader = (bytes: Uint8Array, readDestination: DestinationReader) => Result<CallScript, ScriptFault>;

/** What attributes and texts have said about a verb. */
interface Wishes {
  record?: boolean;
  ringSeconds?: number;
  maxSeconds?: number;
  seconds?: number;
  times?: number;
  voice?: VoiceUse;
  isBusy?: boolean;
}

/** Takes the value, or returns why it is not accepted. */
export type Attribute = (wishes: Wishes, value: string) => string | undefined;

interface ScriptLanguage {
  /** The attributes of each verb and noun. Verbs of `VERBS` that are not named here do not exist in the language. */
  readonly elements: Readonly<Record<string, Readonly<Record<string, Attribute>>>>;
  /** Whether `Hangup` may hold a text that is said before. */
  readonly hangsUpWithText: boolean;
  /** Why a script without instructions is refused; undefined: it hangs up. */
  readonly emptyRefusal?: string | undefined;
  refuseElement(name: string, parent: string, allowed: readonly string[]): string;
  /** `why` is empty where the element has no such attribute. */
  refuseAttribute(element: string, attribute: string, value: string, why: string): string;
}

export function programReader(language: ScriptLanguage): ScriptReader {
  const words = wordsOf(language);
  return (bytes, readDestination) =>
    readScriptXml(bytes, (root) => readRoot({ language, words, readDestination }, root));
}

type Verb = "Dial" | "Say" | "Pause" | "Hangup" | "Reject";

const VERBS: Readonly<Record<Verb, (reading: VerbReading) => CallScript>> = {
  Dial: dialOf,
  Say: sayOf,
  Pause: ({ wishes }) => [{ kind: "pause", seconds: wishes.seconds ?? 1 }],
  Hangup: ({ element }) => [...spokenOf(element, {}), { kind: "hangUp" }],
  Reject: ({ wishes }) => [{ kind: "hangUp", ...(wishes.isBusy && { isBusy: true }) }],
};

/** What an element may contain; `""` is the document. */
const NOUNS: Readonly<Partial<Record<Verb, readonly string[]>>> = { Dial: ["Number", "Sip"] };

interface Words {
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, Attribute>>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly withText: ReadonlySet<string>;
}

interface Reading {
  readonly language: ScriptLanguage;
  readonly words: Words;
  readonly readDestination: DestinationReader;
}

interface VerbReading extends Reading {
  readonly element: ScriptElement;
  readonly wishes: Wishes;
}

function wordsOf({ elements, hangsUpWithText }: ScriptLanguage): Words {
  const verbs = (Object.keys(VERBS) as Verb[]).filter((verb) => Object.hasOwn(elements, verb));
  return {
    attributes: tableOf(
      Object.fromEntries(Object.entries(elements).map(([element, known]) => [element, tableOf(known)])),
    ),
    children: tableOf<readonly string[]>({ "": ["Response"], Response: verbs, ...NOUNS }),
    withText: new Set(["Dial", "Say", "Number", "Sip", ...(hangsUpWithText ? ["Hangup"] : [])]),
  };
}

function readRoot(reading: Reading, root: ScriptElement): CallScript {
  check(reading, root, "");
  const program = childrenOf(root).flatMap((element) => {
    const wishes: Wishes = {};
    checkDeep(reading, element, "Response", wishes);
    return VERBS[element.name as Verb]({ ...reading, element, wishes });
  });
  const { emptyRefusal } = reading.language;
  return childrenOf(root).length === 0 && emptyRefusal !== undefined ? failAt(root, emptyRefusal) : program;
}

/** Refuses an element that has no place here, and takes its attributes. */
function check({ language, words }: Reading, element: ScriptElement, parent: string, wishes: Wishes = {}): void {
  const { name, attributes, content } = element;
  const allowed = words.children.get(parent) ?? [];
  if (!allowed.includes(name)) failAt(element, language.refuseElement(name, parent, allowed));
  for (const [attribute, value] of Object.entries(attributes)) {
    const take = words.attributes.get(name)?.get(attribute);
    const why = take ? take(wishes, value) : "";
    if (why !== undefined) failAt(element, language.refuseAttribute(name, attribute, value, why));
  }
  const hasText = content.some((part) => typeof part === "string" && part.trim() !== "");
  if (hasText && !words.withText.has(name)) failAt(element, `${name} holds no text of its own.`);
}

function checkDeep(reading: Reading, element: ScriptElement, parent: string, wishes: Wishes): void {
  check(reading, element, parent, wishes);
  for (const child of childrenOf(element)) checkDeep(reading, child, element.name, wishes);
}

function dialOf({ element, wishes, readDestination }: VerbReading): CallScript {
  const children = childrenOf(element);
  const own = textOf(element).trim();
  if (children.length > 1 || (children.length === 1 && own !== "")) failAt(element, "Dial holds one destination here.");
  const text = children[0] ? textOf(children[0]).trim() : own;
  const read = readDestination(text);
  if (!read.ok) return failAt(element, text === "" ? "Dial names no destination." : read.refusal);
  const { record = null, ringSeconds, maxSeconds } = wishes;
  return [
    {
      kind: "dial",
      to: read.value,
      record,
      ...(ringSeconds !== undefined && { ringSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
    },
  ];
}

function sayOf({ element, wishes }: VerbReading): CallScript {
  return spokenOf(element, wishes);
}

/** An empty text is not said. */
function spokenOf(element: ScriptElement, { times, voice }: Wishes): CallScript {
  const spoken = readSpokenText(textOf(element), SPOKEN_TEXT_MAX);
  if (!spoken.ok) return failAt(element, spoken.refusal);
  if (spoken.value === "") return [];
  return [{ kind: "say", text: spoken.value, ...(times !== undefined && { times }), ...(voice && { voice }) }];
}

function whole(value: string, min: number, max: number): number | undefined {
  const number = /^\d{1,6}$/.test(value) ? Number(value) : -1;
  return number >= min && number <= max ? number : undefined;
}

function secondsOf(name: "ringSeconds" | "maxSeconds" | "seconds", min: number, max: number): Attribute {
  return (wishes, value) => {
    const seconds = whole(value, min, max);
    if (seconds === undefined) return `${min} to ${max} seconds are allowed`;
    wishes[name] = seconds;
    return undefined;
  };
}

/** Attributes that mean the same in every language that has them. */
export const ATTRIBUTES = {
  timeout: secondsOf("ringSeconds", RING_SECONDS.min, RING_SECONDS.max),
  timeLimit: secondsOf("maxSeconds", 1, CALL_SECONDS_MAX),
  length: secondsOf("seconds", 1, PAUSE_SECONDS_MAX),
  /** 0: without end. */
  loop(wishes: Wishes, value: string) {
    const times = whole(value, 0, TIMES_MAX);
    if (times === undefined) return `0 to ${TIMES_MAX} times are allowed`;
    if (times !== 1) wishes.times = times === 0 ? TIMES_MAX : times;
    return undefined;
  },
  reason(wishes: Wishes, value: string) {
    if (value !== "rejected" && value !== "busy") return "rejected and busy are allowed";
    wishes.isBusy = value === "busy";
    return undefined;
  },
} as const satisfies Readonly<Record<string, Attribute>>;
