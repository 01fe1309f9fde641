// The PDUs of SMPP 3.4 that are read and written here, as one closed union, discriminated by `command`. Field names are
// the specification's in camel case. outbind, alert_notification, submit_multi and replace_sm are unknown commands.

import { NO_TLVS, type Tlvs } from "./tlv.ts";

export interface SmppAddress {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

export type BindCommand = "bind_transmitter" | "bind_receiver" | "bind_transceiver";

interface Request {
  readonly sequence: number;
}

interface Response {
  readonly sequence: number;
  readonly status: number;
}

export interface BindRequest extends Request {
  readonly command: BindCommand;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly interfaceVersion: number;
  readonly addrTon: number;
  readonly addrNpi: number;
  readonly addressRange: string;
}

export interface BindResponse extends Response {
  readonly command: `${BindCommand}_resp`;
  readonly systemId: string;
  readonly tlvs: Tlvs;
}

export interface BareRequest extends Request {
  readonly command: "unbind" | "enquire_link";
}

export interface BareResponse extends Response {
  readonly command: "unbind_resp" | "enquire_link_resp" | "cancel_sm_resp" | "replace_sm_resp" | "generic_nack";
}

interface ShortMessage extends Request {
  readonly serviceType: string;
  readonly source: SmppAddress;
  readonly destination: SmppAddress;
  readonly esmClass: number;
  readonly protocolId: number;
  readonly priorityFlag: number;
  readonly scheduleDeliveryTime: string;
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly replaceIfPresentFlag: number;
  readonly dataCoding: number;
  readonly smDefaultMsgId: number;
  readonly shortMessage: Uint8Array;
  readonly tlvs: Tlvs;
}

export interface SubmitSm extends ShortMessage {
  readonly command: "submit_sm";
}

export interface DeliverSm extends ShortMessage {
  readonly command: "deliver_sm";
}

export interface MessageResponse extends Response {
  readonly command: "submit_sm_resp" | "deliver_sm_resp" | "data_sm_resp";
  readonly messageId: string;
  readonly tlvs: Tlvs;
}

export interface DataSm extends Request {
  readonly command: "data_sm";
  readonly serviceType: string;
  readonly source: SmppAddress;
  readonly destination: SmppAddress;
  readonly esmClass: number;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  readonly tlvs: Tlvs;
}

export interface QuerySm extends Request {
  readonly command: "query_sm";
  readonly messageId: string;
  readonly source: SmppAddress;
}

export interface QuerySmResp extends Response {
  readonly command: "query_sm_resp";
  readonly messageId: string;
  readonly finalDate: string;
  readonly messageState: number;
  readonly errorCode: number;
}

export interface CancelSm extends Request {
  readonly command: "cancel_sm";
  readonly serviceType: string;
  readonly messageId: string;
  readonly source: SmppAddress;
  readonly destination: SmppAddress;
}

export type Pdu =
  | BindRequest
  | BindResponse
  | BareRequest
  | BareResponse
  | SubmitSm
  | DeliverSm
  | MessageResponse
  | DataSm
  | QuerySm
  | QuerySmResp
  | CancelSm;

/** A PDU that has no sequence number yet. */
export type Unnumbered<Kind extends Pdu = Pdu> = Kind extends Pdu ? Omit<Kind, "sequence"> : never;

type MessageFields<Kind extends SubmitSm | DeliverSm> = Pick<Kind, "source" | "destination" | "shortMessage"> &
  Partial<Omit<Kind, "command" | "sequence">>;

export function submitSm(fields: MessageFields<SubmitSm>): Unnumbered<SubmitSm> {
  return makeMessage("submit_sm", fields) as Unnumbered<SubmitSm>;
}

export function deliverSm(fields: MessageFields<DeliverSm>): Unnumbered<DeliverSm> {
  return makeMessage("deliver_sm", fields) as Unnumbered<DeliverSm>;
}

// Lists every member, because spreading two objects into a third took longer than encoding the PDU.
function makeMessage(command: "submit_sm" | "deliver_sm", fields: MessageFields<SubmitSm> | MessageFields<DeliverSm>) {
  return {
    command,
    serviceType: fields.serviceType ?? "",
    source: fields.source,
    destination: fields.destination,
    esmClass: fields.esmClass ?? 0,
    protocolId: fields.protocolId ?? 0,
    priorityFlag: fields.priorityFlag ?? 0,
    scheduleDeliveryTime: fields.scheduleDeliveryTime ?? "",
    validityPeriod: fields.validityPeriod ?? "",
    registeredDelivery: fields.registeredDelivery ?? 0,
    replaceIfPresentFlag: fields.replaceIfPresentFlag ?? 0,
    dataCoding: fields.dataCoding ?? 0,
    smDefaultMsgId: fields.smDefaultMsgId ?? 0,
    shortMessage: fields.shortMessage,
    tlvs: fields.tlvs ?? NO_TLVS,
  };
}
