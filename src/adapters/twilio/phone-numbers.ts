// The account's numbers in Twilio's shape. Their URLs are subscriptions of payload shape Twilio for that number only,
// one for each: messages, calls that request a script, and the progress of calls.

import { z } from "zod";
import type { Ids } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import type { Account } from "../../domain/accounts/index.ts";
import type { EventType } from "../../domain/events.ts";
import { nationalFormat, parseNumber } from "../../domain/lookup/index.ts";
import { changePhone, findServing, type Phone, removePhone, takePhone } from "../../domain/numbers/index.ts";
import { invalid, type Problem } from "../../domain/problems.ts";
import {
  changeSubscription,
  type HttpMethod,
  makeSubscription,
  type Subscription,
} from "../../domain/webhooks/index.ts";
import type { Outcome } from "../http/core/operation.ts";
import type { Unit } from "../http/core/ports.ts";
import { anyText, text } from "../http/core/schemas.ts";
import { areaCode } from "./available-numbers.ts";
import { API_VERSION, NOT_FOUND, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";
import { PAGE_QUERY, pageBody, twilioDate, twilioPageRequest } from "./page.ts";
import { phoneOfSid, twilioPhoneSid } from "./phone-sid.ts";
import { inTheirWords } from "./problem.ts";

export interface TwilioPhoneDeps {
  readonly ids: Ids;
  readonly newSecret: () => string;
  readonly checkUrl: (url: string) => Result<unknown, string>;
}

const url = anyText(2_048).optional();

const method = z.enum(["POST", "GET"]).optional();

/** The parameters of a URL and its fallback with their methods, and what is sent there. */
const URLS = [
  {
    type: "InboundMessageReceived",
    url: "SmsUrl",
    method: "SmsMethod",
    fallback: "SmsFallbackUrl",
    fallbackMethod: "SmsFallbackMethod",
  },
  {
    type: "InboundCallReceivedWebhook",
    url: "VoiceUrl",
    method: "VoiceMethod",
    fallback: "VoiceFallbackUrl",
    fallbackMethod: "VoiceFallbackMethod",
  },
  { type: "CallStatusChangedWebhook", url: "StatusCallback", method: "StatusCallbackMethod" },
] as const satisfies readonly UrlParameters[];

interface UrlParameters {
  readonly type: EventType;
  readonly url: string;
  readonly method: string;
  readonly fallback?: string;
  readonly fallbackMethod?: string;
}

/** The settings of a number that can be changed. */
const SETTINGS = {
  FriendlyName: text(64).optional(),
  SmsUrl: url,
  SmsMethod: method,
  SmsFallbackUrl: url,
  SmsFallbackMethod: method,
  VoiceUrl: url,
  VoiceMethod: method,
  VoiceFallbackUrl: url,
  VoiceFallbackMethod: method,
  StatusCallback: url,
  StatusCallbackMethod: method,
  ...refusing(
    "AddressSid ApiVersion BundleSid EmergencyAddressSid EmergencyStatus IdentitySid SmsApplicationSid TrunkSid VoiceApplicationSid VoiceCallerIdLookup VoiceReceiveMode",
  ),
};

type Settings = z.output<z.ZodObject<typeof SETTINGS>>;

type Subscriptions = readonly Subscription[];

function allFor(subscriptions: Subscriptions, number: string, type: EventType): Subscriptions {
  return subscriptions.filter(({ phone, types }) => phone === number && types[0] === type);
}

function showPhone(phone: Phone, account: Account, subscriptions: Subscriptions): object {
  const { number, features } = phone;
  const sid = twilioPhoneSid(number);
  const [sms, voice, status] = URLS.map(({ type }) => allFor(subscriptions, number, type)[0]);
  return {
    account_sid: account.sid,
    address_requirements: "none",
    address_sid: null,
    api_version: API_VERSION,
    beta: false,
    bundle_sid: null,
    capabilities: {
      fax: false,
      mms: features.includes("MMS"),
      sms: features.includes("SMS"),
      voice: features.includes("VOICE"),
    },
    date_created: twilioDate(phone.createdOn),
    date_updated: twilioDate(phone.updatedOn),
    emergency_address_sid: null,
    emergency_address_status: "unregistered",
    emergency_status: "Inactive",
    friendly_name: phone.name ?? nationalFormat(number),
    identity_sid: null,
    origin: "twilio",
    phone_number: number,
    sid,
    sms_application_sid: "",
    sms_fallback_method: sms?.backupMethod ?? "POST",
    sms_fallback_url: sms?.backupUrl ?? "",
    sms_method: sms?.method ?? "POST",
    sms_url: sms?.url ?? "",
    status: phone.status === "Active" ? "in-use" : "pending",
    status_callback: status?.url ?? "",
    status_callback_method: status?.method ?? "POST",
    trunk_sid: null,
    type: null,
    uri: `/${API_VERSION}/Accounts/${account.sid}/IncomingPhoneNumbers/${sid}.json`,
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: voice?.backupMethod ?? "POST",
    voice_fallback_url: voice?.backupUrl ?? "",
    voice_method: voice?.method ?? "POST",
    voice_receive_mode: "voice",
    voice_url: voice?.url ?? "",
  };
}

async function only(unit: Unit, account: Account, number: string): Promise<readonly Phone[]> {
  const found = await findServing(unit.phones, account.sid, number);
  return found.ok ? [found.value] : [];
}

const THEIR_FIELDS = tableOf<string>({ phone: "PhoneNumber" });

async function wantedNumber(
  unit: Unit,
  { country }: Account,
  { PhoneNumber, AreaCode }: { readonly PhoneNumber?: string | undefined; readonly AreaCode?: string | undefined },
): Promise<Result<string, Problem>> {
  if (PhoneNumber !== undefined) {
    const read = parseNumber(PhoneNumber, country);
    return read.ok ? ok(read.value.e164) : refused(invalid({ PhoneNumber: [read.refusal.reason] }));
  }
  if (AreaCode === undefined) return refused(invalid({ PhoneNumber: ["PhoneNumber or AreaCode is required."] }));
  const [first] = await unit.inventory.available({ areaCode: AreaCode, quantity: 1 });
  return first ? ok(first.number) : refused(invalid({ AreaCode: [`No number of ${AreaCode} is available.`] }));
}

interface SetUpOrder {
  readonly number: string;
  readonly settings: Settings;
  readonly status: number;
}

async function setUp(
  unit: Unit,
  deps: TwilioPhoneDeps,
  account: Account,
  { number, settings, status }: SetUpOrder,
  now: Date,
): Promise<Outcome> {
  if (settings.FriendlyName !== undefined) {
    const named = await changePhone(unit, account.sid, number, { name: settings.FriendlyName }, now);
    if (!named.ok) return named;
  }
  const given: Readonly<Record<string, string | undefined>> = settings;
  const subscriptions = await unit.subscriptions.twilioOf(account.sid, [number]);
  for (const names of URLS as readonly UrlParameters[]) {
    const set = await setUrl(
      unit,
      deps,
      account,
      {
        number,
        type: names.type,
        known: allFor(subscriptions, number, names.type),
        url: given[names.url],
        method: given[names.method] as HttpMethod | undefined,
        fallback: names.fallback === undefined ? undefined : given[names.fallback],
        fallbackMethod:
          names.fallbackMethod === undefined ? undefined : (given[names.fallbackMethod] as HttpMethod | undefined),
        names,
      },
      now,
    );
    if (!set.ok) return set;
  }
  const [phone] = await only(unit, account, number);
  if (!phone) return NOT_FOUND;
  const changed = await unit.subscriptions.twilioOf(account.sid, [number]);
  return ok({ status, body: showPhone(phone, account, changed) });
}

function urlFaults(deps: TwilioPhoneDeps, settings: Settings) {
  const given: Readonly<Record<string, string | undefined>> = settings;
  const faults: Record<string, readonly string[]> = {};
  for (const { url: own, fallback = own } of URLS as readonly UrlParameters[]) {
    for (const name of new Set([own, fallback])) {
      const checked = given[name] ? deps.checkUrl(given[name]) : undefined;
      if (checked && !checked.ok) faults[name] = [checked.refusal];
    }
  }
  return faults;
}

interface UrlOrder {
  readonly number: string;
  readonly type: EventType;
  /** Newest first. */
  readonly known: Subscriptions;
  /** Undefined: unchanged. Empty: none. */
  readonly url: string | undefined;
  readonly method: HttpMethod | undefined;
  readonly fallback: string | undefined;
  readonly fallbackMethod: HttpMethod | undefined;
  readonly names: UrlParameters;
}

async function setUrl(
  unit: Unit,
  deps: TwilioPhoneDeps,
  account: Account,
  { number, type, known, url: given, fallback, names, ...methods }: UrlOrder,
  now: Date,
): Promise<Result<unknown, Problem>> {
  const { method: own, fallbackMethod } = methods;
  if ([given, fallback, own, fallbackMethod].every((value) => value === undefined)) return ok(undefined);
  const [newest, ...others] = known;
  for (const { sid } of given === "" ? known : others) await unit.subscriptions.remove(account.sid, sid, now);
  if (given === "") return ok(undefined);
  const change = {
    ...(given !== undefined && { url: given, enabled: true }),
    ...(fallback !== undefined && { backupUrl: fallback || null }),
    ...(own !== undefined && { method: own }),
    ...(fallbackMethod !== undefined && { backupMethod: fallbackMethod }),
  };
  if (newest) return changeSubscription(unit.subscriptions, account.sid, newest.sid, change);
  // Without a URL, a fallback or a method has no meaning.
  if (given === undefined) return refused(invalid({ [names.url]: [`Set ${names.url} first, or with it.`] }));
  const subscription = {
    sid: deps.ids.sid("WS"),
    accountSid: account.sid,
    types: [type],
    messagingConfigSid: null,
    phone: number,
    payloadShape: "Twilio",
    enabled: true,
    bearer: null,
    createdOn: now,
    backupUrl: null,
    ...change,
    url: given,
  } as const;
  return makeSubscription(unit.subscriptions, account, subscription, deps.newSecret());
}

export const twilioPhoneOperations: readonly TwilioOperation<TwilioPhoneDeps>[] = [
  twilioOperation({
    id: "twilioListPhoneNumbers",
    client: "incomingPhoneNumbers.list",
    summary: "List your numbers",
    route: "GET /IncomingPhoneNumbers.json",
    query: { ...PAGE_QUERY, PhoneNumber: anyText(64).optional(), ...refusing("Beta FriendlyName Origin") },
    async handle({ account, query }, unit) {
      const request = twilioPageRequest(query);
      if (!request.ok) return request;
      const wanted = query.PhoneNumber === undefined ? undefined : parseNumber(query.PhoneNumber, account.country);
      const page = wanted
        ? { items: wanted.ok ? await only(unit, account, wanted.value.e164) : [] }
        : await unit.phones.list(account.sid, request.value, {});
      const numbers = page.items.map(({ number }) => number);
      const subscriptions = await unit.subscriptions.twilioOf(account.sid, numbers);
      const list = {
        noun: "incoming_phone_numbers",
        path: "/IncomingPhoneNumbers.json",
        placeOf: ({ number }: Phone) => number,
      };
      const show = (phone: Phone) => showPhone(phone, account, subscriptions);
      return ok({ status: 200, body: pageBody(account, list, query, page, show) });
    },
  }),
  twilioOperation({
    id: "twilioFetchPhoneNumber",
    client: "incomingPhoneNumbers(sid).fetch",
    summary: "A number of yours",
    route: "GET /IncomingPhoneNumbers/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params }, unit) {
      const [phone] = await only(unit, account, phoneOfSid(params.Sid) ?? "");
      if (!phone) return NOT_FOUND;
      const subscriptions = await unit.subscriptions.twilioOf(account.sid, [phone.number]);
      return ok({ status: 200, body: showPhone(phone, account, subscriptions) });
    },
  }),
  twilioOperation({
    id: "twilioCreatePhoneNumber",
    client: "incomingPhoneNumbers.create",
    summary: "Take a number",
    differs: "`AreaCode` takes the first available number of that area.",
    route: "POST /IncomingPhoneNumbers.json",
    body: { PhoneNumber: anyText(64).optional(), AreaCode: areaCode, ...SETTINGS },
    async handle({ account, body, now }, unit, deps) {
      const number = await wantedNumber(unit, account, body);
      if (!number.ok) return number;
      const faults = urlFaults(deps, body);
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      const order = { accountSid: account.sid, number: number.value, name: null, messagingConfigSid: null };
      const taken = await takePhone(unit, order, now);
      if (!taken.ok) return refused(inTheirWords(taken.refusal, THEIR_FIELDS));
      return setUp(unit, deps, account, { number: number.value, settings: body, status: 201 }, now);
    },
  }),
  twilioOperation({
    id: "twilioUpdatePhoneNumber",
    client: "incomingPhoneNumbers(sid).update",
    summary: "Change the URLs of a number, or its name",
    differs:
      "A URL is a webhook subscription of payload shape Twilio for that number; an empty one deletes it. A number has one for each: where you made several, setting the URL changes the newest and deletes the others. `VoiceUrl` is asked unless `callsForwardedTo` of the number is set.",
    route: "POST /IncomingPhoneNumbers/{Sid}.json",
    params: { Sid: text(64) },
    body: { ...SETTINGS, ...refusing("AccountSid") },
    async handle({ account, params, body, now }, unit, deps) {
      const number = phoneOfSid(params.Sid) ?? "";
      // Two concurrent updates would each make a subscription, and every message would be sent twice.
      await unit.phones.lockAccount(account.sid);
      if ((await only(unit, account, number)).length === 0) return NOT_FOUND;
      const faults = urlFaults(deps, body);
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      return setUp(unit, deps, account, { number, settings: body, status: 200 }, now);
    },
  }),
  twilioOperation({
    id: "twilioDeletePhoneNumber",
    client: "incomingPhoneNumbers(sid).remove",
    summary: "Give a number back",
    route: "DELETE /IncomingPhoneNumbers/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params, now }, unit) {
      const removed = await removePhone(unit, account.sid, phoneOfSid(params.Sid) ?? "", now);
      if (removed.ok) return ok({ status: 204 });
      return removed.refusal.code === "not-found" ? NOT_FOUND : removed;
    },
  }),
];
