// Port orders as they are written and shown.

import { z } from "zod";
import {
  focOf,
  PORT_NUMBER_STATUSES,
  PORT_ORDER_STATUSES,
  PORT_PHONES_MAX,
  PORT_REASON_CODES,
  PORT_REASONS,
  type PortReason,
  reasonOfNumber,
  reasonOfOrder,
  type StoredPortOrder,
  SUBSCRIBER_TYPES,
} from "../../../../domain/porting/index.ts";
import { text, timestamp } from "../../core/schemas.ts";
import { configSid, numberText } from "../numbers/phones.ts";

export const portOrderStatus = z.enum(PORT_ORDER_STATUSES).meta({ id: "PortOrderStatus" });
export const portReasonCode = z.enum(PORT_REASON_CODES as [string, ...string[]]).meta({ id: "PortReasonCode" });
const subscriberType = z.enum(SUBSCRIBER_TYPES).meta({ id: "SubscriberType" });
export const portOrderSid = text(64).describe("PO and 32 hex digits.");

const details = {
  losingCarrier: text(128).nullable().optional(),
  accountNumber: text(64).describe("At the losing carrier."),
  billingTelephoneNumber: numberText.nullable().optional(),
  subscriber: z
    .strictObject({
      type: subscriberType,
      name: text(128).describe("As on the losing carrier's record."),
      authorizedPerson: text(128),
    })
    .meta({ id: "PortSubscriber" }),
  serviceAddress: z
    .strictObject({
      street: text(128).describe("Where the line is: no post box."),
      street2: text(128).nullable().optional(),
      city: text(64),
      state: text(64),
      postalCode: text(16),
      country: z
        .string()
        .regex(/^[A-Za-z]{2}$/, "A country is its two ISO letters.")
        .describe("Two letters."),
    })
    .meta({ id: "PortServiceAddress" }),
  requestedOn: z.string().max(40).nullable().optional().describe("A day, or a moment: `2026-01-31`."),
  customerReference: text(128).nullable().optional().describe("Yours; shown and not interpreted."),
};

const phones = z
  .array(
    z
      .strictObject({
        number: numberText,
        pin: text(32).nullable().optional().describe("The transfer PIN. Kept encrypted, never shown."),
      })
      .meta({ id: "PortPhone" }),
  )
  .min(1)
  .max(PORT_PHONES_MAX);

export const portInData = z
  .strictObject({ messagingConfigSid: configSid, phones, ...details })
  .meta({ id: "PortInData" });

export const portLetterData = z
  .strictObject({ messagingConfigSid: configSid.nullable().optional(), phones, ...details })
  .meta({ id: "PortLetterData" });

export const portAnswerData = z
  .strictObject({
    ...Object.fromEntries(Object.entries({ phones, ...details }).map(([name, member]) => [name, member.optional()])),
  })
  .meta({ id: "PortAnswerData" });

const reasons = {
  reasonCode: z.string().nullable().describe("A `PortReasonCode`; null while all goes well."),
  reason: z.string().nullable().describe("The same in words."),
};

export const portOrderSchema = z
  .strictObject({
    sid: z.string(),
    status: portOrderStatus,
    ...reasons,
    answerWith: z.array(z.string()).describe("Of an exception: the members that may put it right."),
    messagingConfigSid: z.string(),
    numbers: z.array(
      z
        .strictObject({
          number: z.string(),
          status: z.enum(PORT_NUMBER_STATUSES).meta({ id: "PortNumberStatus" }),
          ...reasons,
          focOn: timestamp.nullable().describe("The date the losing carrier has agreed to."),
          voiceMovedOn: timestamp.nullable(),
          messagingMovedOn: timestamp.nullable(),
        })
        .meta({ id: "PortOrderNumber" }),
    ),
    losingCarrier: z.string().nullable(),
    accountNumber: z.string(),
    billingTelephoneNumber: z.string().nullable(),
    subscriber: z.strictObject({ type: subscriberType, name: z.string(), authorizedPerson: z.string() }),
    serviceAddress: z.strictObject({
      street: z.string(),
      street2: z.string().nullable(),
      city: z.string(),
      state: z.string(),
      postalCode: z.string(),
      country: z.string(),
    }),
    requestedOn: timestamp.nullable(),
    customerReference: z.string().nullable(),
    documents: z.array(
      z
        .strictObject({
          place: z.int(),
          name: z.string(),
          contentType: z.string(),
          sizeBytes: z.int(),
          pageCount: z.int(),
          sha256: z.string(),
          createdOn: timestamp,
        })
        .meta({ id: "PortDocument" }),
    ),
    submitted: z.boolean().describe("Whoever carries the order out has it."),
    cancelRequestedOn: timestamp.nullable().describe("A cancellation is on its way."),
    refused: z
      .strictObject({ what: z.enum(["answer", "cancel"]), ...reasons })
      .nullable()
      .describe("What was asked for last and not granted."),
    createdOn: timestamp,
    updatedOn: timestamp,
  })
  .meta({ id: "PortOrder" });

export function showPortOrder(order: StoredPortOrder): z.input<typeof portOrderSchema> & { accountSid?: never } {
  const reason = reasonOfOrder(order);
  const { refusedRequest: refused, requests } = order;
  const cancel = requests.find(({ kind }) => kind === "cancel");
  return {
    sid: order.sid,
    status: order.status,
    ...showReason(reason),
    answerWith: order.status === "Exception" && reason ? [...PORT_REASONS[reason.code].answerWith] : [],
    messagingConfigSid: order.messagingConfigSid,
    numbers: order.numbers.map((number) => ({
      number: number.number,
      status: number.status,
      ...showReason(reasonOfNumber(number)),
      focOn: showDate(focOf(number)),
      voiceMovedOn: showDate(number.voiceMovedOn),
      messagingMovedOn: showDate(number.messagingMovedOn),
    })),
    ...order.details,
    requestedOn: showDate(order.details.requestedOn),
    documents: order.documents.map((document) => ({ ...document, createdOn: document.createdOn.toISOString() })),
    submitted: !requests.some(({ kind }) => kind === "submit"),
    cancelRequestedOn: showDate(cancel?.askedOn ?? null),
    refused: refused && { what: refused.kind === "cancel" ? "cancel" : "answer", ...showReason(refused.reason) },
    createdOn: order.createdOn.toISOString(),
    updatedOn: order.updatedOn.toISOString(),
  };
}

function showReason(reason: PortReason | null): { reasonCode: string | null; reason: string | null } {
  if (!reason) return { reasonCode: null, reason: null };
  const { says } = PORT_REASONS[reason.code];
  return { reasonCode: reason.code, reason: reason.detail === null ? says : `${says} (${reason.detail})` };
}

function showDate(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
