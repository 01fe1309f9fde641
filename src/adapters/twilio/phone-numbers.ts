// The account's numbers in Twilio's shape. Their URLs are subscriptions of payload shape Twilio for that number alone,
// one for each: messages, calls that ask what to do, and the progress of calls.

import type { Ids } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Account } from "../../domain/accounts/index.ts";
import type { EventType } from "../../domain/events.ts";
import { nationalFormat, parseNumber } from "../../domain/lookup/index.ts";
import { changePhone, findServing, type Phone } from "../../domain/numbers/index.ts";
import { invalid, type Problem } from "../../domain/problems.ts";
import { changeSubscription, makeSubscription, type Subscription } from "../../domain/webhooks/index.ts";
import type { Operation } from "../http/core/operation.ts";
import type { Unit } from "../http/core/ports.ts";
import { anyText, text } from "../http/core/schemas.ts";
import { API_VERSION, NOT_FOUND, twilioOperation } from "./operation.ts";
import { PAGE_QUERY, pageBody, twilioDate, twilioPageRequest } from "./page.ts";
import { phoneOfSid, twilioPhoneSid } from "./phone-sid.ts";

export interface TwilioPhoneDeps {
  readonly ids: Ids;
  readonly newSecret: () => string;
  readonly checkUrl: (url: string) => Result<unknown, string>;
}

const url = anyText(2_048).optional();

/** The parameters for a URL and its substitute, and what is sent there. */
const URLS = [
  { url: "SmsUrl", fallback: "SmsFallbackUrl", type: "InboundMessageReceived" },
  { url: "VoiceUrl", fallback: "VoiceFallbackUrl", type: "InboundCallReceivedWebhook" },
  { url: "StatusCallback", fallback: null, type: "CallStatusChangedWebhook" },
] as const satisfies readonly { url: string; fallback: string | null; type: EventType }[];

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
    sms_fallback_method: "POST",
    sms_fallback_url: sms?.backupUrl ?? "",
    sms_method: "POST",
    sms_url: sms?.url ?? "",
    status: phone.status === "Active" ? "in-use" : "pending",
    status_callback: status?.url ?? "",
    status_callback_method: "POST",
    trunk_sid: null,
    type: null,
    uri: `/${API_VERSION}/Accounts/${account.sid}/IncomingPhoneNumbers/${sid}.json`,
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: "POST",
    voice_fallback_url: voice?.backupUrl ?? "",
    voice_method: "POST",
    voice_receive_mode: "voice",
    voice_url: voice?.url ?? "",
  };
}

export function twilioPhoneOperations(): readonly Operation<TwilioPhoneDeps>[] {
  return [listPhones(), fetchPhone(), updatePhone()];
}

function listPhones(): Operation<TwilioPhoneDeps> {
  return twilioOperation({
    id: "twilioListPhoneNumbers",
    summary: "List your numbers",
    method: "GET",
    path: "/IncomingPhoneNumbers.json",
    limit: "read",
    writes: false,
    query: { ...PAGE_QUERY, PhoneNumber: anyText(64).optional() },
    async handle({ account, query }, unit) {
      const request = twilioPageRequest(query);
      if (!request.ok) return request;
      const wanted = query.PhoneNumber === undefined ? undefined : parseNumber(query.PhoneNumber);
      const page = wanted
        ? { items: wanted.ok ? await only(unit, account, wanted.value.e164) : [] }
        : await unit.phones.list(account.sid, request.value, {});
      const numbers = page.items.map(({ number }) => number);
      const subscriptions = await unit.subscriptions.twilioOf(account.sid, numbers);
      const list = { noun: "incoming_phone_numbers", path: "/IncomingPhoneNumbers.json" };
      const show = (phone: Phone) => showPhone(phone, account, subscriptions);
      return ok({ status: 200, body: pageBody(account, list, query, page, show) });
    },
  });
}

async function only(unit: Unit, account: Account, number: string): Promise<readonly Phone[]> {
  const found = await findServing(unit.phones, account.sid, number);
  return found.ok ? [found.value] : [];
}

function fetchPhone(): Operation<TwilioPhoneDeps> {
  return twilioOperation({
    id: "twilioFetchPhoneNumber",
    summary: "A number of yours",
    method: "GET",
    path: "/IncomingPhoneNumbers/{Sid}.json",
    limit: "read",
    writes: false,
    params: { Sid: text(64) },
    async handle({ account, params }, unit) {
      const [phone] = await only(unit, account, phoneOfSid(params.Sid) ?? "");
      if (!phone) return NOT_FOUND;
      const subscriptions = await unit.subscriptions.twilioOf(account.sid, [phone.number]);
      return ok({ status: 200, body: showPhone(phone, account, subscriptions) });
    },
  });
}

function updatePhone(): Operation<TwilioPhoneDeps> {
  return twilioOperation({
    id: "twilioUpdatePhoneNumber",
    summary: "Change the URLs of a number, or its name",
    method: "POST",
    path: "/IncomingPhoneNumbers/{Sid}.json",
    limit: "write",
    writes: true,
    params: { Sid: text(64) },
    body: {
      FriendlyName: text(64).optional(),
      SmsUrl: url,
      SmsFallbackUrl: url,
      VoiceUrl: url,
      VoiceFallbackUrl: url,
      StatusCallback: url,
    },
    async handle({ account, params, body, now }, unit, deps) {
      const number = phoneOfSid(params.Sid) ?? "";
      // Two updates at once would each make a subscription, and every text would be told twice.
      await unit.phones.lockAccount(account.sid);
      if ((await only(unit, account, number)).length === 0) return NOT_FOUND;
      const faults = urlFaults(deps, body);
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      if (body.FriendlyName !== undefined) {
        const named = await changePhone(unit, account.sid, number, { name: body.FriendlyName }, now);
        if (!named.ok) return named;
      }
      const subscriptions = await unit.subscriptions.twilioOf(account.sid, [number]);
      for (const kind of URLS) {
        const fallback = kind.fallback === null ? undefined : body[kind.fallback];
        const known = allFor(subscriptions, number, kind.type);
        const order = { number, type: kind.type, known, url: body[kind.url], fallback };
        const set = await setUrl(unit, deps, account, order, now);
        if (!set.ok) return set;
      }
      const [phone] = await only(unit, account, number);
      if (!phone) return NOT_FOUND;
      const changed = await unit.subscriptions.twilioOf(account.sid, [number]);
      return ok({ status: 200, body: showPhone(phone, account, changed) });
    },
  });
}

function urlFaults(deps: TwilioPhoneDeps, body: Readonly<Record<string, string | undefined>>) {
  const faults: Record<string, readonly string[]> = {};
  for (const name of URLS.flatMap(({ url: own, fallback }) => (fallback === null ? [own] : [own, fallback]))) {
    const given = body[name];
    const checked = given ? deps.checkUrl(given) : undefined;
    if (checked && !checked.ok) faults[name] = [checked.refusal];
  }
  return faults;
}

interface UrlOrder {
  readonly number: string;
  readonly type: EventType;
  /** Newest first. */
  readonly known: Subscriptions;
  /** Undefined: as it is. Empty: none. */
  readonly url: string | undefined;
  readonly fallback: string | undefined;
}

async function setUrl(
  unit: Unit,
  deps: TwilioPhoneDeps,
  account: Account,
  { number, type, known, url: given, fallback }: UrlOrder,
  now: Date,
): Promise<Result<unknown, Problem>> {
  if (given === undefined && fallback === undefined) return ok(undefined);
  const [newest, ...others] = known;
  for (const { sid } of given === "" ? known : others) await unit.subscriptions.remove(account.sid, sid, now);
  if (given === "") return ok(undefined);
  const backup = fallback === undefined ? {} : { backupUrl: fallback || null };
  if (newest) {
    const change = { ...(given !== undefined && { url: given, enabled: true }), ...backup };
    return changeSubscription(unit.subscriptions, account.sid, newest.sid, change);
  }
  if (given === undefined) return ok(undefined);
  const subscription = {
    sid: deps.ids.sid("WS"),
    accountSid: account.sid,
    types: [type],
    url: given,
    backupUrl: fallback || null,
    messagingConfigSid: null,
    phone: number,
    payloadShape: "Twilio",
    enabled: true,
    bearer: null,
    createdOn: now,
  } as const;
  return makeSubscription(unit.subscriptions, subscription, deps.newSecret());
}
