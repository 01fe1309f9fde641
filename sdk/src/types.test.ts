import { describe, expect, test } from "vitest";
import api from "../../api/tandem.json" with { type: "json" };
import {
  type AccountEvent,
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  EVENT_TYPES,
  type FailedLookup,
  type Limit,
  type Limits,
  type ListAnswer,
  type LookupBatchAnswer,
  type MessagingStatus,
  type NumberInformation,
  type OwnAccount,
  PAYLOAD_SHAPES,
  type PhoneType,
  type ReplayAnswer,
  type ReplayOrder,
  type ValidationProblem,
  type WebhookChange,
  type WebhookDelivery,
  type WebhookOrder,
  type WebhookSubscription,
  type WebhookSubscriptionWithSecret,
} from "./types.ts";

// The compiler holds each list to the type, the test holds it to the document.
type Members<Type> = { readonly [Name in keyof Type]-?: undefined extends Type[Name] ? false : true };
type Words<Union extends string> = Readonly<Record<Union, true>>;

const subscription = {
  sid: true,
  type: true,
  url: true,
  backupUrl: true,
  messagingConfigSid: true,
  phone: true,
  payloadShape: true,
  enabled: true,
  disabledReason: true,
  createdOn: true,
  lastSuccessOn: true,
} satisfies Members<WebhookSubscription>;

const page = { items: true, searchId: false } satisfies Members<ListAnswer<unknown>>;

/** True where the member is always there. */
const shapes = {
  NumberInformation: { number: true, status: true, type: true, carrierName: true } satisfies Members<NumberInformation>,
  FailedLookup: { number: true, error: true } satisfies Members<FailedLookup>,
  LookupBatchAnswer: { items: true } satisfies Members<LookupBatchAnswer>,
  Limit: { requests: true, windowSeconds: true } satisfies Members<Limit>,
  Limits: { lookup: true, lookupBatch: true, send: true, read: true, write: true } satisfies Members<Limits>,
  OwnAccount: {
    sid: true,
    name: true,
    status: true,
    features: true,
    limits: true,
    defaultCallerId: true,
    upstreamCnpId: true,
    sipSourceAddresses: true,
    supportContact: true,
    webhookSecretCreatedOn: true,
    createdOn: true,
  } satisfies Members<OwnAccount>,
  ValidationProblem: {
    type: true,
    title: true,
    status: true,
    detail: true,
    instance: true,
    code: true,
    traceId: true,
    errors: true,
  } satisfies Members<ValidationProblem>,
  WebhookSubscription: subscription,
  WebhookSubscriptionWithSecret: { ...subscription, secret: true } satisfies Members<WebhookSubscriptionWithSecret>,
  WebhookOrder: {
    type: true,
    url: true,
    backupUrl: false,
    messagingConfigSid: false,
    phone: false,
    authorizationBearer: false,
    payloadShape: false,
    enabled: false,
  } satisfies Members<WebhookOrder>,
  WebhookChange: {
    url: false,
    backupUrl: false,
    authorizationBearer: false,
    payloadShape: false,
    enabled: false,
  } satisfies Members<WebhookChange>,
  WebhookList: page,
  DeliveryList: page,
  EventList: page,
  WebhookDelivery: {
    sid: true,
    subscriptionSid: true,
    type: true,
    resourceSid: true,
    sequence: true,
    status: true,
    attemptCount: true,
    nextAttemptOn: true,
    createdOn: true,
    finishedOn: true,
    attempts: true,
  } satisfies Members<WebhookDelivery>,
  DeliveryAttempt: {
    at: true,
    url: true,
    status: true,
    failure: true,
    ms: true,
    answer: true,
  } satisfies Members<DeliveryAttempt>,
  ReplayOrder: { type: false, status: false, from: false, to: false, url: false } satisfies Members<ReplayOrder>,
  ReplayAnswer: { replayed: true, complete: true } satisfies Members<ReplayAnswer>,
  Event: { id: true, type: true, resourceSid: true, createdOn: true, payload: true } satisfies Members<AccountEvent>,
};

const words = {
  PhoneMessagingStatus: { Active: true, Inactive: true } satisfies Words<MessagingStatus>,
  PhoneType: { Unknown: true, Wireless: true, Landline: true, VoIP: true } satisfies Words<PhoneType>,
  AccountStatus: { Active: true, Suspended: true } satisfies Words<OwnAccount["status"]>,
  Feature: { voice: true, campaignMigration: true } satisfies Words<OwnAccount["features"][number]>,
};

const lists = { EventType: EVENT_TYPES, DeliveryStatus: DELIVERY_STATUSES, PayloadShape: PAYLOAD_SHAPES };

interface Schema {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

const schemas = api.components.schemas as unknown as Readonly<Record<string, Schema>>;

describe("the client's types are those of the OpenAPI document", () => {
  test.each(Object.entries(shapes))("%s has the same members", (name, members) => {
    expect(Object.keys(schemas[name]?.properties ?? {}).sort()).toEqual(Object.keys(members).sort());
    const always = Object.entries(members).flatMap(([member, isAlways]) => (isAlways ? [member] : []));
    expect([...(schemas[name]?.required ?? [])].sort()).toEqual(always.sort());
  });

  test.each(Object.entries(words))("%s has the same words", (name, members) => {
    expect([...(schemas[name]?.enum ?? [])].sort()).toEqual(Object.keys(members).sort());
  });

  test.each(Object.entries(lists))("%s has the same words in the same order", (name, words) => {
    expect(schemas[name]?.enum).toEqual(words);
  });
});
