// A contact of a registered trunk in its two forms: with a flow and the clock of this process, and as all processes
// know it.

import { parseUri } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import type { RegisteredContact, StoredContact } from "../../domain/voice/registered-contact.ts";
import type { Binding } from "../../wire/sip/registrar.ts";
import { type Flow, peerText } from "./flow.ts";

/** Flows over UDP are made anew for the same peer; a connection is what it is. */
export function isSameFlow(one: Flow, other: Flow): boolean {
  if (one.isReliable || other.isReliable) return one === other;
  return one.source === other.source && peerText(one) === peerText(other);
}

export function contactOf(trunk: string, binding: Binding<Flow>, clock: Clock): RegisteredContact {
  const { text, instance = null, q, callId, cseq, flow, untilMs } = binding;
  const { transport, address, port, sentBy } = flow;
  const expiresOn = new Date(clock.now().getTime() + untilMs - clock.elapsedMs());
  return { trunk, uri: text, instance, q, callId, cseq, transport, address, port, place: sentBy, expiresOn };
}

export function bindingOf(contact: RegisteredContact, flow: Flow, clock: Clock): Binding<Flow> | undefined {
  const { uri: text, instance, q, callId, cseq, expiresOn } = contact;
  const uri = parseUri(text);
  if (!uri || !("host" in uri)) return undefined;
  const untilMs = clock.elapsedMs() + expiresOn.getTime() - clock.now().getTime();
  return { text, uri, instance: instance ?? undefined, q, callId, cseq, flow, untilMs };
}

/** Whether nothing has changed but the times. */
export function isRefreshed(before: Binding<Flow>, after: Binding<Flow>): boolean {
  if (before.text !== after.text || !isSameFlow(before.flow, after.flow)) return false;
  return before.callId === after.callId && before.instance === after.instance && before.q === after.q;
}

export function shownContact(contact: RegisteredContact): string {
  const { uri, transport, expiresOn } = contact;
  return `${uri} from ${peerText(contact)} by ${transport} until ${expiresOn.toISOString()}`;
}

/** Of a contact that is not ours. */
export function shownElsewhere(contact: StoredContact): string {
  const server = contact.holder === "another" ? "with the server" : "with a server that has ended";
  return `${shownContact(contact)}, ${server} at ${contact.place}`;
}

/** Why a registered trunk cannot be called from here. */
export function whyNotHere(elsewhere: readonly StoredContact[]): string {
  const known = elsewhere.find(({ holder }) => holder === "another") ?? elsewhere[0];
  if (!known) return "is not registered.";
  if (known.holder === "another") return `is registered at ${known.place}: only the server there reaches it.`;
  return `was registered at ${known.place}, where no server runs now.`;
}
