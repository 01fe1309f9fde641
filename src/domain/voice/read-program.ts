// Reads the XML of a program, in whatever language it is: what verbs, nouns and attributes a language has is a table
// (`ScriptLanguage`); what they mean stands here, once.
//
// Total and bounded: any bytes give a program or a refusal with the place of the fault. What a language does not have
// is refused by its name, so that no call silently does something else.

import { ok, type Result } from "../../base/result.ts";
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
import {
  CALLEES_MAX,
  DIGITS_MAX,
  GATHER_SECONDS,
  PAUSE_SECONDS_MAX,
  PRESSED_MAX,
  RECORD_FINISH_KEYS,
  RECORD_SECONDS,
  RECORD_SILENCE_SECONDS,
  TIMES_MAX,
} from "./program.ts";
import { CONFERENCE_ATTRIBUTES, type ConferenceWishes, conferenceOrder } from "./read-conference.ts";
import { linearRateOf, readStreamUrl, STREAM_ATTRIBUTES, type StreamWishes, whyNoParameters } from "./read-stream.ts";
import type { CallScript, ScriptCallee, ScriptDocument, ScriptPrompt, VoiceUse } from "./script.ts";
import { readSpokenText, SPOKEN_TEXT_MAX } from "./spoken-text.ts";
import type { StreamOrder, StreamParameter } from "./stream.ts";

/** Reads scripts of one language. */
export type ScriptReader = (
  bytes: Uint8Array,
  readDestination: DestinationReader,
  more?: DocumentTerms,
) => Result<CallScript, ScriptFault>;

/** What depends on where a script comes from. */
interface DocumentTerms {
  /** Without it, URLs are left as they stand. */
  readonly readUrl?: UrlReader;
  readonly bytesMax?: number;
}

/** Returns the absolute URL, or why it cannot be asked. An empty text means the current document. */
export type UrlReader = (text: string) => Result<string, string>;

/** What attributes and texts have said about a verb. */
interface Wishes {
  record?: boolean;
  ringSeconds?: number;
  maxSeconds?: number;
  seconds?: number;
  times?: number;
  voice?: VoiceUse;
  isBusy?: boolean;
  url?: string;
  method?: ScriptDocument["method"];
  keys?: string;
  endsOnStar?: boolean;
  callerId?: string;
  answersOnBridge?: boolean;
  digitsMax?: number;
  finishKeys?: string;
  asksWithoutDigits?: boolean;
  stream?: StreamWishes;
  conference?: ConferenceWishes;
  silenceSeconds?: number;
  beeps?: boolean;
  callbackUrl?: string;
}

/** Takes the value, or returns why it is not accepted, and what to do instead. */
export type Attribute = (wishes: Wishes, value: string) => string | AdvisedRefusal | undefined;

interface AdvisedRefusal {
  readonly why: string;
  readonly advice: string;
}

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
  return (bytes, readDestination, { readUrl = asItStands, bytesMax } = {}) =>
    readScriptXml(bytes, (root) => readRoot({ language, words, readDestination, readUrl }, root), bytesMax);
}

const asItStands: UrlReader = (text) => ok(text);

type Verb =
  | "Dial"
  | "Say"
  | "Play"
  | "Pause"
  | "Gather"
  | "Record"
  | "Connect"
  | "Start"
  | "Stop"
  | "Redirect"
  | "Hangup"
  | "Reject";

const VERBS: Readonly<Record<Verb, (reading: VerbReading) => CallScript>> = {
  Dial: dialOf,
  Say: ({ element, wishes }) => spokenOf(element, wishes),
  Play: playOf,
  Pause: ({ wishes }) => [{ kind: "pause", seconds: wishes.seconds ?? 1 }],
  Gather: gatherOf,
  Connect: connectOf,
  Start: (reading) => [{ kind: "startStream", stream: streamOf(reading, onlyStreamOf(reading)) }],
  Stop: stopOf,
  Record: recordOf,
  Redirect: (reading) => [
    { kind: "redirect", document: documentOf(reading, textOf(reading.element).trim(), reading.wishes.method) },
  ],
  Hangup: ({ element }) => [...spokenOf(element, {}), { kind: "hangUp" }],
  Reject: ({ wishes }) => [{ kind: "hangUp", ...(wishes.isBusy && { isBusy: true }) }],
};

/** What a verb may contain beside text. */
const NOUNS: Readonly<Partial<Record<Verb, readonly string[]>>> = {
  Dial: ["Number", "Sip", "Conference"],
  Gather: ["Say", "Play", "Pause"],
  Connect: ["Stream"],
  Start: ["Stream"],
  Stop: ["Stream"],
};

interface Words {
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, Attribute>>;
  /** What an element may contain; `""` is the document. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly withText: ReadonlySet<string>;
}

interface Reading {
  readonly language: ScriptLanguage;
  readonly words: Words;
  readonly readDestination: DestinationReader;
  readonly readUrl: UrlReader;
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
    children: tableOf<readonly string[]>({ "": ["Response"], Response: verbs, ...NOUNS, Stream: ["Parameter"] }),
    withText: new Set([
      "Dial",
      "Say",
      "Play",
      "Redirect",
      "Number",
      "Sip",
      "Conference",
      ...(hangsUpWithText ? ["Hangup"] : []),
    ]),
  };
}

function readRoot(reading: Reading, root: ScriptElement): CallScript {
  checkPlace(reading, root, "");
  check(reading, root);
  const program = childrenOf(root).flatMap((element) => readVerb(reading, element));
  const { emptyRefusal } = reading.language;
  return childrenOf(root).length === 0 && emptyRefusal !== undefined ? failAt(root, emptyRefusal) : program;
}

/** Takes the attributes of an element, and refuses what it may not contain. */
function check({ language, words }: Reading, element: ScriptElement, wishes: Wishes = {}): void {
  const { name, attributes, content } = element;
  for (const [attribute, value] of Object.entries(attributes)) {
    const take = words.attributes.get(name)?.get(attribute);
    const refusal = take ? take(wishes, value) : "";
    if (refusal === undefined) continue;
    const { why, advice } = typeof refusal === "string" ? { why: refusal, advice: undefined } : refusal;
    failAt(element, language.refuseAttribute(name, attribute, value, why), advice);
  }
  for (const part of content) {
    if (typeof part !== "string") checkPlace({ language, words }, part, name);
    else if (part.trim() !== "" && !words.withText.has(name)) failAt(element, `${name} holds no text of its own.`);
  }
}

function checkPlace({ language, words }: Pick<Reading, "language" | "words">, element: ScriptElement, parent: string) {
  const allowed = words.children.get(parent) ?? [];
  if (!allowed.includes(element.name)) failAt(element, language.refuseElement(element.name, parent, allowed));
}

function readVerb(reading: Reading, element: ScriptElement): CallScript {
  const wishes: Wishes = {};
  check(reading, element, wishes);
  return VERBS[element.name as Verb]({ ...reading, element, wishes });
}

function documentOf(
  { element, readUrl }: VerbReading,
  text: string,
  method: ScriptDocument["method"] = "POST",
): ScriptDocument {
  const url = readUrl(text);
  return url.ok ? { url: url.value, method } : failAt(element, url.refusal);
}

/** Keys that are sent, or a sound. */
function playOf(reading: VerbReading): CallScript {
  const { element, wishes } = reading;
  const text = textOf(element).trim();
  const { keys, times } = wishes;
  if (keys === undefined) {
    if (text === "") failAt(element, "Play names neither digits nor a URL.");
    return [{ kind: "play", url: documentOf(reading, text).url, ...(times !== undefined && { times }) }];
  }
  if (text !== "") failAt(element, "Play has digits or a URL, not both.");
  if (times !== undefined) failAt(element, "Play sends its digits once: loop counts with a URL.");
  return [{ kind: "press", keys }];
}

function promptOf(reading: VerbReading, child: ScriptElement): readonly ScriptPrompt[] {
  return readVerb(reading, child).map((one) =>
    one.kind === "say" || one.kind === "play" || one.kind === "pause" ? one : failAt(child, "Keys are not sent here."),
  );
}

function gatherOf(reading: VerbReading): CallScript {
  const { element, wishes } = reading;
  const prompts = childrenOf(element).flatMap((child) => promptOf(reading, child));
  const { url = "", method, digitsMax = DIGITS_MAX, finishKeys = "#" } = wishes;
  const { seconds: timeoutSeconds = GATHER_SECONDS.usual, asksWithoutDigits = false } = wishes;
  const action = documentOf(reading, url, method);
  return [{ kind: "gather", prompts, action, digitsMax, finishKeys, timeoutSeconds, asksWithoutDigits }];
}

function recordOf(reading: VerbReading): CallScript {
  const { url = "", method, callbackUrl, finishKeys = RECORD_FINISH_KEYS, beeps = true } = reading.wishes;
  const { maxSeconds = RECORD_SECONDS.usual, silenceSeconds = RECORD_SILENCE_SECONDS.usual } = reading.wishes;
  const action = documentOf(reading, url, method);
  const told = callbackUrl === undefined ? {} : { callbackUrl: documentOf(reading, callbackUrl).url };
  return [{ kind: "record", action, maxSeconds, silenceSeconds, finishKeys, beeps, ...told }];
}

function dialOf(reading: VerbReading): CallScript {
  const { element, wishes } = reading;
  const children = childrenOf(element);
  if (children.length > 0 && textOf(element).trim() !== "") {
    failAt(element, "Dial holds a destination of its own, or Number and Sip, not both.");
  }
  if (children.some(({ name }) => name === "Conference")) return conferOf(reading, children);
  if (children.length > CALLEES_MAX) failAt(element, `Dial calls ${CALLEES_MAX} parties at once at most.`);
  const [callee, ...others] =
    children.length === 0
      ? [calleeOf(reading, element, element)]
      : children.map((child) => nounOf(reading, child, children.length > 1 ? child : element));
  if (!callee) return [];
  const { record = null, ringSeconds, maxSeconds, endsOnStar, callerId, answersOnBridge, url, method } = wishes;
  return [
    {
      kind: "dial",
      ...callee,
      ...(others.length > 0 && { others }),
      record,
      ...(ringSeconds !== undefined && { ringSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
      ...(endsOnStar && { endsOnStar }),
      ...(callerId !== undefined && { callerId }),
      ...(answersOnBridge && { answersOnBridge }),
      ...(url !== undefined && { action: documentOf(reading, url, method) }),
    },
  ];
}

/** What is about ringing has no effect: no party is dialled. */
function conferOf(reading: VerbReading, [noun, ...more]: readonly ScriptElement[]): CallScript {
  const { element, wishes } = reading;
  if (!noun || more.length > 0) return failAt(element, "A Conference is alone in its Dial.");
  if (wishes.record) failAt(element, "A Dial with a Conference is not recorded: record of the Conference is.");
  const { maxSeconds, endsOnStar, url, method } = wishes;
  const own: Wishes = {};
  check(reading, noun, own);
  const conference = conferenceOrder(textOf(noun), own.conference, reading.readUrl);
  if (!conference.ok) return failAt(noun, conference.refusal);
  return [
    {
      kind: "confer",
      conference: conference.value,
      ...(maxSeconds !== undefined && { maxSeconds }),
      ...(endsOnStar && { endsOnStar }),
      ...(url !== undefined && { action: documentOf(reading, url, method) }),
    },
  ];
}

function nounOf(reading: VerbReading, noun: ScriptElement, place: ScriptElement): ScriptCallee {
  const wishes: Wishes = {};
  check(reading, noun, wishes);
  const callee = calleeOf(reading, noun, place);
  const { url, method } = wishes;
  if (url === undefined) return method ? failAt(noun, `${noun.name} has a method, and no URL.`) : callee;
  return { ...callee, whisper: documentOf({ ...reading, element: noun }, url, method) };
}

/** Of a noun, or of a Dial whose text is the destination. */
function calleeOf({ readDestination }: VerbReading, noun: ScriptElement, place: ScriptElement): ScriptCallee {
  const text = textOf(noun).trim();
  const read = readDestination(text);
  if (!read.ok) return failAt(place, text === "" ? `${place.name} names no destination.` : read.refusal);
  return { to: read.value };
}

function connectOf(reading: VerbReading): CallScript {
  const { url, method } = reading.wishes;
  const action = url === undefined ? undefined : documentOf(reading, url, method);
  const element = onlyStreamOf(reading);
  const stream = streamOf(reading, element);
  if (stream.tracks !== "inbound") failAt(element, "The Stream of Connect has the inbound track alone.");
  return [{ kind: "connect", stream, ...(action && { action }) }];
}

function stopOf(reading: VerbReading): CallScript {
  const element = onlyStreamOf(reading);
  const wishes: Wishes = {};
  check(reading, element, wishes);
  const { name = "", ...others } = wishes.stream ?? {};
  if (name === "" || Object.keys(others).length > 0 || childrenOf(element).length > 0) {
    failAt(element, "The Stream of Stop has its name, and nothing else.");
  }
  return [{ kind: "stopStream", name }];
}

function onlyStreamOf({ element }: VerbReading): ScriptElement {
  const [child, ...more] = childrenOf(element);
  return child && more.length === 0 ? child : failAt(element, `${element.name} holds one Stream.`);
}

function streamOf(reading: Reading, element: ScriptElement): StreamOrder {
  const wishes: Wishes = {};
  check(reading, element, wishes);
  const { url = "", name = "", tracks = "inbound", callbackUrl } = wishes.stream ?? {};
  const read = readStreamUrl(url, reading.readUrl);
  if (!read.ok) return failAt(element, read.refusal);
  const parameters = childrenOf(element).map((child) => parameterOf(reading, child));
  const why = whyNoParameters(parameters);
  if (why !== undefined) failAt(element, why);
  const rate = linearRateOf(wishes.stream ?? {}, tracks);
  if (!rate.ok) return failAt(element, rate.refusal);
  const callback = callbackUrl === undefined ? undefined : callbackOf(reading, element, callbackUrl);
  return {
    ...{ url: read.value, name, tracks, parameters },
    ...(rate.value !== undefined && { linearRate: rate.value }),
    ...(callback !== undefined && { callbackUrl: callback }),
  };
}

function callbackOf({ readUrl }: Reading, element: ScriptElement, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") failAt(element, "The status callback of Stream names no URL.");
  const url = readUrl(trimmed);
  return url.ok ? url.value : failAt(element, url.refusal);
}

function parameterOf(reading: Reading, element: ScriptElement): StreamParameter {
  const wishes: Wishes = {};
  check(reading, element, wishes);
  const { name = "", value = "" } = wishes.stream ?? {};
  return name === "" ? failAt(element, "Parameter has no name.") : [name, value];
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

function secondsOf(
  name: "ringSeconds" | "maxSeconds" | "seconds" | "silenceSeconds",
  min: number,
  max: number,
): Attribute {
  return (wishes, value) => {
    const seconds = whole(value, min, max);
    if (seconds === undefined) return `${min} to ${max} seconds are allowed`;
    wishes[name] = seconds;
    return undefined;
  };
}

function flag(name: "asksWithoutDigits" | "endsOnStar" | "answersOnBridge" | "beeps"): Attribute {
  return (wishes, value) => {
    if (!/^(?:true|false)$/i.test(value)) return "true and false are allowed";
    wishes[name] = value.toLowerCase() === "true";
    return undefined;
  };
}

const CALLER_ID_MAX = 64;
const PRESSED = new RegExp(`^[0-9A-D*#wW]{1,${PRESSED_MAX}}$`);

/** Attributes that mean the same in every language that has them. */
export const ATTRIBUTES = {
  timeout: secondsOf("ringSeconds", RING_SECONDS.min, RING_SECONDS.max),
  timeLimit: secondsOf("maxSeconds", 1, CALL_SECONDS_MAX),
  length: secondsOf("seconds", 1, PAUSE_SECONDS_MAX),
  keyTimeout: secondsOf("seconds", 1, GATHER_SECONDS.max),
  action(wishes: Wishes, value: string) {
    wishes.url = value.trim();
    return undefined;
  },
  /** What a party hears before it is connected. */
  url(wishes: Wishes, value: string) {
    if (value.trim() === "") return "a URL is allowed";
    wishes.url = value.trim();
    return undefined;
  },
  method(wishes: Wishes, value: string) {
    if (value !== "GET" && value !== "POST") return "GET and POST are allowed";
    wishes.method = value;
    return undefined;
  },
  input: (_wishes: Wishes, value: string) => (value === "dtmf" ? undefined : "dtmf is allowed"),
  numDigits(wishes: Wishes, value: string) {
    const digits = whole(value, 1, DIGITS_MAX);
    if (digits === undefined) return `1 to ${DIGITS_MAX} keys are allowed`;
    wishes.digitsMax = digits;
    return undefined;
  },
  finishOnKey(wishes: Wishes, value: string) {
    if (!/^[0-9*#]?$/.test(value)) return "one key of 0 to 9, * and # is allowed, or none";
    wishes.finishKeys = value;
    return undefined;
  },
  digits(wishes: Wishes, value: string) {
    if (!PRESSED.test(value)) return `1 to ${PRESSED_MAX} of 0 to 9, A to D, *, #, w and W are allowed`;
    wishes.keys = value;
    return undefined;
  },
  ...STREAM_ATTRIBUTES,
  ...CONFERENCE_ATTRIBUTES,
  maxLength: secondsOf("maxSeconds", 1, RECORD_SECONDS.max),
  /** 0: no silence ends the recording. */
  silenceTimeout: secondsOf("silenceSeconds", 0, RECORD_SILENCE_SECONDS.max),
  finishOnKeys(wishes: Wishes, value: string) {
    if (!/^[0-9*#]{0,12}$/.test(value)) return "keys of 0 to 9, * and # are allowed, or none";
    wishes.finishKeys = value;
    return undefined;
  },
  playBeep: flag("beeps"),
  recordingStatusCallback(wishes: Wishes, value: string) {
    const url = value.trim();
    if (url === "") return "a URL is allowed";
    wishes.callbackUrl = url;
    return undefined;
  },
  actionOnEmptyResult: flag("asksWithoutDigits"),
  hangupOnStar: flag("endsOnStar"),
  answerOnBridge: flag("answersOnBridge"),
  /** Whether it may be shown is judged when the document has been read. */
  callerId(wishes: Wishes, value: string) {
    const number = value.trim();
    if (number === "" || number.length > CALLER_ID_MAX) return "a number of the account is allowed";
    wishes.callerId = number;
    return undefined;
  },
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
