// SMPP 3.4: PDUs ⇄ octets, the session as a pure machine, long messages and receipts.

export { COMMAND_ID, type CommandName, commandName } from "./commands.ts";
export {
  concatenate,
  ESM_UDHI,
  type MessageBody,
  type PartOf,
  type ReadBody,
  readBody,
  wholeBody,
} from "./concatenation.ts";
export { decodePdu, type PduRefusal } from "./decode.ts";
export { encodePdu, SHORT_MESSAGE_MAX } from "./encode.ts";
export { type Framed, Framer } from "./framer.ts";
export * from "./pdu.ts";
export {
  type Joined,
  joinParts,
  type MessagePart,
  REASSEMBLY_LIMITS,
  Reassembly,
  type ReassemblyLimits,
} from "./reassembly.ts";
export {
  canonicalMessageId,
  isReceipt,
  MESSAGE_STATE,
  type MessageIdForm,
  type MessageState,
  makeReceiptText,
  messageIdForms,
  parseReceiptText,
  type Receipt,
  type ReceiptText,
  readReceipt,
} from "./receipt.ts";
export { step } from "./session.ts";
export {
  newEsmeSession,
  newSmscSession,
  nextTickMs,
  type Outcome,
  type OwnerRequest,
  SESSION_SETTINGS,
  type SessionCommand,
  type SessionEvent,
  type SessionInput,
  type SessionRequest,
  type SessionResponse,
  type SessionSettings,
  type SessionState,
  windowRoom,
} from "./session-state.ts";
export { formatSmppDelay, formatSmppTime, parseSmppTime } from "./smpp-time.ts";
export { isThrottling, STATUS, type StatusName, statusName } from "./statuses.ts";
export { type CodedText, DATA_CODING, type DefaultAlphabet, decodeText, encodeText } from "./text.ts";
export { NO_TLVS, type OtherTlv, TLV, type TlvName, type Tlvs } from "./tlv.ts";
