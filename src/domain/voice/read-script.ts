// Reads a call script: the XML that answers an inbound-call webhook.
//
//   <Response><Dial Record="true">+14155550100</Dial></Response>     also <Dial><Number>…, <Dial><Sip>…
//   <Response><Hangup>Goodbye.</Hangup></Response>                   without text: at once
//
// Total and bounded: any bytes give a script or a refusal with the place of the fault. No DTD, no entities beyond the
// five, one root; whatever is not named above is invalid.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import { ok, type Result, refused } from "../../base/result.ts";
import { readSpokenText, SPOKEN_TEXT_MAX } from "./spoken-text.ts";

export type CallScript =
  | {
      readonly kind: "dial";
      readonly to: string /** Null: as the number's settings say. */;
      readonly record: boolean | null;
    }
  /** Empty: at once. */
  | { readonly kind: "hangUp"; readonly text: string };

export interface ScriptFault {
  readonly reason: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export const SCRIPT_BYTES_MAX = 16 * 1024;

/** Answers the destination as it is dialled, or why it is none. */
type DestinationReader = (text: string) => Result<string, string>;

export function readScript(bytes: Uint8Array, readDestination: DestinationReader): Result<CallScript, ScriptFault> {
  if (bytes.length > SCRIPT_BYTES_MAX) return faultAt(1, 1, `A script has ${SCRIPT_BYTES_MAX} bytes at most.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return faultAt(1, 1, "The script is not UTF-8.");
  }
  if (text.trim() === "") return faultAt(1, 1, "The script is empty.");
  return new ScriptReading(readDestination).read(text);
}

function faultAt(line: number, column: number, reason: string): { readonly ok: false; readonly refusal: ScriptFault } {
  return refused({ reason, line, column });
}

/** The elements a script may have, by their parent; `""` is the document. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  "": ["Response"],
  Response: ["Dial", "Hangup"],
  Dial: ["Number", "Sip"],
  Hangup: [],
  Number: [],
  Sip: [],
};
const TEXT_ALLOWED = new Set(["Dial", "Hangup", "Number", "Sip"]);

class ScriptFailure extends Error {
  readonly fault: ScriptFault;
  constructor(fault: ScriptFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

class ScriptReading {
  readonly #parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  readonly #readDestination: DestinationReader;
  readonly #open: string[] = [];
  #verb: { readonly name: string; readonly line: number; readonly column: number } | undefined;
  #record: boolean | null = null;
  /** The text of the verb: before, inside and after a child element of it. */
  #text = "";
  #hasChild = false;

  constructor(readDestination: DestinationReader) {
    this.#readDestination = readDestination;
  }

  read(text: string): Result<CallScript, ScriptFault> {
    const parser = this.#parser;
    // saxes reports faults through this callback and goes on otherwise.
    parser.on("error", (error) => this.#fail(error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, "")));
    parser.on("doctype", () => this.#fail("A script must not have a DTD."));
    parser.on("processinginstruction", () => this.#fail("A script must not have processing instructions."));
    parser.on("opentag", (tag) => this.#enter(tag));
    parser.on("closetag", () => void this.#open.pop());
    parser.on("text", (part) => this.#take(part));
    parser.on("cdata", (part) => this.#take(part));
    try {
      parser.write(text).close();
      return this.#script();
    } catch (fault) {
      if (fault instanceof ScriptFailure) return refused(fault.fault);
      throw fault;
    }
  }

  #enter({ name, attributes }: SaxesTagPlain): void {
    const parent = this.#open.at(-1) ?? "";
    if (!CHILDREN[parent]?.includes(name)) {
      const allowed = CHILDREN[parent] ?? [];
      const what = parent === "" ? "The root of a script" : `What stands in ${parent}`;
      this.#fail(
        allowed.length === 0 ? `${parent} holds text alone.` : `${what} is ${allowed.join(" or ")}, not ${name}.`,
      );
    }
    if (parent === "Response") this.#enterVerb(name, attributes);
    else if (Object.keys(attributes).length > 0) this.#fail(`${name} has no attributes.`);
    if (parent === "Dial") {
      if (this.#hasChild || this.#text.trim() !== "") this.#fail("Dial holds one destination.");
      this.#hasChild = true;
    }
    this.#open.push(name);
  }

  #enterVerb(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#verb) this.#fail("A script holds one instruction: Dial or Hangup.");
    this.#verb = { name, line: this.#parser.line, column: this.#column() };
    for (const [attribute, value] of Object.entries(attributes)) {
      if (name !== "Dial" || attribute !== "Record") this.#fail(`${name} has no attribute ${attribute}.`);
      if (!/^(?:true|false)$/i.test(value)) this.#fail('Record is "true" or "false".');
      this.#record = value.toLowerCase() === "true";
    }
  }

  #take(part: string): void {
    const element = this.#open.at(-1) ?? "";
    if (part.trim() === "" && element !== "Hangup") return;
    if (!TEXT_ALLOWED.has(element)) this.#fail(`${element === "" ? "A script" : element} holds no text of its own.`);
    if (element === "Dial" && this.#hasChild) this.#fail("Dial holds one destination.");
    this.#text += part;
  }

  #script(): Result<CallScript, ScriptFault> {
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

  #column(): number {
    return this.#parser.column;
  }

  #fail(reason: string): never {
    throw new ScriptFailure({ reason, line: this.#parser.line, column: Math.max(1, this.#column()) });
  }
}
