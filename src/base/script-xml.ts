// Reads the XML of call scripts, independently of their vocabulary.
//
// Total and bounded: any bytes give what the reader makes of them, or a fault with its position. No DTD, no entities
// other than the five predefined ones, no processing instructions, one root.

import { SaxesParser } from "saxes";
import { ok, type Result, refused } from "./result.ts";

export interface ScriptFault {
  readonly reason: string;
  /** What to do about it, where the reason alone does not say. */
  readonly advice?: string | undefined;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** Of a script that answers a webhook. */
export const SCRIPT_BYTES_MAX = 16 * 1024;
/** Of a document that is fetched while a program runs. */
export const DOCUMENT_BYTES_MAX = 64 * 1024;

/** Returns the destination in its dialled form, or why it is invalid. */
export type DestinationReader = (text: string) => Result<string, string>;

/** An element with its texts and children, in order. */
export interface ScriptElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (string | ScriptElement)[];
  readonly line: number;
  readonly column: number;
}

/** Reads the root element of a script. `read` refuses an element by `failAt`. */
export function readScriptXml<Script>(
  bytes: Uint8Array,
  read: (root: ScriptElement) => Script,
  bytesMax = SCRIPT_BYTES_MAX,
): Result<Script, ScriptFault> {
  if (bytes.length > bytesMax) return faultAt(1, 1, `A script has ${bytesMax} bytes at most.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return faultAt(1, 1, "The script is not UTF-8.");
  }
  if (text.trim() === "") return faultAt(1, 1, "The script is empty.");
  try {
    return ok(read(rootOf(text)));
  } catch (fault) {
    if (fault instanceof ScriptFailure) return refused(fault.fault);
    throw fault;
  }
}

export function failAt(
  { line, column }: Pick<ScriptElement, "line" | "column">,
  reason: string,
  advice?: string,
): never {
  throw new ScriptFailure({ reason, line, column, ...(advice !== undefined && { advice }) });
}

export function childrenOf({ content }: ScriptElement): readonly ScriptElement[] {
  return content.filter((part) => typeof part !== "string");
}

/** The texts of an element without those of its children. */
export function textOf({ content }: ScriptElement): string {
  return content.filter((part) => typeof part === "string").join("");
}

type OpenElement = ScriptElement & { readonly content: (string | ScriptElement)[] };

function rootOf(text: string): ScriptElement {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const here = () => ({ line: parser.line, column: Math.max(1, parser.column) });
  const open: OpenElement[] = [];
  let root: ScriptElement | undefined;
  const take = (part: string) => open.at(-1)?.content.push(part);
  // saxes reports faults only through this callback, and otherwise continues.
  parser.on("error", (error) => failAt(here(), error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, "")));
  parser.on("doctype", () => failAt(here(), "A script must not have a DTD."));
  parser.on("processinginstruction", () => failAt(here(), "A script must not have processing instructions."));
  parser.on("opentag", ({ name, attributes }) => {
    const element: OpenElement = { name, attributes, content: [], ...here() };
    root ??= element;
    open.at(-1)?.content.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", take);
  parser.on("cdata", take);
  parser.write(text).close();
  return root ?? failAt({ line: 1, column: 1 }, "The script has no element.");
}

function faultAt(line: number, column: number, reason: string): { readonly ok: false; readonly refusal: ScriptFault } {
  return refused({ reason, line, column });
}

class ScriptFailure extends Error {
  readonly fault: ScriptFault;
  constructor(fault: ScriptFault) {
    super(fault.reason);
    this.fault = fault;
  }
}
