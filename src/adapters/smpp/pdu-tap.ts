// What goes over a link, for a viewer that watches it now: submits and their answers with the message they belong to,
// and deliveries with what they are about. Costs one check of a flag when there is no viewer.

import { toHex } from "../../base/ids.ts";
import type { PduOwner, PduSubject } from "../../domain/messaging/index.ts";
import { COMMAND_ID } from "../../wire/smpp/commands.ts";
import { writePdu } from "../../wire/smpp/encode.ts";
import type { DeliverSm } from "../../wire/smpp/pdu.ts";
import { PduWriter } from "../../wire/smpp/pdu-writer.ts";
import { describePdu, type PduDescription } from "./describe-pdu.ts";

export interface TappedPdu extends PduDescription {
  readonly link: string;
  readonly carrier: string;
  readonly direction: "Sent" | "Received";
  readonly command: "submit_sm" | "submit_sm_resp" | "deliver_sm";
  readonly status: number;
  readonly sequence: number;
  /** Of the whole PDU. */
  readonly length: number;
  /** Of its first octets. */
  readonly hex: string;
  readonly about: PduSubject;
}

export interface PduTap {
  isOn(): boolean;
  /** Whether one more PDU may be shown: called once for each, before any work is done for it. */
  admits(carrier: string, about: PduSubject): boolean;
  /** A carrier has taken a message, or a part of it, under this id: its receipt will name it. */
  answered(carrier: string, carrierId: string, message: PduOwner): void;
  show(pdu: TappedPdu): Promise<void>;
}

const HEX_OCTETS_MAX = 1_024;
const HEADER_OCTETS = 16;

const COMMANDS: ReadonlyMap<number, TappedPdu["command"]> = new Map(
  (["submit_sm", "submit_sm_resp", "deliver_sm"] as const).map((command) => [COMMAND_ID[command], command]),
);

export interface PduHead extends Pick<TappedPdu, "command" | "status" | "sequence" | "length"> {
  /** The whole PDU, within the octets in which it was found. */
  readonly octets: Uint8Array;
}
type PlainHead = Omit<PduHead, "octets">;

/** The wanted PDUs of these commands, in octets that hold whole PDUs. */
export function headsIn(octets: Uint8Array, isWanted: (head: PlainHead) => boolean): readonly PduHead[] {
  const heads: PduHead[] = [];
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  for (let at = 0; at + HEADER_OCTETS <= octets.length; ) {
    const length = view.getUint32(at);
    if (length < HEADER_OCTETS || at + length > octets.length) break;
    const command = COMMANDS.get(view.getUint32(at + 4));
    const head = command && { command, status: view.getUint32(at + 8), sequence: view.getUint32(at + 12), length };
    if (head && isWanted(head)) {
      heads.push({ ...head, octets: octets.subarray(at, at + length) });
    }
    at += length;
  }
  return heads;
}

/** What is shown of a PDU: its head, its first octets and its description. */
export function shownOf({ octets, ...head }: PduHead) {
  return { ...head, hex: toHex(octets.subarray(0, HEX_OCTETS_MAX)), ...describePdu(octets) };
}

let writer: PduWriter | undefined;

/** Encodes a received PDU again. */
export function octetsOf(pdu: DeliverSm): Uint8Array {
  writer ??= new PduWriter();
  writer.clear();
  return writePdu(writer, pdu, pdu.sequence) === undefined ? writer.take() : new Uint8Array();
}
