// Reads the XML of call scripts, independently of their vocabulary.
//
// Total and bounded: any bytes give what the parts make of them, or a fault with its position. No DTD, no entities
// other than the five predefined ones, no processing instructions, one root.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import { type Result, refused } from "./result.ts";

export interface ScriptFault {
  readonly reason: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

export const SCRIPT_BYTES_MAX = 16 * 1024;

/** Returns the destination in its dialled form, or why it is invalid. */
export type DestinationReader = (text: string) => Result<string, string>;

/** The parser's current position. */
export interface ScriptPlace {
  readonly here: () => { readonly line: number; readonly column: number };
  readonly fail: (reason: string) => never;
}

/** Receives the elements and texts of a script in order. */
export interface ScriptParts<Script> {
  enter(tag: SaxesTagPlain): void;
  leave(): void;
  take(text: string): void;
  finish(): Result<Script, ScriptFault>;
}

export function parseScriptXml<Script>(
  bytes: Uint8Array,
  begin: (place: ScriptPlace) => ScriptParts<Script>,
): Result<Script, ScriptFault> {
  if (bytes.length > SCRIPT_BYTES_MAX) return faultAt(1, 1, `A script has ${SCRIPT_BYTES_MAX} bytes at most.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return faultAt(1, 1, "The script is not UTF-8.");
  }
  if (text.trim() === "") return faultAt(1, 1, "The script is empty.");
  try {
    return parse(text, begin);
  } catch (fault) {
    if (fault instanceof ScriptFailure) return refused(fault.fault);
    throw fault;
  }
}

function parse<Script>(text: string, begin: (place: ScriptPlace) => ScriptParts<Script>): Result<Script, ScriptFault> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const fail = (reason: string): never => {
    throw new ScriptFailure({ reason, line: parser.line, column: Math.max(1, parser.column) });
  };
  const parts = begin({ here: () => ({ line: parser.line, column: parser.column }), fail });
  // saxes reports faults only through this callback, and otherwise continues.
  parser.on("error", (error) => fail(error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, "")));
  parser.on("doctype", () => fail("A script must not have a DTD."));
  parser.on("processinginstruction", () => fail("A script must not have processing instructions."));
  parser.on("opentag", (tag) => parts.enter(tag));
  parser.on("closetag", () => parts.leave());
  parser.on("text", (part) => parts.take(part));
  parser.on("cdata", (part) => parts.take(part));
  parser.write(text).close();
  return parts.finish();
}

export function faultAt(
  line: number,
  column: number,
  reason: string,
): { readonly ok: false; readonly refusal: ScriptFault } {
  return refused({ reason, line, column });
}

class ScriptFailure extends Error {
  readonly fault: ScriptFault;
  constructor(fault: ScriptFault) {
    super(fault.reason);
    this.fault = fault;
  }
}
