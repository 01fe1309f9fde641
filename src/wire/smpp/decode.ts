// Octets → PDU values. Never throws: any octets give a PDU or a refusal with the status to answer. Reads nothing beyond
// the PDU, and copies what it decodes, so no value points into the given octets.

import { ok, type Result, refused } from "../../base/result.ts";
import { COMMAND_ID, commandName } from "./commands.ts";
import { SHORT_MESSAGE_MAX } from "./encode.ts";
import type { BindCommand, DeliverSm, MessageResponse, Pdu, SmppAddress, SubmitSm } from "./pdu.ts";
import { PduReader, readU32 } from "./pdu-reader.ts";
import { STATUS } from "./statuses.ts";

export interface PduRefusal {
  /** The status to answer with. */
  readonly status: number;
  readonly reason: string;
  // The header as received; zeros when there was none. An unreadable response still has its outcome in `commandStatus`.
  readonly commandId: number;
  readonly commandStatus: number;
  readonly sequence: number;
}

export const PDU_LENGTH_MIN = 16;

export function decodePdu(bytes: Uint8Array): Result<Pdu, PduRefusal> {
  if (bytes.length < PDU_LENGTH_MIN) {
    const reason = "PDU shorter than its header";
    return refused({ status: STATUS.ESME_RINVCMDLEN, reason, commandId: 0, commandStatus: 0, sequence: 0 });
  }
  const commandId = readU32(bytes, 4);
  const commandStatus = readU32(bytes, 8);
  const sequence = readU32(bytes, 12);
  const head = { commandId, commandStatus, sequence };
  if (readU32(bytes, 0) !== bytes.length) {
    return refused({ status: STATUS.ESME_RINVCMDLEN, reason: "command_length is not the PDU's", ...head });
  }
  const from = new PduReader(bytes, PDU_LENGTH_MIN, bytes.length);
  const pdu = readBody(from, commandId, commandStatus, sequence);
  if (!pdu) return refused({ status: STATUS.ESME_RINVCMDID, reason: "command unknown", ...head });
  from.finish();
  return from.status === 0 ? ok(pdu) : refused({ status: from.status, reason: from.reason, ...head });
}

function readBody(from: PduReader, commandId: number, status: number, sequence: number): Pdu | undefined {
  switch (commandId) {
    case COMMAND_ID.submit_sm:
      return readMessage(from, "submit_sm", sequence);
    case COMMAND_ID.deliver_sm:
      return readMessage(from, "deliver_sm", sequence);
    case COMMAND_ID.submit_sm_resp:
      return readAnswer(from, "submit_sm_resp", sequence, status);
    case COMMAND_ID.deliver_sm_resp:
      return readAnswer(from, "deliver_sm_resp", sequence, status);
    case COMMAND_ID.data_sm_resp:
      return readAnswer(from, "data_sm_resp", sequence, status);
    case COMMAND_ID.enquire_link:
    case COMMAND_ID.unbind:
      return { command: commandId === COMMAND_ID.unbind ? "unbind" : "enquire_link", sequence };
    case COMMAND_ID.enquire_link_resp:
    case COMMAND_ID.unbind_resp:
    case COMMAND_ID.cancel_sm_resp:
    case COMMAND_ID.replace_sm_resp:
    case COMMAND_ID.generic_nack:
      return { command: BARE_RESPONSE[commandId], sequence, status };
    default:
      return readRareBody(from, commandId, status, sequence);
  }
}

const BARE_RESPONSE = {
  [COMMAND_ID.enquire_link_resp]: "enquire_link_resp",
  [COMMAND_ID.unbind_resp]: "unbind_resp",
  [COMMAND_ID.cancel_sm_resp]: "cancel_sm_resp",
  [COMMAND_ID.replace_sm_resp]: "replace_sm_resp",
  [COMMAND_ID.generic_nack]: "generic_nack",
} as const;

function readRareBody(from: PduReader, commandId: number, status: number, sequence: number): Pdu | undefined {
  const command = commandName(commandId);
  const messageId = () => from.text("message_id", 65, STATUS.ESME_RINVMSGID);
  const source = () => readAddress(from, "source_addr", 21, STATUS.ESME_RINVSRCADR);
  switch (command) {
    case "bind_transmitter":
    case "bind_receiver":
    case "bind_transceiver":
      return readBind(from, command, sequence);
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
    case "bind_transceiver_resp": {
      const systemId = from.isAtEnd ? "" : from.text("system_id", 16, STATUS.ESME_RINVSYSID);
      return { command, sequence, status, systemId, tlvs: from.tlvs() };
    }
    case "data_sm":
      return {
        command,
        sequence,
        serviceType: from.text("service_type", 6, STATUS.ESME_RINVSERTYP),
        source: readAddress(from, "source_addr", 65, STATUS.ESME_RINVSRCADR),
        destination: readAddress(from, "destination_addr", 65, STATUS.ESME_RINVDSTADR),
        esmClass: from.u8("esm_class"),
        registeredDelivery: from.u8("registered_delivery"),
        dataCoding: from.u8("data_coding"),
        tlvs: from.tlvs(),
      };
    case "query_sm":
      return { command, sequence, messageId: messageId(), source: source() };
    case "query_sm_resp":
      if (from.isAtEnd)
        return { command, sequence, status, messageId: "", finalDate: "", messageState: 0, errorCode: 0 };
      return {
        command,
        sequence,
        status,
        messageId: messageId(),
        finalDate: from.text("final_date", 17, STATUS.ESME_RINVCMDLEN),
        messageState: from.u8("message_state"),
        errorCode: from.u8("error_code"),
      };
    case "cancel_sm":
      return {
        command,
        sequence,
        serviceType: from.text("service_type", 6, STATUS.ESME_RINVSERTYP),
        messageId: messageId(),
        source: source(),
        destination: readAddress(from, "destination_addr", 21, STATUS.ESME_RINVDSTADR),
      };
    default:
      return undefined;
  }
}

// The order of the members is the order of the fields on the wire, because each one is read as it is evaluated.
function readMessage<Command extends "submit_sm" | "deliver_sm">(from: PduReader, command: Command, sequence: number) {
  return {
    command,
    sequence,
    serviceType: from.text("service_type", 6, STATUS.ESME_RINVSERTYP),
    source: readAddress(from, "source_addr", 21, STATUS.ESME_RINVSRCADR),
    destination: readAddress(from, "destination_addr", 21, STATUS.ESME_RINVDSTADR),
    esmClass: from.u8("esm_class"),
    protocolId: from.u8("protocol_id"),
    priorityFlag: from.u8("priority_flag"),
    scheduleDeliveryTime: from.text("schedule_delivery_time", 17, STATUS.ESME_RINVSCHED),
    validityPeriod: from.text("validity_period", 17, STATUS.ESME_RINVEXPIRY),
    registeredDelivery: from.u8("registered_delivery"),
    replaceIfPresentFlag: from.u8("replace_if_present_flag"),
    dataCoding: from.u8("data_coding"),
    smDefaultMsgId: from.u8("sm_default_msg_id"),
    shortMessage: from.shortMessage(SHORT_MESSAGE_MAX),
    tlvs: from.tlvs(),
  } as Command extends "submit_sm" ? SubmitSm : DeliverSm;
}

function readBind(from: PduReader, command: BindCommand, sequence: number): Pdu {
  return {
    command,
    sequence,
    systemId: from.text("system_id", 16, STATUS.ESME_RINVSYSID),
    password: from.text("password", 9, STATUS.ESME_RINVPASWD),
    systemType: from.text("system_type", 13, STATUS.ESME_RINVSYSTYP),
    interfaceVersion: from.u8("interface_version"),
    addrTon: from.u8("addr_ton"),
    addrNpi: from.u8("addr_npi"),
    addressRange: from.text("address_range", 41, STATUS.ESME_RBINDFAIL),
  };
}

/** Error responses have no body, and some peers leave the body out of a success too. */
function readAnswer(
  from: PduReader,
  command: MessageResponse["command"],
  sequence: number,
  status: number,
): MessageResponse {
  const messageId = from.isAtEnd ? "" : from.text("message_id", 65, STATUS.ESME_RINVMSGID);
  return { command, sequence, status, messageId, tlvs: from.tlvs() };
}

function readAddress(from: PduReader, name: string, octetsMax: number, status: number): SmppAddress {
  return { ton: from.u8(name), npi: from.u8(name), address: from.text(name, octetsMax, status) };
}
