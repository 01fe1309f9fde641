// Reads portability from the Contacts with which a SIP redirect server answers (302), in the form of RFC 4694.
//
// Guarantees: any Contacts give a finding or a refusal, never an exception; a finding is only taken from a Contact of
// the number that was asked for, in international or, within North America, in national spelling.

import { callingCodeIn } from "../../../rules/numbers/calling-code.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type PortabilityQuestion, portabilityOf, readSubscriber } from "./portability-uri.ts";
import type { LiveFinding } from "./ports.ts";

const CONTACTS_MAX = 20;

/** `contacts` are URIs, the preferred one first. `unreadable`: none of them could be used. */
export function readContacts(
  question: PortabilityQuestion,
  contacts: readonly string[],
): Result<LiveFinding, "unreadable"> {
  let anyReadable = false;
  for (const uri of contacts.slice(0, CONTACTS_MAX)) {
    const subscriber = readSubscriber(uri);
    const isAsked = subscriber !== undefined && spellingsOf(question.number).includes(subscriber.number);
    const finding = isAsked ? portabilityOf(question, subscriber) : undefined;
    if (finding?.kind === "found") return ok(finding);
    if (finding) anyReadable = true;
  }
  return anyReadable ? ok({ kind: "notFound" }) : refused("unreadable");
}

function spellingsOf(number: string): readonly string[] {
  const digits = number.slice(1);
  return callingCodeIn(number) === "1" ? [number, digits, digits.slice(1)] : [number, digits];
}
