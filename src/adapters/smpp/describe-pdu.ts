// Describes a PDU in words, for display. Total: octets that are not a PDU are described by the reason.

import { readBody } from "../../wire/smpp/concatenation.ts";
import { decodePdu } from "../../wire/smpp/decode.ts";
import type { DeliverSm, Pdu, SmppAddress, SubmitSm } from "../../wire/smpp/pdu.ts";
import { isReceipt, MESSAGE_STATE, type MessageState, readReceipt } from "../../wire/smpp/receipt.ts";
import { statusName } from "../../wire/smpp/statuses.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import type { Tlvs } from "../../wire/smpp/tlv.ts";
import { numberOf } from "./address.ts";

export interface PduDescription {
  readonly statusName: string;
  /** By the specification's names, in the order of the octets. Empty fields are left out. */
  readonly fields: readonly PduField[];
  /** The external party: in E.164, or as its carrier writes it. Null in an answer. */
  readonly party: string | null;
  readonly receipt: { readonly state: MessageState; readonly errorCode: string | null } | null;
}

type PduField = readonly [name: string, value: string];

export function describePdu(octets: Uint8Array): PduDescription {
  const decoded = decodePdu(octets);
  if (decoded.ok) return describe(decoded.value);
  const { reason, commandStatus } = decoded.refusal;
  return { ...NOTHING, statusName: statusName(commandStatus), fields: [["unreadable", reason]] };
}

const NOTHING = { party: null, receipt: null } as const;

function describe(pdu: Pdu): PduDescription {
  switch (pdu.command) {
    case "submit_sm":
    case "deliver_sm": {
      const receipt = pdu.command === "deliver_sm" ? readReceipt(pdu) : undefined;
      return {
        statusName: statusName(0),
        fields: fieldsOf(pdu).filter(([, value]) => value !== ""),
        party: numberOf(pdu.command === "submit_sm" ? pdu.destination : pdu.source),
        receipt: receipt ? { state: receipt.state, errorCode: receipt.errorCode ?? null } : null,
      };
    }
    case "submit_sm_resp": {
      const { status, messageId, tlvs } = pdu;
      const fields: readonly PduField[] = [["message_id", messageId], ...tlvFields(tlvs)];
      return { ...NOTHING, statusName: statusName(status), fields: fields.filter(([, value]) => value !== "") };
    }
    default:
      return { ...NOTHING, statusName: statusName("status" in pdu ? pdu.status : 0), fields: [] };
  }
}

function fieldsOf(pdu: SubmitSm | DeliverSm): readonly PduField[] {
  const { octets, partOf } = readBody(pdu);
  const text = decodeText({ dataCoding: pdu.dataCoding, octets }) ?? hexOf(octets);
  const isPayload = pdu.shortMessage.length === 0;
  return [
    ["service_type", pdu.serviceType],
    ...addressFields("source_addr", pdu.source),
    ...addressFields("destination_addr", pdu.destination),
    ["esm_class", `0x${pdu.esmClass.toString(16).padStart(2, "0")}${isReceipt(pdu) ? " (receipt)" : ""}`],
    ["protocol_id", String(pdu.protocolId)],
    ["priority_flag", String(pdu.priorityFlag)],
    ["schedule_delivery_time", pdu.scheduleDeliveryTime],
    ["validity_period", pdu.validityPeriod],
    ["registered_delivery", String(pdu.registeredDelivery)],
    ["replace_if_present_flag", String(pdu.replaceIfPresentFlag)],
    ["data_coding", String(pdu.dataCoding)],
    ["sm_default_msg_id", String(pdu.smDefaultMsgId)],
    ["part", partOf ? `${partOf.part} of ${partOf.total}, reference ${partOf.reference} (${partOf.kind})` : ""],
    ["short_message", isPayload ? "" : text],
    ...tlvFields(pdu.tlvs).map(([name, value]): PduField => [name, name === "message_payload" ? text : value]),
  ];
}

function addressFields(name: string, { ton, npi, address }: SmppAddress): readonly PduField[] {
  return [
    [name, address],
    [`${name}_ton`, String(ton)],
    [`${name}_npi`, String(npi)],
  ];
}

function tlvFields({ others = [], ...known }: Tlvs): readonly PduField[] {
  return [
    ...Object.entries(known).map(([name, value]): PduField => [snakeCase(name), tlvText(name, value)]),
    ...others.map(({ tag, value }): PduField => [`0x${tag.toString(16).padStart(4, "0")}`, hexOf(value)]),
  ];
}

function tlvText(name: string, value: string | number | true | Uint8Array | undefined): string {
  if (value instanceof Uint8Array) return hexOf(value);
  const state = name === "messageState" ? MESSAGE_STATE[Number(value)] : undefined;
  return state === undefined ? String(value) : `${value} (${state})`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function hexOf(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join(" ");
}
