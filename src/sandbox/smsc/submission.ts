// A message that the SMSC has accepted, its state, and its delivery receipt (SMPP 3.4, Appendix B, and the TLVs of
// 5.3.2).

import { wholeBody } from "../../wire/smpp/concatenation.ts";
import {
  type DataSm,
  type DeliverSm,
  deliverSm,
  type SmppAddress,
  type SubmitSm,
  type Unnumbered,
} from "../../wire/smpp/pdu.ts";
import { MESSAGE_STATE, type MessageState, makeReceiptText } from "../../wire/smpp/receipt.ts";
import { encodeText } from "../../wire/smpp/text.ts";
import type { FinalState } from "./behaviour.ts";

export interface Submission {
  readonly messageId: string;
  readonly systemId: string;
  readonly source: SmppAddress;
  readonly destination: SmppAddress;
  readonly registeredDelivery: number;
  readonly userMessageReference: number | undefined;
  readonly submittedAt: Date;
  /** The beginning of the text; empty for data. */
  readonly text: string;
  state: MessageState;
  errorCode: number;
  doneAt: Date | undefined;
}

export function newSubmission(
  pdu: SubmitSm | DataSm,
  { messageId, systemId, text, now }: { messageId: string; systemId: string; text: string; now: Date },
): Submission {
  return {
    messageId,
    systemId,
    source: pdu.source,
    destination: pdu.destination,
    registeredDelivery: pdu.registeredDelivery,
    userMessageReference: pdu.tlvs.userMessageReference,
    submittedAt: now,
    text,
    state: "enroute",
    errorCode: 0,
    doneAt: undefined,
  };
}

export function settleSubmission(submission: Submission, { state, errorCode }: FinalState, now: Date): void {
  submission.state = state;
  submission.errorCode = errorCode;
  submission.doneAt = now;
}

/** 5.2.17: 0 requests no receipt, 1 always one, 2 only one for a failure. */
export function wantsReceipt(
  { registeredDelivery }: Pick<SubmitSm, "registeredDelivery">,
  state: MessageState,
): boolean {
  const asked = registeredDelivery & 0x03;
  return asked === 1 || (asked === 2 && state !== "delivered");
}

const ESM_RECEIPT = 0x04;
const NETWORK_GSM = 3;

/** The receipt of a submission in its final state. */
export function receiptOf(submission: Submission): Unnumbered<DeliverSm> {
  const { messageId, state, errorCode, submittedAt, doneAt = submittedAt, userMessageReference } = submission;
  const text = makeReceiptText({
    messageId,
    state,
    errorCode: String(errorCode).padStart(3, "0"),
    submittedAt,
    doneAt,
    text: submission.text.replaceAll(/[^ -~]/g, "?"),
  });
  const { dataCoding, octets } = encodeText(text, "GSM7");
  return deliverSm({
    source: submission.destination,
    destination: submission.source,
    dataCoding,
    ...wholeBody(octets),
    esmClass: ESM_RECEIPT,
    tlvs: {
      receiptedMessageId: messageId,
      messageState: MESSAGE_STATE.indexOf(state),
      ...(errorCode !== 0 && { networkErrorCode: Uint8Array.of(NETWORK_GSM, errorCode >> 8, errorCode) }),
      // 4.6.1: a receipt repeats the reference of its submit.
      ...(userMessageReference !== undefined && { userMessageReference }),
    },
  });
}
