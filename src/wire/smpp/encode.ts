// PDU values → octets. Refuses, with a reason, a value that does not fit its SMPP 3.4 field; never throws.

import type { BindRequest, DataSm, DeliverSm, SmppAddress, SubmitSm, Unnumbered } from "./pdu.ts";
import type { PduWriter } from "./pdu-writer.ts";
import { NO_TLVS, type Tlvs } from "./tlv.ts";

/** Appends the PDU to the writer, or returns why it cannot be written. */
export function writePdu(to: PduWriter, pdu: Unnumbered, sequence: number): string | undefined {
  to.begin(pdu.command, "status" in pdu ? pdu.status : 0, sequence);
  writeBody(to, pdu);
  return to.end();
}

function writeBody(to: PduWriter, pdu: Unnumbered): void {
  switch (pdu.command) {
    case "submit_sm":
    case "deliver_sm":
      writeMessage(to, pdu);
      break;
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
      writeAnswer(to, pdu.status, pdu.messageId, pdu.tlvs);
      break;
    case "bind_transmitter":
    case "bind_receiver":
    case "bind_transceiver":
      writeBind(to, pdu);
      break;
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
    case "bind_transceiver_resp":
      writeAnswer(to, pdu.status, pdu.systemId, pdu.tlvs, 16);
      break;
    case "data_sm":
      writeData(to, pdu);
      break;
    case "query_sm":
      to.text("message_id", pdu.messageId, 65);
      writeAddress(to, "source_addr", pdu.source, 21);
      break;
    case "query_sm_resp":
      if (pdu.status !== 0 && pdu.messageId === "" && pdu.finalDate === "" && !pdu.messageState && !pdu.errorCode)
        return;
      to.text("message_id", pdu.messageId, 65);
      to.text("final_date", pdu.finalDate, 17);
      to.u8("message_state", pdu.messageState);
      to.u8("error_code", pdu.errorCode);
      break;
    case "cancel_sm":
      to.text("service_type", pdu.serviceType, 6);
      to.text("message_id", pdu.messageId, 65);
      writeAddress(to, "source_addr", pdu.source, 21);
      writeAddress(to, "destination_addr", pdu.destination, 21);
      break;
    case "unbind":
    case "enquire_link":
    case "unbind_resp":
    case "enquire_link_resp":
    case "cancel_sm_resp":
    case "replace_sm_resp":
    case "generic_nack":
      break;
    default:
      pdu satisfies never;
  }
}

// 5.2.2 allows 9 octets with the NUL, but some SMSCs issue longer passwords.
const LONG_PASSWORD_MAX = 65;

function writeBind(to: PduWriter, pdu: Unnumbered<BindRequest>): void {
  to.text("system_id", pdu.systemId, 16);
  to.text("password", pdu.password, LONG_PASSWORD_MAX);
  to.text("system_type", pdu.systemType, 13);
  to.u8("interface_version", pdu.interfaceVersion);
  to.u8("addr_ton", pdu.addrTon);
  to.u8("addr_npi", pdu.addrNpi);
  to.text("address_range", pdu.addressRange, 41);
}

function writeMessage(to: PduWriter, pdu: Unnumbered<SubmitSm | DeliverSm>): void {
  to.text("service_type", pdu.serviceType, 6);
  writeAddress(to, "source_addr", pdu.source, 21);
  writeAddress(to, "destination_addr", pdu.destination, 21);
  to.u8("esm_class", pdu.esmClass);
  to.u8("protocol_id", pdu.protocolId);
  to.u8("priority_flag", pdu.priorityFlag);
  to.text("schedule_delivery_time", pdu.scheduleDeliveryTime, 17);
  to.text("validity_period", pdu.validityPeriod, 17);
  to.u8("registered_delivery", pdu.registeredDelivery);
  to.u8("replace_if_present_flag", pdu.replaceIfPresentFlag);
  to.u8("data_coding", pdu.dataCoding);
  to.u8("sm_default_msg_id", pdu.smDefaultMsgId);
  to.u8("sm_length", pdu.shortMessage.length);
  to.octets("short_message", pdu.shortMessage, SHORT_MESSAGE_MAX);
  if (pdu.tlvs !== NO_TLVS) to.tlvs(pdu.tlvs);
}

function writeData(to: PduWriter, pdu: Unnumbered<DataSm>): void {
  to.text("service_type", pdu.serviceType, 6);
  writeAddress(to, "source_addr", pdu.source, 65);
  writeAddress(to, "destination_addr", pdu.destination, 65);
  to.u8("esm_class", pdu.esmClass);
  to.u8("registered_delivery", pdu.registeredDelivery);
  to.u8("data_coding", pdu.dataCoding);
  to.tlvs(pdu.tlvs);
}

function writeAddress(to: PduWriter, name: string, { ton, npi, address }: SmppAddress, octetsMax: number): void {
  to.u8(name, ton);
  to.u8(name, npi);
  to.text(name, address, octetsMax);
}

/** 4.4.2: an error response has no body, unless there is something to put in it. */
function writeAnswer(to: PduWriter, status: number, text: string, tlvs: Tlvs, octetsMax = 65): void {
  let isEmpty = status !== 0 && text === "";
  if (isEmpty && tlvs !== NO_TLVS) for (const _ in tlvs) isEmpty = false;
  if (isEmpty) return;
  to.text(octetsMax === 65 ? "message_id" : "system_id", text, octetsMax);
  if (tlvs !== NO_TLVS) to.tlvs(tlvs);
}

/** 5.2.22: a longer message goes in message_payload. */
export const SHORT_MESSAGE_MAX = 254;
