// What happened to a connection or a datagram of ours, as a sentence: the peer gave no answer, and it must not look as
// if it had.

import { certificateFault } from "../certificate-fault.ts";
import { type PeerPlace, peerText } from "./flow.ts";

type Fault = Error & { readonly code?: string };

const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EHOSTDOWN", "EACCES", "EPERM"]);

/** `name`: whose certificate is wanted; undefined without TLS. `isUp`: the connection was established before. */
export function connectionFault(error: Fault, peer: PeerPlace, name: string | undefined, isUp: boolean): string {
  const { code = "" } = error;
  const place = peerText(peer);
  const certificate = certificateFault(error);
  if (certificate !== undefined) return `${name} (${place}): ${certificate}`;
  if (isUp) return `The connection to ${place} broke.`;
  if (code === "ECONNREFUSED") return refusedBy(peer);
  if (UNREACHABLE.has(code)) return unreachable(peer, code);
  if (code === "EADDRNOTAVAIL") return `${place} cannot be reached from our address, which is not there any more.`;
  if (code === "ETIMEDOUT") return notInTime(peer);
  return name === undefined
    ? `The connection to ${place} could not be made (${code}).`
    : `${place} and we could not agree on TLS (${code}).`;
}

export function refusedBy(peer: PeerPlace): string {
  return `${peerText(peer)} refused the connection: nothing listens there for ${peer.transport}.`;
}

export function unreachable(peer: PeerPlace, code: string): string {
  return `${peerText(peer)} cannot be reached (${code}).`;
}

export function notInTime(peer: PeerPlace): string {
  return `${peerText(peer)} did not take our connection in time.`;
}

/** Of a peer that gives no response, although it may have got the request. */
export function noResponseOf(peer: PeerPlace): string {
  return `No response came from ${peerText(peer)} (${peer.transport}).`;
}
