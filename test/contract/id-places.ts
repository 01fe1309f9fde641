// Where requests contain ids: every operation, documented or not, with every place for an id in its path, its query and
// its body, and the kind of resource the id names. A place that the tables do not know is an error, so that every new
// operation has to declare here what its ids are.

import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Operation } from "../../src/adapters/http/core/operation.ts";
import { twilioAvailableOperations } from "../../src/adapters/twilio/available-numbers.ts";
import { twilioCallOperations } from "../../src/adapters/twilio/calls.ts";
import { twilioConferenceOperations } from "../../src/adapters/twilio/conferences.ts";
import { twilioLookupOperations } from "../../src/adapters/twilio/lookups.ts";
import { twilioMediaOperations } from "../../src/adapters/twilio/media.ts";
import { twilioMessageOperations } from "../../src/adapters/twilio/messages.ts";
import { isRefused } from "../../src/adapters/twilio/operation.ts";
import { twilioPhoneOperations } from "../../src/adapters/twilio/phone-numbers.ts";
import { twilioRecordingOperations } from "../../src/adapters/twilio/recordings.ts";
import { prefixOf } from "../../src/server/running/part.ts";
import { resolve, type Schema } from "./from-schema.ts";

const KINDS = [
  "account",
  "call",
  "conference",
  "campaign",
  "config",
  "delivery",
  "inbound",
  "media",
  "outbound",
  "person",
  "phone",
  "portOrder",
  "position",
  "requestId",
  "signature",
  "traceId",
  "twilioConfig",
  "twilioInbound",
  "twilioOutbound",
  "twilioPhone",
  "twilioRecording",
  "view",
  "webhook",
] as const;
export type Kind = (typeof KINDS)[number];

/** `none`: no id, or of something that belongs to no account. `cursor`: the position in a list where a page ended. */
type Meaning = Kind | readonly Kind[] | "none" | "cursor";

export interface Place {
  readonly in: "path" | "query" | "body";
  /** Name of a parameter, or path to a member of the body: `phones[].number`. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly kinds: readonly Kind[];
  readonly isCursor: boolean;
}

export interface NamedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly who: "account" | "operator" | "anyone";
  readonly body: "json" | "form" | "multipart" | "none";
  readonly places: readonly Place[];
}

/** By path up to and including the parameter. */
const PATHS: Readonly<Record<string, Meaning>> = {
  "/carrierLookup/v1/Numbers/{Number}": "phone",
  "/messaging/v1/OutboundMessages/{sid}": "outbound",
  "/messaging/v1/InboundMessages/{sid}": "inbound",
  // Its position in the account's own list.
  "/v1/Account/tokens/{n}": "none",
  "/v1/Session/Views/{sid}": "view",
  "/v1/Phones/{phone}": "phone",
  "/v1/Phones/port-in/{sid}": "portOrder",
  "/v1/MessagingConfigs/{sid}": "config",
  "/v1/TcrCampaigns/{tcrCampaignId}": "campaign",
  "/v1/Migrations/{tcrCampaignId}": "campaign",
  "/v1/Voice/Calls/{sid}": "call",
  "/v1/Voice/Conferences/{sid}": "conference",
  "/v1/Voice/Conferences/{sid}/participants/{callSid}": "call",
  "/v1/Voice/Calls/{sid}/recordings/{index}": "none",
  "/v1/Requests/{requestId}": "requestId",
  "/v1/Webhooks/{sid}": "webhook",
  "/v1/Webhooks/deliveries/{sid}": "delivery",
  "/v1/Media/{sid}": "media",
  "/2010-04-01/Accounts/{AccountSid}": "account",
  "/2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json": ["twilioOutbound", "twilioInbound"],
  "/2010-04-01/Accounts/{AccountSid}/Messages/{MessageSid}": "twilioInbound",
  "/2010-04-01/Accounts/{AccountSid}/Messages/{MessageSid}/Media/{Sid}.json": "media",
  "/2010-04-01/Accounts/{AccountSid}/Messages/{MessageSid}/Media/{Sid}": "media",
  "/2010-04-01/Accounts/{AccountSid}/Calls/{Sid}.json": "call",
  "/2010-04-01/Accounts/{AccountSid}/Calls/{CallSid}": "call",
  "/2010-04-01/Accounts/{AccountSid}/Calls/{CallSid}/Recordings/{Sid}.json": "twilioRecording",
  "/2010-04-01/Accounts/{AccountSid}/Conferences/{Sid}.json": "conference",
  "/2010-04-01/Accounts/{AccountSid}/Conferences/{ConferenceSid}": "conference",
  "/2010-04-01/Accounts/{AccountSid}/Conferences/{ConferenceSid}/Participants/{CallSid}.json": "call",
  "/2010-04-01/Accounts/{AccountSid}/Conferences/{ConferenceSid}/Recordings/{Sid}.json": "twilioRecording",
  "/2010-04-01/Accounts/{AccountSid}/AvailablePhoneNumbers/{CountryCode}": "none",
  "/2010-04-01/Accounts/{AccountSid}/Recordings/{Sid}.json": "twilioRecording",
  "/2010-04-01/Accounts/{AccountSid}/Recordings/{Sid}.mp3": "twilioRecording",
  "/2010-04-01/Accounts/{AccountSid}/Recordings/{Sid}": "twilioRecording",
  "/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers/{Sid}.json": "twilioPhone",
  "/v2/PhoneNumbers/{PhoneNumber}": "phone",
  "/operator/v1/Accounts/{accountSid}": "account",
};

/** By parameter, preceded by the operation where it means something else in that operation. */
const QUERIES: Readonly<Record<string, Meaning>> = {
  AreaCode: "none",
  After: "position",
  CallSid: "call",
  ConferenceSid: "conference",
  Contains: "none",
  CountryCode: "none",
  CreatedOnFrom: "none",
  CreatedOnTo: "none",
  DateCreated: "none",
  "DateCreated<": "none",
  "DateCreated>": "none",
  DateSent: "none",
  "DateSent<": "none",
  "DateSent>": "none",
  Direction: "none",
  ErrorCode: "none",
  Everywhere: "none",
  Fields: "none",
  FriendlyName: "none",
  From: ["phone", "person"],
  Hold: "none",
  Include: "none",
  Kind: "none",
  LastEventId: "position",
  MessagingConfigSid: "config",
  Minutes: "none",
  MmsEnabled: "none",
  Muted: "none",
  Name: "none",
  Number: "person",
  "checkPortability Number": "phone",
  Numbers: "phone",
  Operation: "none",
  OrderByDirection: "none",
  Page: "none",
  PageSize: "none",
  PageToken: "cursor",
  ParentCallSid: "call",
  PhoneNumber: "phone",
  // Of anything: any of these may be looked for.
  Query: ["phone", "outbound", "inbound", "call", "config", "webhook", "delivery", "portOrder", "campaign"],
  Quantity: "none",
  RequestId: "requestId",
  Resource: ["webhook", "config", "phone"],
  ResourceSid: ["outbound", "inbound", "call"],
  Scope: ["phone", "campaign"],
  ScopeType: "none",
  SmsEnabled: "none",
  SearchId: "cursor",
  StartTime: "none",
  "StartTime<": "none",
  "StartTime>": "none",
  Status: "none",
  Step: "none",
  SubscriptionSid: "webhook",
  To: ["phone", "person"],
  TraceId: "traceId",
  Type: "none",
  VoiceEnabled: "none",
  expires: "none",
  signature: "signature",
};

/** Members of bodies, in the same way. The destination of a message or a call may be any number, so it is no id. */
const MEMBERS: Readonly<Record<string, Meaning>> = {
  From: "phone",
  "twilioCreateMessage MessagingServiceSid": "twilioConfig",
  accountSid: "account",
  callerId: "phone",
  messagingConfigSid: "config",
  numbers: "phone",
  phone: "phone",
  phones: "phone",
  "phones.number": "phone",
  scope: ["phone", "campaign"],
  subscriptionSid: "webhook",
  tcrCampaignId: "campaign",
  "twilioCreatePhoneNumber PhoneNumber": "phone",
  "emulateInboundMessage to": "phone",
  "emulateInboundCall to": "phone",
  "emulateOutboundMessageStatus sid": "outbound",
  "emulatePort sid": "portOrder",
  // Names nothing of ours: people's numbers, external addresses, texts, secrets.
  accountNumber: "none",
  address: "none",
  AreaCode: "none",
  audioUrl: "none",
  authorizationBearer: "none",
  backupUrl: "none",
  billingTelephoneNumber: "none",
  Body: "none",
  CallbackUrlOverride: "none",
  callsForwardedTo: "none",
  ConversationMetadata: "none",
  customerReference: "none",
  digits: "none",
  ExpiresOn: "none",
  FallbackUrl: "none",
  files: "none",
  FriendlyName: "none",
  from: "none",
  helpKeywords: "none",
  helpReply: "none",
  keyPressPrompt: "none",
  losingCarrier: "none",
  MediaUrl: "none",
  mediaUrls: "none",
  MediaUrls: "none",
  name: "none",
  number: "none",
  operatorToken: "none",
  optInKeywords: "none",
  optInReply: "none",
  optOutKeywords: "none",
  optOutReply: "none",
  "phones.pin": "none",
  reason: "none",
  Recipients: "none",
  requestedOn: "none",
  script: "none",
  scriptUrl: "none",
  SendAt: "none",
  "sendingTimes.from": "none",
  "sendingTimes.timeZone": "none",
  "sendingTimes.to": "none",
  "serviceAddress.city": "none",
  "serviceAddress.country": "none",
  "serviceAddress.postalCode": "none",
  "serviceAddress.state": "none",
  "serviceAddress.street": "none",
  "serviceAddress.street2": "none",
  SendDigits: "none",
  SmsFallbackUrl: "none",
  SmsUrl: "none",
  Status: "none",
  StatusCallback: "none",
  "subscriber.authorizedPerson": "none",
  "subscriber.name": "none",
  text: "none",
  Text: "none",
  ticket: "none",
  to: "none",
  To: "none",
  token: "none",
  Twiml: "none",
  url: "none",
  Url: "none",
  VoiceFallbackUrl: "none",
  VoiceUrl: "none",
};

function placeOf(within: Place["in"], name: string, isRequired: boolean, meaning: Meaning | undefined): Place {
  if (meaning === undefined) throw new Error(`say in id-places.ts what ${name} names`);
  const kinds = meaning === "none" || meaning === "cursor" ? [] : [meaning].flat();
  return { in: within, name, isRequired, kinds: kinds as readonly Kind[], isCursor: meaning === "cursor" };
}

function pathPlaces(path: string): readonly Place[] {
  // Operators read by the account's paths.
  const own = path.replace("/operator/v1/Accounts/{accountSid}/", "/v1/");
  const account = own === path ? [] : [placeOf("path", "accountSid", true, "account")];
  const places = [...own.matchAll(/\{(\w+)\}(\.\w+)?/g)].map((match) => {
    const [all, name = ""] = match;
    const template = own.slice(0, match.index + all.length);
    const spelled = template.replace(/^\/v1\/(Outbound|Inbound)Messages/, "/messaging/v1/$1Messages");
    return placeOf("path", name, true, PATHS[spelled]);
  });
  return [...account, ...places];
}

const inTable = (table: Readonly<Record<string, Meaning>>, id: string, name: string) =>
  table[`${id.replace(/OfAccount$/, "")} ${name}`] ?? table[name];

// --- the document

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Paths of the members that are texts, from the outermost: `serviceAddress.city`; lists by their name alone. */
function textsOf(components: Document["components"]["schemas"], schema: Schema, name = ""): readonly string[] {
  if (schema.$ref !== undefined) return textsOf(components, resolve({ components }, schema.$ref), name);
  const within = (part: string) => (name === "" ? part : `${name}.${part}`);
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([part, member]) => textsOf(components, member, within(part)));
  }
  if (schema.type === "array") return textsOf(components, schema.items ?? {}, name);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return [...new Set(choices.flatMap((choice) => textsOf(components, choice, name)))];
  return schema.type === "string" && !schema.enum ? [name] : [];
}

const BODIES = { "application/json": "json", "multipart/form-data": "multipart" } as const;

function bodyOf({ requestBody }: Described): readonly [NamedOperation["body"], Schema] {
  for (const [type, body] of Object.entries(BODIES)) {
    const schema = requestBody?.content[type]?.schema;
    if (schema) return [body, body === "multipart" ? (schema.properties?.data ?? {}) : schema];
  }
  return ["none", {}];
}

function whoOf({ security }: Described): NamedOperation["who"] {
  if (security.some((scheme) => "operator" in scheme)) return "operator";
  return security.some((scheme) => "account" in scheme) ? "account" : "anyone";
}

/** Ids in an operator's own operations belong to no account: only operators can call them. */
const isOperatorsOwn = (path: string) => path.startsWith("/operator/") && !path.includes("{accountSid}");

function documented(file: string): readonly NamedOperation[] {
  const text = readFileSync(new URL(`../../api/${file}`, import.meta.url), "utf8");
  const { paths, components } = JSON.parse(text) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const id = described.operationId;
      const [body, schema] = bodyOf(described);
      const queries = described.parameters.filter((parameter) => parameter.in === "query");
      const canonical = path.replace(/^\/messaging\/v1\/(?!(Out|In)boundMessages)/, "/v1/");
      const places = isOperatorsOwn(path)
        ? []
        : [
            ...pathPlaces(canonical),
            ...queries.map(({ name, required }) => placeOf("query", name, required, inTable(QUERIES, id, name))),
            ...textsOf(components.schemas, schema).map((name) =>
              placeOf("body", name, false, inTable(MEMBERS, id, name)),
            ),
          ];
      return { id, method: method.toUpperCase(), path, who: whoOf(described), body, places };
    }),
  );
}

// --- undocumented operations

const keysOf = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.entries(schema.shape) : []);

/** Whether a member is a text or a list of texts. */
function isText(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isText(schema.unwrap());
  return schema instanceof z.ZodArray ? isText(schema.element) : schema instanceof z.ZodString;
}

function inTwiliosShape(prefix: string, operations: readonly Operation<never>[]): readonly NamedOperation[] {
  return operations.map(({ id, method, path, query, body }) => ({
    id,
    method,
    path: `${prefix}${path}`,
    who: "account",
    body: body ? "form" : "none",
    places: [
      ...pathPlaces(`${prefix}${path}`),
      ...keysOf(query).flatMap(([name, member]) =>
        isRefused(member) ? [] : [placeOf("query", name, false, inTable(QUERIES, id, name))],
      ),
      ...keysOf(body).flatMap(([name, member]) =>
        isText(member) ? [placeOf("body", name, false, inTable(MEMBERS, id, name))] : [],
      ),
    ],
  }));
}

const media: NamedOperation = {
  id: "getMedia",
  method: "GET",
  path: "/v1/Media/{sid}",
  who: "account",
  body: "none",
  places: pathPlaces("/v1/Media/{sid}"),
};

/** All operations. */
export const operations: readonly NamedOperation[] = [
  ...documented("tandem.json"),
  media,
  ...inTwiliosShape(prefixOf("twilio"), [
    ...twilioMessageOperations,
    ...twilioMediaOperations,
    ...twilioCallOperations,
    ...twilioConferenceOperations,
    ...twilioRecordingOperations,
    ...twilioPhoneOperations,
    ...twilioAvailableOperations,
  ]),
  ...inTwiliosShape(prefixOf("twilioLookups"), twilioLookupOperations),
];

/** The same operations under their second prefix. */
export const aliases: readonly NamedOperation[] = documented("messaging.json").filter(
  ({ path }) => !/\/(Out|In)boundMessages|\/Session$/.test(path),
);
