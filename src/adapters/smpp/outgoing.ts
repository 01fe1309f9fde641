// Makes the submit_sm PDUs of a text. Pure; refuses with the command status that an SMSC would answer.

import { segmentText } from "../../../rules/sms/segment.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type Outgoing, referenceOf } from "../../domain/messaging/index.ts";
import { concatenate, type MessageBody, payloadBody, wholeBody } from "../../wire/smpp/concatenation.ts";
import { type SubmitSm, submitSm, type Unnumbered } from "../../wire/smpp/pdu.ts";
import { formatSmppDelay, formatSmppTime } from "../../wire/smpp/smpp-time.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { DATA_CODING, encodeText } from "../../wire/smpp/text.ts";
import { NO_TLVS } from "../../wire/smpp/tlv.ts";
import { smppAddress, sourceAddress } from "./address.ts";
import type { LinkSettings } from "./link-settings.ts";

type OutgoingSettings = Pick<
  LinkSettings,
  "addressing" | "longMessages" | "serviceType" | "validity" | "sendReference"
>;

// 5.2.17: a final receipt, for success and failure.
const RECEIPT_WANTED = 1;
// What one message holds without a header.
const SEPTETS_MAX = 160;
const UCS2_OCTETS_MAX = 140;
const PARTS_MAX = 255;
// This many GSM-7 characters fill PARTS_MAX parts: a longer text is refused before it is split.
const TEXT_LENGTH_MAX = PARTS_MAX * 153;

/** `reference`, from 0 to 65535, distinguishes this message's parts from those of others to the same recipient. */
export function submitsOf(
  { sid, from, recipients, text, expiresOn }: Outgoing,
  { addressing, longMessages, serviceType, validity, sendReference }: OutgoingSettings,
  reference: number,
  nowMs: number,
): Result<readonly Unnumbered<SubmitSm>[], number> {
  const source = sourceAddress(from, addressing);
  if (!source.ok) return refused(STATUS.ESME_RINVSRCADR);
  const destination = smppAddress(recipients[0] ?? "", addressing.destination);
  if (!destination.ok) return refused(STATUS.ESME_RINVDSTADR);
  const untilMs = expiresOn.getTime();
  if (untilMs <= nowMs) return refused(STATUS.ESME_RINVEXPIRY);
  const message = codeText(text, longMessages, reference);
  if (!message) return refused(STATUS.ESME_RINVMSGLEN);
  const fields = {
    source: source.value,
    destination: destination.value,
    serviceType,
    validityPeriod: validityPeriod(validity, untilMs, nowMs),
    dataCoding: message.dataCoding,
    userMessageReference: sendReference ? referenceOf(sid) : undefined,
  };
  return ok(message.bodies.map((body) => makeSubmit(body, fields)));
}

interface CodedMessage {
  readonly dataCoding: number;
  readonly bodies: readonly MessageBody[];
}

/** Undefined for a text of more parts than can be numbered. */
function codeText(
  text: string,
  longMessages: OutgoingSettings["longMessages"],
  reference: number,
): CodedMessage | undefined {
  if (text.length <= SEPTETS_MAX) {
    // Most texts fit one message and need not be split.
    const { dataCoding, octets } = encodeText(text, "GSM7");
    const octetsMax = dataCoding === DATA_CODING.default ? SEPTETS_MAX : UCS2_OCTETS_MAX;
    if (octets.length <= octetsMax) return { dataCoding, bodies: [wholeBody(octets)] };
  }
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const { encoding, segments } = segmentText(text);
  if (segments.length > PARTS_MAX) return undefined;
  const dataCoding = encoding === "GSM7" ? DATA_CODING.default : DATA_CODING.ucs2;
  if (longMessages === "payload") return { dataCoding, bodies: [payloadBody(encodeText(text, encoding).octets)] };
  const parts = segments.map((segment) => encodeText(segment, encoding).octets);
  return { dataCoding, bodies: concatenate(parts, { kind: longMessages === "sar" ? "sar" : "udh8", reference }) };
}

interface Fields extends Pick<SubmitSm, "source" | "destination" | "serviceType" | "validityPeriod" | "dataCoding"> {
  /** Repeated in the receipt (4.6.1): finds a message whose answer, and with it the carrier's id, was lost. */
  readonly userMessageReference: number | undefined;
}

// Lists every member: on this hot path spreading `fields` takes longer than the rest of the work.
function makeSubmit({ esmClass, shortMessage, tlvs }: MessageBody, fields: Fields): Unnumbered<SubmitSm> {
  const { userMessageReference } = fields;
  return submitSm({
    source: fields.source,
    destination: fields.destination,
    serviceType: fields.serviceType,
    validityPeriod: fields.validityPeriod,
    registeredDelivery: RECEIPT_WANTED,
    dataCoding: fields.dataCoding,
    esmClass,
    shortMessage,
    tlvs:
      userMessageReference === undefined
        ? tlvs
        : tlvs === NO_TLVS
          ? { userMessageReference }
          : { ...tlvs, userMessageReference },
  });
}

function validityPeriod(form: OutgoingSettings["validity"], untilMs: number, nowMs: number): string {
  if (form === "off") return "";
  return form === "absolute" ? formatSmppTime(new Date(untilMs)) : formatSmppDelay(Math.max(1000, untilMs - nowMs));
}
