// SMPP 3.4, 5.3.2: optional parameters. A known one is a named, typed member of `Tlvs`. Anything else (a vendor's tag,
// a second occurrence, a known tag whose length does not fit its type) is kept in `others` as tag and octets, so that a
// malformed optional parameter never causes the message to be refused.

export const TLV = {
  destAddrSubunit: { tag: 0x0005, kind: "u8" },
  destNetworkType: { tag: 0x0006, kind: "u8" },
  destBearerType: { tag: 0x0007, kind: "u8" },
  destTelematicsId: { tag: 0x0008, kind: "u16" },
  sourceAddrSubunit: { tag: 0x000d, kind: "u8" },
  sourceNetworkType: { tag: 0x000e, kind: "u8" },
  sourceBearerType: { tag: 0x000f, kind: "u8" },
  sourceTelematicsId: { tag: 0x0010, kind: "u8" },
  qosTimeToLive: { tag: 0x0017, kind: "u32" },
  payloadType: { tag: 0x0019, kind: "u8" },
  additionalStatusInfoText: { tag: 0x001d, kind: "text" },
  receiptedMessageId: { tag: 0x001e, kind: "text" },
  msMsgWaitFacilities: { tag: 0x0030, kind: "u8" },
  privacyIndicator: { tag: 0x0201, kind: "u8" },
  sourceSubaddress: { tag: 0x0202, kind: "octets" },
  destSubaddress: { tag: 0x0203, kind: "octets" },
  userMessageReference: { tag: 0x0204, kind: "u16" },
  userResponseCode: { tag: 0x0205, kind: "u8" },
  sourcePort: { tag: 0x020a, kind: "u16" },
  destinationPort: { tag: 0x020b, kind: "u16" },
  sarMsgRefNum: { tag: 0x020c, kind: "u16" },
  languageIndicator: { tag: 0x020d, kind: "u8" },
  sarTotalSegments: { tag: 0x020e, kind: "u8" },
  sarSegmentSeqnum: { tag: 0x020f, kind: "u8" },
  scInterfaceVersion: { tag: 0x0210, kind: "u8" },
  callbackNumPresInd: { tag: 0x0302, kind: "u8" },
  callbackNumAtag: { tag: 0x0303, kind: "octets" },
  numberOfMessages: { tag: 0x0304, kind: "u8" },
  callbackNum: { tag: 0x0381, kind: "octets" },
  dpfResult: { tag: 0x0420, kind: "u8" },
  setDpf: { tag: 0x0421, kind: "u8" },
  msAvailabilityStatus: { tag: 0x0422, kind: "u8" },
  networkErrorCode: { tag: 0x0423, kind: "octets" },
  messagePayload: { tag: 0x0424, kind: "octets" },
  deliveryFailureReason: { tag: 0x0425, kind: "u8" },
  moreMessagesToSend: { tag: 0x0426, kind: "u8" },
  messageState: { tag: 0x0427, kind: "u8" },
  ussdServiceOp: { tag: 0x0501, kind: "octets" },
  displayTime: { tag: 0x1201, kind: "u8" },
  smsSignal: { tag: 0x1203, kind: "u16" },
  msValidity: { tag: 0x1204, kind: "u8" },
  alertOnMessageDelivery: { tag: 0x130c, kind: "flag" },
  itsReplyType: { tag: 0x1380, kind: "u8" },
  itsSessionInfo: { tag: 0x1383, kind: "octets" },
} as const;

export type TlvName = keyof typeof TLV;
export type TlvKind = (typeof TLV)[TlvName]["kind"];
type TlvValue = { u8: number; u16: number; u32: number; text: string; octets: Uint8Array; flag: true };

export interface OtherTlv {
  readonly tag: number;
  readonly value: Uint8Array;
}

export type Tlvs = { readonly [Name in TlvName]?: TlvValue[(typeof TLV)[Name]["kind"]] } & {
  readonly others?: readonly OtherTlv[];
};

/** `additional_status_info_text` is the longest text a TLV may hold, its NUL included. */
export const TLV_TEXT_MAX = 256;

export const NO_TLVS: Tlvs = Object.freeze({});

const BY_TAG = new Map<number, { readonly name: TlvName; readonly kind: TlvKind }>(
  Object.entries(TLV).map(([name, { tag, kind }]) => [tag, { name: name as TlvName, kind }] as const),
);

export function tlvOfTag(tag: number): { readonly name: TlvName; readonly kind: TlvKind } | undefined {
  return BY_TAG.get(tag);
}
