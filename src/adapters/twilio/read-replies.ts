// Reads the TwiML with which a receiver answers an inbound message, as far as it requests replies.
//
//   <Response><Message>Thanks!</Message></Response>
//   <Response><Message><Body>Look:</Body><Media>https://example.com/cat.jpg</Media></Message></Response>
//   <Response/>, and no answer at all: no reply
//
// Total and bounded, like the reader of call scripts. If an answer asks for anything else, all of it is refused, so
// that nothing is done by half. An answer that does not begin with `<` is not TwiML: many receivers answer `ok`.

import type { SaxesTagPlain } from "saxes";
import { ok, type Result } from "../../base/result.ts";
import { parseScriptXml, type ScriptFault, type ScriptParts, type ScriptPlace } from "../../base/script-xml.ts";
import { tableOf } from "../../base/table.ts";
import { MEDIA_MAX, type Reply } from "../../domain/messaging/index.ts";

/** How many replies one answer may request. */
export const REPLIES_MAX = 10;

const OPENING = /^[\uFEFF\s]*</;

export function readReplies(bytes: Uint8Array): Result<readonly Reply[], ScriptFault> {
  const isXml = OPENING.test(new TextDecoder().decode(bytes.subarray(0, 64)));
  return isXml ? parseScriptXml(bytes, (place) => new ReplyReading(place)) : ok([]);
}

/** What an element may contain; `""` is the document. */
const CHILDREN = tableOf<readonly string[]>({
  "": ["Response"],
  Response: ["Message"],
  Message: ["Body", "Media"],
});
const TEXT_ALLOWED = new Set(["Message", "Body", "Media"]);

class ReplyReading implements ScriptParts<readonly Reply[]> {
  readonly #place: ScriptPlace;
  readonly #open: string[] = [];
  readonly #replies: { text: string; readonly mediaUrls: string[] }[] = [];

  constructor(place: ScriptPlace) {
    this.#place = place;
  }

  enter({ name, attributes }: SaxesTagPlain): void {
    const parent = this.#open.at(-1) ?? "";
    const allowed = CHILDREN.get(parent) ?? [];
    if (!allowed.includes(name)) {
      this.#place.fail(
        allowed.length === 0
          ? `${parent} holds text alone here.`
          : `${name} is not carried out here: what stands in ${parent || "the document"} is ${allowed.join(" or ")}.`,
      );
    }
    const [attribute] = Object.keys(attributes);
    if (attribute !== undefined) this.#place.fail(`${attribute} of ${name} is not carried out here.`);
    if (name === "Message") {
      if (this.#replies.length === REPLIES_MAX) this.#place.fail(`${REPLIES_MAX} messages are the most.`);
      this.#replies.push({ text: "", mediaUrls: [] });
    }
    const media = this.#replies.at(-1)?.mediaUrls;
    if (name === "Media" && media && media.push("") > MEDIA_MAX) this.#place.fail(`${MEDIA_MAX} media are the most.`);
    this.#open.push(name);
  }

  leave(): void {
    this.#open.pop();
  }

  take(part: string): void {
    const element = this.#open.at(-1) ?? "";
    if (!TEXT_ALLOWED.has(element)) {
      if (part.trim() === "") return;
      this.#place.fail(`${element || "TwiML"} holds no text of its own.`);
    }
    const reply = this.#replies.at(-1);
    if (!reply) return;
    if (element === "Media") reply.mediaUrls.push((reply.mediaUrls.pop() ?? "") + part.trim());
    else reply.text += part;
  }

  finish(): Result<readonly Reply[], ScriptFault> {
    return ok(this.#replies.map(({ text, mediaUrls }) => ({ text: text.trim(), mediaUrls })));
  }
}
