// A text → the submit_sm PDUs that carry it. Pure; refuses with the status an SMSC would have refused with.

import { ok, type Result, refused } from "../../base/result.ts";
import { segmentText } from "../../base/sms/segment.ts";
import { concatenate, type MessageBody, payloadBody } from "../../wire/smpp/concatenation.ts";
import { type SubmitSm, submitSm, type Unnumbered } from "../../wire/smpp/pdu.ts";
import { formatSmppDelay, formatSmppTime } from "../../wire/smpp/smpp-time.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { DATA_CODING, encodeText } from "../../wire/smpp/text.ts";
import { smppAddress } from "./address.ts";
import type { OutgoingText } from "./link-owner.ts";
import type { LinkSettings } from "./link-settings.ts";

type OutgoingSettings = Pick<LinkSettings, "addressing" | "longMessages" | "serviceType" | "validity">;

// 5.2.17: a final receipt, whatever it says.
const RECEIPT_WANTED = 1;
const PARTS_MAX = 255;
// So many GSM-7 characters fill the most parts there can be; beyond, cutting would be wasted.
const TEXT_LENGTH_MAX = PARTS_MAX * 153;
// TS 23.038, 4: the general group with a class, 0 being the one shown at once.
const CLASS_0 = 0x10;

export function submitsOf(
  { from, to, text, flash, validUntilMs, reference }: OutgoingText,
  { addressing, longMessages, serviceType, validity }: OutgoingSettings,
  nowMs: number,
): Result<readonly Unnumbered<SubmitSm>[], number> {
  const source = smppAddress(from, addressing.source);
  if (!source.ok) return refused(STATUS.ESME_RINVSRCADR);
  const destination = smppAddress(to, addressing.destination);
  if (!destination.ok) return refused(STATUS.ESME_RINVDSTADR);
  if (validUntilMs !== undefined && validUntilMs <= nowMs) return refused(STATUS.ESME_RINVEXPIRY);
  if (text.length > TEXT_LENGTH_MAX) return refused(STATUS.ESME_RINVMSGLEN);
  const { encoding, segments } = segmentText(text);
  if (segments.length > PARTS_MAX) return refused(STATUS.ESME_RINVMSGLEN);
  const dataCoding = encoding === "GSM7" ? DATA_CODING.default : DATA_CODING.ucs2;
  const fields = {
    source: source.value,
    destination: destination.value,
    serviceType,
    validityPeriod: validityPeriod(validity, validUntilMs, nowMs),
    dataCoding: flash ? dataCoding | CLASS_0 : dataCoding,
  };
  if (longMessages === "payload" && segments.length > 1) {
    return ok([makeSubmit(payloadBody(encodeText(text, encoding).octets), fields)]);
  }
  const octets = segments.map((segment) => encodeText(segment, encoding).octets);
  const bodies = concatenate(octets, { kind: longMessages === "sar" ? "sar" : "udh8", reference });
  return ok(bodies.map((body) => makeSubmit(body, fields)));
}

type Fields = Pick<SubmitSm, "source" | "destination" | "serviceType" | "validityPeriod" | "dataCoding">;

// Member by member: spreading takes longer than the rest of the work.
function makeSubmit({ esmClass, shortMessage, tlvs }: MessageBody, fields: Fields): Unnumbered<SubmitSm> {
  return submitSm({
    source: fields.source,
    destination: fields.destination,
    serviceType: fields.serviceType,
    validityPeriod: fields.validityPeriod,
    registeredDelivery: RECEIPT_WANTED,
    dataCoding: fields.dataCoding,
    esmClass,
    shortMessage,
    tlvs,
  });
}

function validityPeriod(form: OutgoingSettings["validity"], untilMs: number | undefined, nowMs: number): string {
  if (untilMs === undefined || form === "off") return "";
  return form === "absolute" ? formatSmppTime(new Date(untilMs)) : formatSmppDelay(Math.max(1000, untilMs - nowMs));
}
