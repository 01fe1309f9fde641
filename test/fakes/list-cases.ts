// Every list of the API with its filters, as the store is asked for them: a rare value of each, one that fits the rows
// of others (list-rows.ts), and one that fits none.

import { accountStore } from "../../src/adapters/store/accounts/accounts.ts";
import { auditLog } from "../../src/adapters/store/accounts/audit-log.ts";
import { changeLog } from "../../src/adapters/store/accounts/changes.ts";
import { featureRequestStore } from "../../src/adapters/store/accounts/feature-requests.ts";
import { refusedRequestStore } from "../../src/adapters/store/accounts/refused-requests.ts";
import { campaignStore } from "../../src/adapters/store/campaigns/campaigns.ts";
import { followedCampaignStore } from "../../src/adapters/store/campaigns/followed-campaigns.ts";
import { messagingConfigStore } from "../../src/adapters/store/campaigns/messaging-configs.ts";
import type { Queryable } from "../../src/adapters/store/engine/database.ts";
import { overrideStore } from "../../src/adapters/store/lookup/overrides.ts";
import { inboundMessageStore } from "../../src/adapters/store/messaging/inbound-messages.ts";
import { outboundMessageStore } from "../../src/adapters/store/messaging/outbound-messages.ts";
import { inventoryStore } from "../../src/adapters/store/numbers/inventory.ts";
import { optOutStore } from "../../src/adapters/store/numbers/opt-outs.ts";
import { phoneStore } from "../../src/adapters/store/numbers/phones.ts";
import { portOrderStore } from "../../src/adapters/store/porting/port-orders.ts";
import { callStore } from "../../src/adapters/store/voice/calls.ts";
import { conferenceStore } from "../../src/adapters/store/voice/conferences.ts";
import { troubledRecordings } from "../../src/adapters/store/voice/troubled-recordings.ts";
import { deliveryStore } from "../../src/adapters/store/webhooks/deliveries.ts";
import { eventLog } from "../../src/adapters/store/webhooks/event-log.ts";
import { subscriptionStore } from "../../src/adapters/store/webhooks/subscriptions.ts";
import type { Page, PageRequest } from "../../src/base/page.ts";
import { LARGE, OTHERS, OWN } from "./list-rows.ts";
import { secretBox } from "./secret-box.ts";

/** Half of them are of the large account. */
export const ROWS = 4_000;
const box = secretBox(new Uint8Array(32).fill(7));

export type Filters = Readonly<Record<string, unknown>>;
export type List = (db: Queryable, page: PageRequest, filters: Filters) => Promise<Page<unknown>>;

export interface Case {
  /** The operations of which it is the list; those by which operators see an account's are the same. */
  readonly of: readonly string[];
  readonly list: List;
  /** Parameter → what the store is asked for, a rare value and one that fits others' rows or none. */
  readonly filters: Readonly<Record<string, readonly Filters[]>>;
  /** Parameters that narrow it in time. */
  readonly span?: Filters;
}

const none = async () => undefined;
const NEWS = { known: none, oldestMayChange: none, sendersChanged: none };
const SPAN = { createdFrom: minutesBefore(ROWS / 2), createdTo: minutesBefore(500) };
const FROM_TO = { from: SPAN.createdFrom, to: SPAN.createdTo };
const TIMES = { CreatedOnFrom: [{ createdFrom: SPAN.createdFrom }], CreatedOnTo: [{ createdTo: SPAN.createdTo }] };
const OF_TIMES = { CreatedOnFrom: [{ from: FROM_TO.from }], CreatedOnTo: [{ to: FROM_TO.to }] };
const number = (name: string) => [{ [name]: OWN.number }, { [name]: OTHERS.number }, { [name]: "+15550000000" }];

/** The clock of the store stands at this time. */
function minutesBefore(minutes: number): Date {
  return new Date(Date.parse("2026-11-16T08:00:00.000Z") - minutes * 60_000);
}

export const CASES: readonly Case[] = [
  {
    of: ["listOutboundMessages", "twilioListMessages"],
    list: (db, page, filters) => outboundMessageStore(db).list(LARGE, page, filters),
    filters: {
      Status: ["Failed", "Canceled", "Sent", "Queued"].map((status) => ({ status })),
      From: number("from"),
      To: [...number("to"), { to: OTHERS.member }, { to: OWN.number, status: "Failed" }],
      ErrorCode: [{ errorCode: 3001 }, { errorCode: 9 }],
      ...TIMES,
      DateSent: [SPAN],
      "DateSent<": TIMES.CreatedOnTo,
      "DateSent>": TIMES.CreatedOnFrom,
    },
    span: SPAN,
  },
  {
    of: ["listInboundMessages", "twilioListMessages"],
    list: (db, page, filters) => inboundMessageStore(db).list(LARGE, page, filters),
    filters: {
      From: number("from"),
      To: number("to"),
      ...TIMES,
      DateSent: [SPAN],
      "DateSent<": TIMES.CreatedOnTo,
      "DateSent>": TIMES.CreatedOnFrom,
    },
    span: SPAN,
  },
  {
    of: ["listCalls", "twilioListCalls"],
    list: (db, page, filters) => callStore(db).list(LARGE, page, filters),
    filters: {
      // In Twilio's shape a status is no condition of the store.
      Status: ["Ringing", "Completed", "Answered"].map((status) => ({ status })),
      Direction: [{ direction: "Inbound" }, { direction: "Outbound" }],
      From: [...number("from"), ...number("callerId"), { from: OWN.number, to: OTHERS.number }],
      To: [...number("to"), ...number("called")],
      ...TIMES,
      StartTime: [SPAN],
      "StartTime<": TIMES.CreatedOnTo,
      "StartTime>": TIMES.CreatedOnFrom,
      // Of one call, which is read as a whole.
      ParentCallSid: [],
    },
    span: SPAN,
  },
  {
    of: ["listConferences", "twilioListConferences"],
    list: (db, page, filters) => conferenceStore(db).list(LARGE, page, filters),
    filters: {
      Status: ["InProgress", "Completed", "Init"].map((status) => ({ status })),
      Name: [{ name: OWN.name }, { name: "none" }],
      FriendlyName: [{ name: OWN.name }],
      DateCreated: [SPAN],
      "DateCreated<": TIMES.CreatedOnTo,
      "DateCreated>": TIMES.CreatedOnFrom,
    },
    span: SPAN,
  },
  {
    of: ["twilioListRecordings", "twilioListRecordingsOfCall", "twilioListRecordingsOfConference"],
    list: (db, page, filters) => callStore(db).segments(LARGE, page, filters),
    filters: {
      CallSid: [{ callSid: "CA0" }],
      ConferenceSid: [{ conferenceSid: "CF0" }],
      DateCreated: [{ startedFrom: SPAN.createdFrom, startedTo: SPAN.createdTo }],
      "DateCreated<": [{ startedTo: SPAN.createdTo }],
      "DateCreated>": [{ startedFrom: SPAN.createdFrom }],
    },
  },
  {
    of: ["listPhones", "listMessagingConfigPhones", "twilioListPhoneNumbers"],
    list: (db, page, filters) => phoneStore(db, NEWS).list(LARGE, page, filters),
    filters: {
      Status: ["Active", "Removed", "PendingPortIn"].map((status) => ({ status })),
      MessagingConfigSid: [{ messagingConfigSid: OWN.config }, { messagingConfigSid: "MC0" }],
      // By its index, and one number at most.
      PhoneNumber: [],
    },
  },
  {
    of: ["listOptOuts"],
    list: (db, page, filters) => optOutStore(db, { announce: none }).list(LARGE, page, filters),
    filters: {
      Number: number("number"),
      ScopeType: [{ scopeType: "TcrCampaign" }, { scopeType: "SenderPhoneNumber" }],
      Scope: [{ scope: "CRARE200" }, { scope: "none" }],
    },
  },
  {
    of: ["listChanges"],
    list: (db, page, filters) => changeLog(db).list(LARGE, page, filters),
    filters: {
      Operation: [{ operation: "deletePhone" }, { operation: "none" }],
      Resource: [{ resource: OWN.number }, { resource: "none" }],
      ...OF_TIMES,
    },
    span: FROM_TO,
  },
  ...[LARGE, undefined].map((accountSid) => ({
    of: accountSid === undefined ? ["listAllRequests"] : ["listRequests"],
    list: (db: Queryable, page: PageRequest, filters: Filters) =>
      refusedRequestStore(db).list(page, { ...filters, accountSid }),
    filters: {
      RequestId: [{ requestId: "r200" }, { requestId: OTHERS.id }, { requestId: "none" }],
      TraceId: [{ traceId: "t200" }, { traceId: OTHERS.id }, { traceId: "none" }],
      Status: [{ status: 404 }, { status: 500 }],
      ...OF_TIMES,
    },
    span: FROM_TO,
  })),
  {
    of: ["listDeliveries"],
    list: (db, page, filters) => deliveryStore(db).list(LARGE, page, filters),
    filters: {
      Type: ["OptOutChanged", "InboundMessageReceived", "OutboundMessageStatusChanged", "PortOrderStatusChanged"].map(
        (type) => ({ type }),
      ),
      Status: [
        ...["Failed", "Canceled", "Pending", "Delivered"].map((status) => ({ status })),
        { status: "Failed", type: "OptOutChanged" },
        { status: "Delivered", type: "OutboundMessageStatusChanged" },
        { status: "Pending", type: "OutboundMessageStatusChanged" },
      ],
      SubscriptionSid: [OWN.subscription, "WS00000000000000000000000000000002", "WS0"].flatMap((subscriptionSid) => [
        { subscriptionSid },
        { subscriptionSid, status: "Pending" },
        { subscriptionSid, status: "Failed" },
        { subscriptionSid, type: "OutboundMessageStatusChanged" },
      ]),
      ResourceSid: [{ resourceSid: "OM0" }],
      ...OF_TIMES,
    },
    span: FROM_TO,
  },
  {
    of: ["listEvents"],
    list: (db, page, { type }) => eventLog(db).list(LARGE, page, type as "OptOutChanged"),
    filters: {
      Type: [{ type: "OptOutChanged" }, { type: "InboundMessageReceived" }, { type: "PortOrderStatusChanged" }],
      // A place to begin at, like that of a page.
      After: [],
    },
  },
  {
    of: ["listAllEvents"],
    list: (db, page, { type }) => eventLog(db).listAll(page, type as "OptOutChanged"),
    filters: { Type: [{ type: "OptOutChanged" }, { type: "PortOrderStatusChanged" }] },
  },
  ...[LARGE, undefined].map((accountSid) => ({
    of: accountSid === undefined ? ["listAllPortOrders"] : ["listPortOrders", "listAllPortOrders"],
    list: (db: Queryable, page: PageRequest, filters: Filters) =>
      portOrderStore(db, box).list({ ...filters, accountSid }, page),
    filters: { Status: [{ status: "Failed" }, { status: "Submitted" }], AccountSid: [] },
  })),
  ...[LARGE, undefined].map((accountSid) => ({
    of: accountSid === undefined ? ["listCampaigns"] : ["listTcrCampaigns", "listCampaigns"],
    list: (db: Queryable, page: PageRequest, filters: Filters) =>
      campaignStore(db, none).list({ ...filters, accountSid }, page),
    filters: {
      Status: [{ status: "Expired" }, { status: "Suspended" }],
      Source: [{ source: "Manual" }, { source: "Registry" }],
      AccountSid: [],
    },
  })),
  ...[LARGE, undefined].map((accountSid) => ({
    of: accountSid === undefined ? ["listAllWebhooks"] : ["listWebhooks", "listAllWebhooks"],
    list: (db: Queryable, page: PageRequest, filters: Filters) =>
      subscriptionStore(db, box).list({ ...filters, accountSid }, page),
    filters: { Enabled: [{ enabled: true }, { enabled: false }], AccountSid: [] },
  })),
  {
    of: ["listMessagingConfigs"],
    list: (db, page) => messagingConfigStore(db, none).list(LARGE, page),
    filters: {},
  },
  { of: ["listAccounts"], list: (db, page) => accountStore(db, box, none).list(page), filters: {} },
  {
    of: ["listFeatureRequests"],
    list: (db, page, { status }) => featureRequestStore(db).list(page, status as "Open"),
    filters: { Status: [{ status: "Open" }, { status: "Declined" }] },
  },
  {
    of: ["listAuditLog"],
    list: (db, page, filters) => auditLog(db).list(page, filters),
    filters: {
      Operator: [{ operator: "ann" }, { operator: "none" }],
      Subject: [{ subject: LARGE }, { subject: "none" }],
    },
  },
  { of: ["listUnassignedCampaigns"], list: (db, page) => followedCampaignStore(db).listUnassigned(page), filters: {} },
  { of: ["listLookupOverrides"], list: (db, page) => overrideStore(db, none).list(page), filters: {} },
  { of: ["listInventory"], list: (db, page) => inventoryStore(db, none).list(page), filters: {} },
  { of: ["listTroubledRecordings"], list: (db, page) => troubledRecordings(db).list(page), filters: {} },
] as readonly Case[];
