// REGISTER as a registrar (RFC 3261 10.3) for one address of record: which contacts it has after a request, and the
// answer. Pure and total; the caller has checked by credentials that the address of record is the sender's own.
//
// Guarantees: a request is carried out whole or not at all; a contact lives at most as long as the terms say; there are
// never more contacts than the terms allow, the newest of them; a request that was overtaken changes nothing.

import { parameterOf, parseUri, type SipUri, transportOf, unescaped } from "../../../rules/sip-uri.ts";
import { fieldsOf, numberOf, type SipMessage, valuesOf } from "./message.ts";
import { parseNameAddr } from "./name-addr.ts";
import { parseCount } from "./octets.ts";
import { unquoted } from "./parameters.ts";
import { fieldLine } from "./write.ts";

export interface Binding<Flow> {
  /** As the peer wrote it. */
  readonly text: string;
  readonly uri: SipUri;
  /** RFC 5626 4.1: the same device, at whatever address. */
  readonly instance: string | undefined;
  readonly q: number;
  readonly callId: string;
  readonly cseq: number;
  /** Where the request came from. */
  readonly flow: Flow;
  readonly untilMs: number;
}

export interface RegistrarTerms {
  readonly contactsMax: number;
  readonly secondsMin: number;
  readonly secondsMax: number;
}

export interface Registered<Flow> {
  /** The newest first. */
  readonly bindings: readonly Binding<Flow>[];
  readonly status: number;
  readonly lines: string;
}

interface Contact {
  readonly text: string;
  readonly uri: SipUri;
  readonly instance: string | undefined;
  readonly q: number;
  /** As asked for; 0: it is removed. */
  readonly seconds: number | undefined;
}

type Wish =
  | { readonly kind: "show" }
  | { readonly kind: "clear" }
  | { readonly kind: "bind"; readonly contacts: readonly Contact[] };

const CONTACT_MAX = 512;

export function register<Flow>(
  bindings: readonly Binding<Flow>[],
  message: SipMessage,
  { flow, nowMs }: { readonly flow: Flow; readonly nowMs: number },
  terms: RegistrarTerms,
): Registered<Flow> {
  const wish = wishOf(message);
  if (!wish) return { bindings, status: 400, lines: "" };
  const live = bindings.filter(({ untilMs }) => untilMs > nowMs);
  if (wish.kind === "show") return accepted(live, nowMs);
  const named = wish.kind === "clear" ? live : live.filter((one) => wish.contacts.some((other) => isSame(one, other)));
  // RFC 3261 10.3: a request that was overtaken by a newer one of the same client fails.
  if (named.some(({ callId, cseq }) => callId === message.callId && message.cseq <= cseq)) {
    return { bindings, status: 500, lines: "" };
  }
  const others = live.filter((one) => !named.includes(one));
  if (wish.kind === "clear") return accepted(others, nowMs);
  if (wish.contacts.some(({ seconds }) => seconds !== undefined && seconds > 0 && seconds < terms.secondsMin)) {
    return { bindings, status: 423, lines: `Min-Expires: ${terms.secondsMin}\r\n` };
  }
  const bound = wish.contacts.flatMap(({ seconds = terms.secondsMax, ...contact }) => {
    const untilMs = nowMs + Math.min(seconds, terms.secondsMax) * 1000;
    return seconds === 0 ? [] : [{ ...contact, callId: message.callId, cseq: message.cseq, flow, untilMs }];
  });
  return accepted([...bound, ...others].slice(0, terms.contactsMax), nowMs);
}

function accepted<Flow>(bindings: readonly Binding<Flow>[], nowMs: number): Registered<Flow> {
  const contacts = bindings.map(({ text, untilMs }) =>
    fieldLine("Contact", `<${text}>;expires=${Math.ceil((untilMs - nowMs) / 1000)}`),
  );
  return { bindings, status: 200, lines: contacts.join("") };
}

/** What the request asks for; undefined when it cannot be read. */
function wishOf(message: SipMessage): Wish | undefined {
  if (fieldsOf(message, "contact").length === 0) return { kind: "show" };
  const values = valuesOf(message, "contact");
  const expires = numberOf(message, "expires");
  if (values.includes("*")) return values.length === 1 && expires === 0 ? { kind: "clear" } : undefined;
  const contacts = values.flatMap((value) => contactOf(value, expires) ?? []);
  if (contacts.length === 0 || contacts.length !== values.length) return undefined;
  // Of a device that is named twice, the last counts.
  const last = contacts.filter((one, at) => !contacts.slice(at + 1).some((other) => isSame(one, other)));
  return { kind: "bind", contacts: last };
}

function contactOf(value: string, expires: number | undefined): Contact | undefined {
  const contact = parseNameAddr(value);
  const uri = contact && contact.uri.length <= CONTACT_MAX ? parseUri(contact.uri) : undefined;
  if (!contact || !uri || !("host" in uri)) return undefined;
  const instance = parameterOf(contact.parameters, "+sip.instance");
  const seconds = parameterOf(contact.parameters, "expires");
  return {
    text: contact.uri,
    uri,
    instance: instance ? unquoted(instance) : undefined,
    q: qOf(parameterOf(contact.parameters, "q")),
    seconds: (seconds === undefined ? undefined : parseCount(seconds, 0xffffffff)) ?? expires,
  };
}

function qOf(text = "1"): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 1;
}

/** RFC 3261 19.1.4, by the parts that lead to a device. */
function isSame(one: Pick<Contact, "uri" | "instance">, other: Pick<Contact, "uri" | "instance">): boolean {
  return keyOf(one.uri) === keyOf(other.uri) || (one.instance !== undefined && one.instance === other.instance);
}

function keyOf(uri: SipUri): string {
  return `${uri.scheme}:${unescaped(uri.user)}@${uri.host}:${uri.port ?? ""};${transportOf(uri) ?? ""}`;
}
