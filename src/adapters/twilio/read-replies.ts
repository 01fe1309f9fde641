// Reads the TwiML with which a receiver answers an inbound message, as far as it requests replies.
//
//   <Response><Message>Thanks!</Message></Response>
//   <Response><Message><Body>Look:</Body><Media>https://example.com/cat.jpg</Media></Message></Response>
//   <Response/>, and no answer at all: no reply
//
// Total and bounded, like the reader of call scripts. If an answer asks for anything else, all of it is refused, so
// that nothing is done by half. An answer that does not begin with `<` is not TwiML: many receivers answer `ok`.

import { ok, type Result } from "../../base/result.ts";
import { childrenOf, failAt, readScriptXml, type ScriptElement, type ScriptFault } from "../../base/script-xml.ts";
import { tableOf } from "../../base/table.ts";
import { MEDIA_MAX, type Reply } from "../../domain/messaging/index.ts";

/** How many replies one answer may request. */
export const REPLIES_MAX = 10;

const OPENING = /^[\uFEFF\s]*</;

export function readReplies(bytes: Uint8Array): Result<readonly Reply[], ScriptFault> {
  const isXml = OPENING.test(new TextDecoder().decode(bytes.subarray(0, 64)));
  return isXml ? readScriptXml(bytes, repliesOf) : ok([]);
}

/** What an element may contain; `""` is the document. */
const CHILDREN = tableOf<readonly string[]>({
  "": ["Response"],
  Response: ["Message"],
  Message: ["Body", "Media"],
});
const TEXT_ALLOWED = new Set(["Message", "Body", "Media"]);

function repliesOf(root: ScriptElement): readonly Reply[] {
  checkElement(root, "");
  return childrenOf(root).map((message, at) => {
    if (at === REPLIES_MAX) failAt(message, `${REPLIES_MAX} messages are the most.`);
    return replyOf(message);
  });
}

function replyOf({ content }: ScriptElement): Reply {
  let text = "";
  const mediaUrls: string[] = [];
  for (const part of content) {
    if (typeof part === "string") text += part;
    else if (part.name === "Body") text += part.content.join("");
    else if (mediaUrls.push(part.content.join("").trim()) > MEDIA_MAX) failAt(part, `${MEDIA_MAX} media are the most.`);
  }
  return { text: text.trim(), mediaUrls };
}

/** Refuses an element that is not supported in its place, with all that it contains. */
function checkElement(element: ScriptElement, parent: string): void {
  const { name, attributes, content } = element;
  const allowed = CHILDREN.get(parent) ?? [];
  if (!allowed.includes(name)) {
    failAt(
      element,
      allowed.length === 0
        ? `${parent} holds text alone here.`
        : `${name} is not carried out here: what stands in ${parent || "the document"} is ${allowed.join(" or ")}.`,
    );
  }
  const [attribute] = Object.keys(attributes);
  if (attribute !== undefined) failAt(element, `${attribute} of ${name} is not carried out here.`);
  for (const part of content) {
    if (typeof part !== "string") checkElement(part, name);
    else if (!TEXT_ALLOWED.has(name) && part.trim() !== "") failAt(element, `${name} holds no text of its own.`);
  }
}
