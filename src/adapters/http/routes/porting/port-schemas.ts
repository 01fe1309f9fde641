// The schemas of port orders, and how one is shown.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
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
import { dayOrMoment, text, timestamp, words } from "../../core/schemas.ts";
import { configSid, numberText } from "../numbers/phones.ts";

export const portOrderStatus = z.enum(PORT_ORDER_STATUSES).meta({ id: "PortOrderStatus" });
export const portReasonCode = z.enum(PORT_REASON_CODES as [string, ...string[]]).meta({ id: "PortReasonCode" });
const subscriberType = z.enum(SUBSCRIBER_TYPES).meta({ id: "SubscriberType" });
export const portOrderSid = text(64).describe("PO and 32 hex digits.");

const details = {
  losingCarrier: words(128).nullish(),
  accountNumber: words(64, "ascii").describe("At the losing carrier."),
  billingTelephoneNumber: numberText.nullish(),
  subscriber: z
    .strictObject({
      type: subscriberType,
      name: words(128).describe("As on the losing carrier's record."),
      authorizedPerson: words(128),
    })
    .meta({ id: "PortSubscriber" }),
  serviceAddress: z
    .strictObject({
      street: words(128).describe("Where the line is: no post box."),
      street2: words(128).nullish(),
      city: words(64),
      state: words(64).describe("In the US and Canada, its two letters."),
      postalCode: words(16),
      country: z
        .string()
        .trim()
        .regex(/^[A-Za-z]{2}$/, "A country is its two ISO letters.")
        .toUpperCase()
        .describe("Two letters."),
    })
    .meta({ id: "PortServiceAddress" }),
  requestedOn: dayOrMoment("A date such as 2026-01-31 or 2026-01-31T15:00:00Z is expected.")
    .nullish()
    .describe("A day, or a moment: `2026-01-31`."),
  customerReference: words(128).nullish().describe("Yours; shown and not interpreted."),
};

const PHONES_EXPECTED = `A list of 1 to ${PORT_PHONES_MAX} phones is expected.`;
const phones = z
  .array(
    z
      .strictObject({
        number: numberText,
        pin: z
          .string()
          .trim()
          .regex(/^[\x21-\x7e]{4,32}$/, "4 to 32 letters, digits or signs are allowed, without spaces.")
          .nullish()
          .describe("The transfer PIN. Kept encrypted, never shown."),
      })
      .meta({ id: "PortPhone" }),
    PHONES_EXPECTED,
  )
  .min(1, PHONES_EXPECTED)
  .max(PORT_PHONES_MAX, PHONES_EXPECTED);

export const portInData = z
  .strictObject({ messagingConfigSid: configSid, phones, ...details })
  .meta({ id: "PortInData" });

export const portLetterData = z
  .strictObject({ messagingConfigSid: configSid.nullish(), phones, ...details })
  .meta({ id: "PortLetterData" });

export const portAnswerData = z
  .strictObject({
    ...details,
    phones: phones.nullish(),
    accountNumber: details.accountNumber.nullish(),
    subscriber: details.subscriber.nullish(),
    serviceAddress: details.serviceAddress.nullish(),
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

/** For accounts and for the operator, who also sees the account of each. */
export const PORT_ORDERS: readonly Part[] = [
  {
    table: {
      ...members("Account? = accountSid, sid, status"),
      Numbers: "{numbers|count}",
      ...members("messagingConfigSid, reason, createdOn"),
    },
  },
];
export const PORT_ORDER: readonly Part[] = [
  {
    fields: {
      ...members(
        "Account? = accountSid, sid, status, reason, messagingConfigSid, Losing carrier = losingCarrier, Account number = accountNumber",
      ),
      Subscriber: "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
      Reference: "{customerReference}",
      Documents: ["{documents.name}", ""],
      Submitted: ["{submitted?yes}", "not yet"],
      ...members("createdOn, updatedOn"),
    },
  },
  {
    table: members(
      "number, status, Date = focOn, Voice moved = voiceMovedOn, Messaging moved = messagingMovedOn, reason",
    ),
    of: "numbers",
  },
  { say: "Its cancellation was asked for on {cancelRequestedOn}." },
  { say: "The {refused.what} that was asked for last was not granted: {refused.reason}" },
  {
    say: [
      "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
      "{status|isException}→ Answer it: tandem port-in answer {sid} …",
    ],
  },
];
