// The program that comes with an order or a redirection: as a text, or as a URL that is asked when it is time.

import { ok, type Result, refused } from "../../base/result.ts";
import type { DestinationReader } from "../../base/script-xml.ts";
import type { PayloadShape } from "../events.ts";
import type { ScriptReader, UrlReader } from "./read-program.ts";
import type { OrderedProgram, ScriptDocument } from "./script.ts";

/** Whether a URL may be asked, as far as its text shows. */
export type CheckUrl = (url: string) => Result<unknown, string>;

export interface GivenText {
  readonly text: string;
  readonly shape: PayloadShape;
  readonly read: ScriptReader;
  readonly readDestination: DestinationReader;
  readonly checkUrl: CheckUrl;
}

/** A text has no URL of its own, so what it asks for is named in full. The refusal says where and why. */
export function programOfText(given: GivenText): Result<OrderedProgram, string> {
  const { text, shape, read, readDestination, checkUrl } = given;
  const readUrl: UrlReader = (url) => {
    if (!URL.canParse(url)) return refused("A program of an order has no URL of its own: name the whole URL to ask.");
    const whole = withoutFragment(url);
    const checked = checkUrl(whole);
    return checked.ok ? ok(whole) : checked;
  };
  const script = read(new TextEncoder().encode(text), readDestination, { readUrl });
  if (script.ok) return ok({ script: script.value, source: { document: { url: "", method: "POST" }, shape } });
  const { line, column, reason } = script.refusal;
  return refused(`Line ${line}, column ${column}: ${reason}`);
}

/** Of URLs that have been checked. */
export function programAt(
  asked: ScriptDocument,
  shape: PayloadShape,
  otherwise?: ScriptDocument | undefined,
): OrderedProgram {
  const document = { ...asked, url: withoutFragment(asked.url) };
  const fallback = otherwise && { ...otherwise, url: withoutFragment(otherwise.url) };
  return { script: [{ kind: "redirect", document }], source: { document, shape, ...(fallback && { fallback }) } };
}

function withoutFragment(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return url.href;
}
