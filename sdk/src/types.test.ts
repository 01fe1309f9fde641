import { describe, expect, test } from "vitest";
import api from "../../api/tandem.json" with { type: "json" };
import {
  CAMPAIGN_STATUSES,
  type Encoding,
  type InboundMessage,
  MESSAGE_STATUSES,
  type MessageDryRun,
  type MessageOrder,
  type MessageTrail,
  type MessagingConfig,
  type MessagingConfigChange,
  type MessagingConfigOrder,
  type NumberFeature,
  type OperatorThroughput,
  type OptOut,
  type OptOutOrder,
  type OutboundMessage,
  PHONE_STATUSES,
  type Phone,
  type PhoneChange,
  type PhoneOrder,
  type PhonesAssigned,
  PRIORITIES,
  SCOPE_TYPES,
  type SendingTimes,
  type TcrCampaign,
  type TcrCampaignChange,
  WEEKDAYS,
} from "./messaging-types.ts";
import {
  CAMPAIGN_STANDINGS,
  MIGRATION_STATUSES,
  type Migration,
  type MigrationBlocker,
  type MigrationCampaign,
  type MigrationConfig,
  type MigrationNextStep,
  type MigrationNumber,
  type MigrationNumberCount,
  type MigrationPortOrder,
  type MigrationPreflightFinding,
  type MigrationRegistry,
  type MigrationStepTime,
  type MigrationSummary,
  type MigrationTimelineEntry,
  type OrderedPort,
  PORT_NUMBER_STATUSES,
  PORT_ORDER_STATUSES,
  type PortAnswer,
  type Portability,
  type PortDocument,
  type PortInOrder,
  type PortLetterOrder,
  type PortOrder,
  type PortOrderNumber,
  type PortPhone,
  type PortServiceAddress,
  type PortSubscriber,
  SUBSCRIBER_TYPES,
} from "./porting-types.ts";
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

const configChange = {
  name: false,
  tcrCampaignId: false,
  sendingTimes: false,
  defaultExpirySeconds: false,
  optOutReply: false,
  optInReply: false,
  helpReply: false,
} satisfies Members<MessagingConfigChange>;

const portAnswer = {
  phones: false,
  losingCarrier: false,
  accountNumber: false,
  billingTelephoneNumber: false,
  subscriber: false,
  serviceAddress: false,
  requestedOn: false,
  customerReference: false,
} satisfies Members<PortAnswer>;

const portLetter = {
  ...portAnswer,
  messagingConfigSid: false,
  phones: true,
  accountNumber: true,
  subscriber: true,
  serviceAddress: true,
} satisfies Members<PortLetterOrder>;

const migrationSummary = {
  tcrCampaignId: true,
  status: true,
  dryRun: true,
  upstreamCnpId: true,
  registry: true,
  messagingConfigSid: true,
  linked: true,
  numberCounts: true,
  blockers: true,
  nextSteps: true,
} satisfies Members<MigrationSummary>;

const page = { items: true, searchId: false } satisfies Members<ListAnswer<unknown>>;

/** True where the member is always there. */
const shapes = {
  NumberInformation: { number: true, status: true, type: true, carrierName: true } satisfies Members<NumberInformation>,
  FailedLookup: { number: true, error: true } satisfies Members<FailedLookup>,
  LookupBatchAnswer: { items: true } satisfies Members<LookupBatchAnswer>,
  Limit: { requests: true, windowSeconds: true } satisfies Members<Limit>,
  Limits: {
    lookup: true,
    lookupBatch: true,
    send: true,
    sendToRecipient: true,
    read: true,
    write: true,
  } satisfies Members<Limits>,
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
  OutboundMessage: {
    sid: true,
    from: true,
    to: true,
    recipients: true,
    text: true,
    mediaUrls: true,
    status: true,
    statusReason: true,
    segmentCount: true,
    encoding: true,
    carrier: true,
    messagingConfigSid: true,
    tcrCampaignId: true,
    priority: true,
    errorCode: true,
    errorDescription: true,
    createdOn: true,
    sentOn: true,
    deliveredOn: true,
    expiresOn: true,
  } satisfies Members<OutboundMessage>,
  MessageDryRun: {
    wouldSend: true,
    segmentCount: true,
    encoding: true,
    recipients: true,
    refusals: true,
  } satisfies Members<MessageDryRun>,
  MessageTrail: {
    sid: true,
    status: true,
    errorCode: true,
    errorDescription: true,
    steps: true,
  } satisfies Members<MessageTrail>,
  InboundMessage: {
    sid: true,
    from: true,
    to: true,
    additionalRecipients: true,
    text: true,
    mediaUrls: true,
    segmentCount: true,
    conversationMetadata: true,
    createdOn: true,
  } satisfies Members<InboundMessage>,
  Phone: {
    number: true,
    name: true,
    status: true,
    statusReason: true,
    messagingConfigSid: true,
    portOrderSid: true,
    features: true,
    createdOn: true,
    updatedOn: true,
  } satisfies Members<Phone>,
  PhoneOrder: { phone: true, name: false, messagingConfigSid: false } satisfies Members<PhoneOrder>,
  PhoneChange: { name: false, messagingConfigSid: false } satisfies Members<PhoneChange>,
  MessagingConfig: {
    sid: true,
    name: true,
    tcrCampaignId: true,
    sendingTimes: true,
    defaultExpirySeconds: true,
    optOutReply: true,
    optInReply: true,
    helpReply: true,
    createdOn: true,
  } satisfies Members<MessagingConfig>,
  MessagingConfigOrder: { ...configChange, name: true } satisfies Members<MessagingConfigOrder>,
  MessagingConfigChange: configChange,
  PhonesAssigned: { success: true, failed: true } satisfies Members<PhonesAssigned>,
  TcrCampaign: {
    tcrCampaignId: true,
    tcrBrandId: true,
    name: true,
    status: true,
    throughput: true,
    messagingConfigSid: true,
    importedOn: true,
  } satisfies Members<TcrCampaign>,
  TcrCampaignChange: { messagingConfigSid: false } satisfies Members<TcrCampaignChange>,
  OperatorThroughput: {
    operator: true,
    messageClass: true,
    smsPerMinute: true,
    mmsPerMinute: true,
    brandTier: true,
  } satisfies Members<OperatorThroughput>,
  PortPhone: { number: true, pin: false } satisfies Members<PortPhone>,
  PortSubscriber: { type: true, name: true, authorizedPerson: true } satisfies Members<PortSubscriber>,
  PortServiceAddress: {
    street: true,
    street2: false,
    city: true,
    state: true,
    postalCode: true,
    country: true,
  } satisfies Members<PortServiceAddress>,
  PortInData: { ...portLetter, messagingConfigSid: true } satisfies Members<PortInOrder>,
  PortLetterData: portLetter,
  PortAnswerData: portAnswer,
  PortInAnswer: { sid: true, status: true, phones: true } satisfies Members<OrderedPort>,
  PortOrder: {
    sid: true,
    status: true,
    reasonCode: true,
    reason: true,
    answerWith: true,
    messagingConfigSid: true,
    numbers: true,
    losingCarrier: true,
    accountNumber: true,
    billingTelephoneNumber: true,
    subscriber: true,
    serviceAddress: true,
    requestedOn: true,
    customerReference: true,
    documents: true,
    submitted: true,
    cancelRequestedOn: true,
    refused: true,
    createdOn: true,
    updatedOn: true,
  } satisfies Members<PortOrder>,
  PortOrderNumber: {
    number: true,
    status: true,
    reasonCode: true,
    reason: true,
    focOn: true,
    voiceMovedOn: true,
    messagingMovedOn: true,
  } satisfies Members<PortOrderNumber>,
  PortDocument: {
    place: true,
    name: true,
    contentType: true,
    sizeBytes: true,
    pageCount: true,
    sha256: true,
    createdOn: true,
  } satisfies Members<PortDocument>,
  Portability: {
    number: true,
    portable: true,
    reason: true,
    type: true,
    losingCarrier: true,
    needs: true,
  } satisfies Members<Portability>,
  MigrationSummary: migrationSummary,
  Migration: {
    ...migrationSummary,
    preflight: true,
    campaign: true,
    linkOutcome: true,
    messagingConfigs: true,
    portOrders: true,
    numbers: true,
    times: true,
  } satisfies Members<Migration>,
  MigrationRegistry: { standing: true, reason: true, since: true, seenOn: true } satisfies Members<MigrationRegistry>,
  MigrationBlocker: { code: true, says: true, todo: true, numbers: true } satisfies Members<MigrationBlocker>,
  MigrationNextStep: { who: true, says: true } satisfies Members<MigrationNextStep>,
  MigrationNumberCount: { status: true, count: true } satisfies Members<MigrationNumberCount>,
  MigrationPreflightFinding: {
    check: true,
    number: true,
    passed: true,
    says: true,
  } satisfies Members<MigrationPreflightFinding>,
  MigrationCampaign: {
    tcrBrandId: true,
    name: true,
    status: true,
    messagingConfigSid: true,
    importedOn: true,
  } satisfies Members<MigrationCampaign>,
  MigrationConfig: { sid: true, name: true, tcrCampaignId: true } satisfies Members<MigrationConfig>,
  MigrationPortOrder: {
    sid: true,
    status: true,
    reason: true,
    focOn: true,
    numberCount: true,
    createdOn: true,
  } satisfies Members<MigrationPortOrder>,
  MigrationTimelineEntry: {
    at: true,
    status: true,
    previousStatus: true,
    reason: true,
  } satisfies Members<MigrationTimelineEntry>,
  MigrationNumber: {
    number: true,
    status: true,
    statusReason: true,
    portOrderSid: true,
    portStatus: true,
    portReason: true,
    messagingMovedOn: true,
    activatesOn: true,
    timeline: true,
  } satisfies Members<MigrationNumber>,
  MigrationStepTime: {
    step: true,
    expectedSeconds: true,
    startedOn: true,
    endedOn: true,
    seconds: true,
    late: true,
  } satisfies Members<MigrationStepTime>,
  OptOut: {
    number: true,
    scopeType: true,
    scope: true,
    keyword: true,
    createdOn: true,
  } satisfies Members<OptOut>,
  OptOutOrder: { number: true, scopeType: true, scope: true } satisfies Members<OptOutOrder>,
  Event: { id: true, type: true, resourceSid: true, createdOn: true, payload: true } satisfies Members<AccountEvent>,
};

const words = {
  PhoneMessagingStatus: { Active: true, Inactive: true } satisfies Words<MessagingStatus>,
  PhoneType: { Unknown: true, Wireless: true, Landline: true, VoIP: true } satisfies Words<PhoneType>,
  AccountStatus: { Active: true, Suspended: true } satisfies Words<OwnAccount["status"]>,
  NumberFeature: { SMS: true, MMS: true, VOICE: true } satisfies Words<NumberFeature>,
  Feature: { voice: true, campaignMigration: true } satisfies Words<OwnAccount["features"][number]>,
};

const lists = {
  EventType: EVENT_TYPES,
  DeliveryStatus: DELIVERY_STATUSES,
  PayloadShape: PAYLOAD_SHAPES,
  MessageStatus: MESSAGE_STATUSES,
  PhoneStatus: PHONE_STATUSES,
  CampaignStatus: CAMPAIGN_STATUSES,
  PortOrderStatus: PORT_ORDER_STATUSES,
  PortNumberStatus: PORT_NUMBER_STATUSES,
  MigrationStatus: MIGRATION_STATUSES,
  CampaignStanding: CAMPAIGN_STANDINGS,
};

/** Called `From` in the document, for a form's sake; a server takes either. */
const messageOrder = {
  from: true,
  to: false,
  recipients: false,
  text: false,
  mediaUrls: false,
  priority: false,
  expiresOn: false,
  sendAt: false,
  callbackUrlOverride: false,
  conversationMetadata: false,
  holdUntilActive: false,
  smartEncoding: false,
} satisfies Members<MessageOrder>;

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

const schemas = api.components.schemas as unknown as Readonly<Record<string, Schema>>;

const membersOf = (schema: Schema | undefined) => ({ ...schema?.properties }) as Readonly<Record<string, Schema>>;

function within(name: string, member: string): Schema {
  const found = membersOf(schemas[name])[member];
  const ref = (found?.$ref ?? found?.allOf?.[0]?.$ref)?.split("/").at(-1);
  return (ref === undefined ? found : schemas[ref]) ?? {};
}

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

  test("MessageOrder has the same members, but for the dry run, which is a call of its own", () => {
    const { properties = {}, required } = schemas.MessageOrder ?? {};
    const expected = Object.keys(messageOrder).map((name) => name.charAt(0).toUpperCase() + name.slice(1));
    expect(Object.keys(properties).sort()).toEqual([...expected, "DryRun"].sort());
    expect(required).toEqual(["From"]);
  });

  test("what stands within another schema, or is named by it, is the same", () => {
    const encodings = { GSM7: true, UCS2: true } satisfies Words<Encoding>;
    expect(within("OutboundMessage", "encoding").enum).toEqual(Object.keys(encodings));
    expect(within("MessageOrder", "Priority").enum).toEqual(PRIORITIES);
    expect(within("OptOut", "scopeType").enum).toEqual(SCOPE_TYPES);
    expect(within("PortSubscriber", "type").enum).toEqual(SUBSCRIBER_TYPES);
    const actors = { You: true, Support: true, Us: true, Registry: true, LosingCarrier: true } satisfies Words<
      MigrationNextStep["who"]
    >;
    expect(within("MigrationNextStep", "who").enum).toEqual(Object.keys(actors));
    const checks = { Feature: true, Registry: true, Owner: true, Config: true, Number: true } satisfies Words<
      MigrationPreflightFinding["check"]
    >;
    expect(within("MigrationPreflightFinding", "check").enum).toEqual(Object.keys(checks));
    const steps = { PortIn: true, Acceptance: true, Activation: true, OutboundOutage: true } satisfies Words<
      MigrationStepTime["step"]
    >;
    expect(within("MigrationStepTime", "step").enum).toEqual(Object.keys(steps));
    const times = within("MessagingConfig", "sendingTimes");
    const always = { timeZone: true, days: true, from: true, to: true } satisfies Members<SendingTimes>;
    expect([...(times.required ?? [])].sort()).toEqual(Object.keys(always).sort());
    expect(membersOf(times).days?.items?.enum).toEqual(WEEKDAYS);
  });
});
