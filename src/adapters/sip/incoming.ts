// Reads an INVITE of a trunk as a call: the caller, the called number and the offer.

import type { IncomingLeg } from "../../domain/voice/ports.ts";
import { headerOf, numberOf, type SipMessage, sdpOf, tokensOf, valuesOf } from "../../wire/sip/message.ts";
import { parseNameAddr } from "../../wire/sip/name-addr.ts";
import { termsOf } from "./dialing.ts";
import { type Flow, peerText } from "./flow.ts";
import { callerNumberOf, numberOfUri, writtenIn } from "./number-spelling.ts";
import type { Trunk } from "./trunks.ts";

/** RFC 3261 8.1.1.6. */
const MAX_FORWARDS_USUAL = 70;
const CALLER_MAX = 128;
const DIVERSIONS_MAX = 20;

export function incomingLegOf(message: SipMessage, flow: Flow, trunk: Trunk, legSid: string): IncomingLeg {
  const caller = callerOf(message, trunk);
  return {
    legSid,
    trunk: trunk.settings.name,
    from: caller.from,
    isPrivate: caller.isPrivate,
    called: calledOf(message, trunk),
    sdp: sdpOf(message),
    terms: termsOf(flow, trunk, trunk.settings.srtp),
    maxForwards: numberOf(message, "max-forwards", 255) ?? MAX_FORWARDS_USUAL,
    diversions: diversionsOf(message, trunk),
    identity: headerOf(message, "identity"),
    peer: peerText(flow),
  };
}

function calledOf(message: SipMessage, { settings }: Trunk): readonly string[] {
  const uris = settings.calledIn.flatMap((place) => {
    if (place === "request-uri") return message.uri;
    if (place === "to") return message.to.uri;
    return urisOf(message, "p-called-party-id").slice(0, 1);
  });
  return [...new Set(uris.flatMap((uri) => numberOfUri(uri, settings.numbers) ?? []))];
}

/** RFC 5806: the newest is first. RFC 7044: it is last, before the target of this request. */
function diversionsOf(message: SipMessage, { settings }: Trunk): readonly string[] {
  const histories = valuesOf(message, "history-info").slice(0, -1).reverse();
  const places = [...valuesOf(message, "diversion"), ...histories].slice(0, DIVERSIONS_MAX);
  const uris = places.flatMap((place) => parseNameAddr(place)?.uri ?? []);
  return [...new Set(uris.flatMap((uri) => numberOfUri(uri, settings.numbers) ?? []))];
}

function callerOf(message: SipMessage, { settings }: Trunk): { readonly from: string; readonly isPrivate: boolean } {
  const asserted = settings.callerIn === "p-asserted-identity" ? urisOf(message, "p-asserted-identity") : [];
  const uris = asserted.length > 0 ? asserted : [message.from.uri];
  const privacy = tokensOf(message, "privacy").flatMap((value) => value.split(/[; \t]+/));
  const isHidden =
    /^sips?:anonymous@/i.test(message.from.uri) || /^sips?:[^@]*@anonymous\.invalid/i.test(message.from.uri);
  const isPrivate = isHidden || privacy.some((value) => value === "id" || value === "user" || value === "header");
  // RFC 3325 9.1: there may be a SIP and a tel URI, of which only one has a number.
  const [number] = uris.flatMap((uri) => callerNumberOf(uri, settings.numbers) ?? []);
  if (number !== undefined) return { from: number, isPrivate };
  if (isPrivate) return { from: "anonymous", isPrivate };
  return { from: asReceived(uris[0] ?? ""), isPrivate };
}

/** A caller that is not a number: what its URI dials, or the whole URI where that is nothing. */
function asReceived(uri: string): string {
  return Buffer.from(writtenIn(uri) || uri, "latin1")
    .toString("utf8")
    .replace(/\p{Cc}/gu, "")
    .slice(0, CALLER_MAX);
}

function urisOf(message: SipMessage, name: string): readonly string[] {
  return valuesOf(message, name).flatMap((value) => parseNameAddr(value)?.uri ?? []);
}
