// Every method of Twilio's official client with every parameter, one at a time: an implemented parameter has its
// effect, an unsupported one is refused by its name, and an unsupported method is reported as such. Nothing else
// passes.

import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { PRODUCTS } from "../../src/adapters/twilio/not-served.ts";
import { isRefused } from "../../src/adapters/twilio/operation.ts";
import { twilioMethods } from "../../src/server/parts/twilio.ts";
import type { TestAccount } from "../contract/account.ts";
import { emulateInbound, inAnHour, messageOf, newMessenger, newSender, UNTIL } from "../contract/messages.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { useTandem } from "../use-tandem.ts";
import { type TwilioClient, twilioClient } from "./twilio-client.ts";
import { clientMethods } from "./twilio-methods.ts";
import { openReceiver, type TwilioReceiver } from "./twilio-receiver.ts";

const RECIPIENT = "+12125550199";
const AT_ONCE = "+14155550111";
const HANGS_UP = "+14155550107";
const DIAL = `<Response><Dial>${HANGS_UP}</Dial></Response>`;

const tandem = useTandem();
let account: TestAccount;
let client: TwilioClient;
let from: string;
let configSid: string;
let receiver: TwilioReceiver;

beforeAll(async () => {
  receiver = await openReceiver("<Response><Hangup/></Response>");
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE, lookup: WIDE };
  account = await newMessenger(tandem, { features: ["voice"], limits: { ...limits, concurrentCalls: WIDE } });
  client = twilioClient(tandem, account);
  ({ number: from, configSid } = await newSender(tandem, tandem.database, account));
});
afterAll(() => receiver.close());

const all = clientMethods(twilioClient({ url: "http://localhost" }, { sid: `AC${"0".repeat(32)}`, token: "x" }));
/** By the client's names; a country and a number are ids, too. */
const served = new Map(
  twilioMethods().flatMap((method) =>
    method.client === undefined ? [] : [[method.client.replace(/\((?:country|number)\)/, "(sid)"), method] as const],
  ),
);

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal | undefined> {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (fault === undefined) return undefined;
  expect(fault).toBeInstanceOf(twilio.RestException);
  const { status, code = 0, message } = fault as InstanceType<typeof twilio.RestException>;
  return { status, code, message };
}

/** The parameters in the method's table. */
function tableOf(key: string): ReadonlyMap<string, "done" | "refused"> {
  const method = served.get(key);
  const shapes = [method?.query, method?.body].flatMap((schema) =>
    schema instanceof z.ZodObject ? [schema.shape] : [],
  );
  return new Map(
    shapes.flatMap((shape) =>
      Object.entries(shape).map(([name, schema]) => [name, isRefused(schema) ? "refused" : "done"] as const),
    ),
  );
}

const methods = () => clientMethods(client, account.sid);
const methodOf = (key: string) => {
  const found = methods().find((method) => method.key === key);
  if (!found) throw new Error(`the client has no ${key}`);
  return found;
};

test("every method that is listed is one of the client's", () => {
  const known = new Set(all.map(({ key }) => key));
  expect([...served.keys()].filter((key) => !known.has(key))).toEqual([]);
  expect(all.length).toBeGreaterThan(200);
});

describe.each([...served.keys()])("%s", (key) => {
  const parameters = all.find((method) => method.key === key)?.parameters ?? [];
  const table = tableOf(key);

  test("lists every parameter of the client, and no other", () => {
    // The client's own pages have these in addition.
    const paging = key.endsWith(".list") ? ["Page", "PageToken"] : [];
    expect([...table.keys()].sort()).toEqual([...new Set([...parameters.map(({ wire }) => wire), ...paging])].sort());
  });

  test("refuses by its name what it does not do", async () => {
    const method = methodOf(key);
    const required = Object.fromEntries(
      parameters.filter(({ isRequired }) => isRequired).map(({ name, sample }) => [name, sample]),
    );
    for (const { name, wire, sample } of parameters.filter(({ wire }) => table.get(wire) === "refused")) {
      const refusal = await refusalOf(method.call({ ...required, [name]: sample }));
      expect(refusal, name).toMatchObject({ status: 400 });
      expect(refusal?.message, name).toContain(`${wire}: This is not done here`);
    }
  });
});

test.each(all.filter(({ key }) => !served.has(key)).map(({ key }) => key))(
  "%s is not served, and says so",
  async (key) => {
    const { call, parameters } = methodOf(key);
    const required = Object.fromEntries(
      parameters.filter(({ isRequired }) => isRequired).map(({ name, sample }) => [name, sample]),
    );
    const refusal = await refusalOf(call(required));
    expect(refusal).toMatchObject({ status: 404, code: 20404 });
    expect(refusal?.message).toContain("docs/twilio-api.md lists what is");
  },
);

test("other products are not served and say what they are, where ours have the same path, too", async () => {
  const calls = [
    client.messaging.v1.services.list(),
    client.verify.v2.services.list(),
    client.conversations.v1.conversations.list(),
    client.monitor.v1.events.list(),
    client.monitor.v1.alerts.list(),
    client.lookups.v1.phoneNumbers(RECIPIENT).fetch(),
    client.video.v1.rooms.list(),
  ];
  for (const refusal of await Promise.all(calls.map(refusalOf)))
    expect(refusal).toMatchObject({ status: 404, code: 20404 });
  const answer = await account.call("/v1/Services");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 20404, message: expect.stringContaining("Messaging v1") });
  expect((await account.call("/v1/Events")).status).toBe(200);
  expect(Object.keys(PRODUCTS).length).toBeGreaterThan(40);
});

// Implemented parameters, with their effects. A parameter of a table that is missing here fails.

const send = (more: object) => client.messages.create({ from, to: RECIPIENT, body: "Hello", ...more });
const told = (sid: string) => receiver.received.filter(({ form }) => Object.values(form).includes(sid));
const callRow = async (sid: string) => {
  const [row] = await tandem.database.query<Record<string, unknown>>("select * from calls where sid = $1", [sid]);
  return row;
};
const place = (more: object) =>
  client.calls.create({ from, to: AT_ONCE, twiml: "<Response><Hangup/></Response>", ...more });
/** A call that is in progress. */
async function talking(): Promise<string> {
  const { sid } = await place({ twiml: '<Response><Pause length="60"/></Response>' });
  await expect.poll(async () => (await client.calls(sid).fetch()).status, SOON).toBe("in-progress");
  return sid;
}
const path = (name: string) => `${receiver.url}/${name}`;
const asked = (name: string) => receiver.received.find(({ url }) => url.includes(`/${name}`));
const isFull = (list: Promise<readonly unknown[]>) => list.then(({ length }) => length > 0);

const MESSAGES_CREATE: Effects = {
  To: async () => expect(await send({})).toMatchObject({ to: RECIPIENT }),
  From: async () => expect(await send({})).toMatchObject({ from }),
  Body: async () => expect(await send({ body: "Mine" })).toMatchObject({ body: "Mine" }),
  MediaUrl: async () => expect(await send({ mediaUrl: [path("a.png")] })).toMatchObject({ numMedia: "1" }),
  MessagingServiceSid: async () => {
    const messagingServiceSid = configSid.replace("MC", "MG");
    expect(await client.messages.create({ messagingServiceSid, to: RECIPIENT, body: "x" })).toMatchObject({ from });
  },
  StatusCallback: async () => {
    const { sid } = await send({ statusCallback: path("status") });
    await expect.poll(() => told(sid).map(({ form }) => form.MessageStatus), UNTIL).toContain("delivered");
  },
  SendAt: async () => expect(await send({ sendAt: new Date(inAnHour()) })).toMatchObject({ status: "scheduled" }),
  ScheduleType: async () => {
    expect(await send({ scheduleType: "fixed", sendAt: new Date(inAnHour()) })).toMatchObject({ status: "scheduled" });
    expect(await refusalOf(send({ scheduleType: "fixed" }))).toMatchObject({
      message: expect.stringContaining("SendAt"),
    });
  },
  ValidityPeriod: async () => {
    const { sid } = await send({ validityPeriod: 60 });
    const { createdOn, expiresOn } = (await messageOf(account, sid.replace("SM", "OM"))) as unknown as Record<
      string,
      string
    >;
    expect(Date.parse(expiresOn ?? "") - Date.parse(createdOn ?? "")).toBe(60_000);
  },
  SmartEncoded: async () =>
    expect(await send({ body: "\u201cHi\u201d", smartEncoded: true })).toMatchObject({ body: '"Hi"' }),
};

type Effects = Readonly<Record<string, () => Promise<unknown>>>;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** A list with items of today, or, where another day has just begun, of yesterday. */
const times = (name: string, filter: string, list: (by: object) => Promise<readonly unknown[]>): Effects => {
  const has = (by: string, days: number) => isFull(list({ [`${filter}${by}`]: inDays(days) }));
  return {
    [name]: async () => {
      expect([await has("", 0), await has("", -1)]).toContain(true);
      expect(await has("", -2)).toBe(false);
    },
    [`${name}<`]: async () => {
      expect(await has("Before", 2)).toBe(true);
      expect(await has("Before", -2)).toBe(false);
    },
    [`${name}>`]: async () => {
      expect(await has("After", -2)).toBe(true);
      expect(await has("After", 2)).toBe(false);
    },
  };
};

interface Paged {
  readonly instances: readonly { readonly sid: string }[];
  nextPage(): Promise<Paged> | undefined;
  previousPage(): Promise<Paged> | undefined;
}

/** Paging forward and back shows the same pages. */
const pages = (make: () => Promise<unknown>, page: (by: object) => Promise<unknown>): Effects => {
  const goes = async () => {
    for (let count = 0; count < 3; count++) await make();
    const first = (await page({ pageSize: 1 })) as Paged;
    const second = (await first.nextPage()) as Paged;
    const third = (await second.nextPage()) as Paged;
    const sids = [first, second, third].map(({ instances }) => instances.map(({ sid }) => sid));
    expect(new Set(sids.flat()).size).toBe(3);
    const back = (await third.previousPage()) as Paged;
    expect(back.instances.map(({ sid }) => sid)).toEqual(sids[1]);
    expect(((await back.previousPage()) as Paged).instances.map(({ sid }) => sid)).toEqual(sids[0]);
    expect(((await back.nextPage()) as Paged).instances.map(({ sid }) => sid)).toEqual(sids[2]);
    expect(first.previousPage()).toBeUndefined();
  };
  return { PageSize: goes, Page: goes, PageToken: goes };
};

const oneRecorded = async () => {
  const twiml = `<Response><Dial record="record-from-answer">${HANGS_UP}</Dial></Response>`;
  const { sid } = await client.calls.create({ from, to: AT_ONCE, twiml });
  await expect
    .poll(async () => (await client.calls(sid).recordings.list()).map(({ status }) => status), SOON)
    .toEqual(["completed"]);
  return sid;
};

let recorded: Promise<string> | undefined;
const recordedCall = () => {
  recorded ??= oneRecorded();
  return recorded;
};

const urlEffect =
  (make: (more: object) => Promise<unknown>, name: string, more: () => object = () => ({})) =>
  async () => {
    const url = path(`${name}-${Math.random().toString(36).slice(2)}`);
    expect(await make({ ...more(), [name]: url })).toMatchObject({ [name]: url });
  };
const methodEffect = (make: (more: object) => Promise<unknown>, name: string, more: () => object) => async () => {
  expect(await make({ ...more(), [name]: "GET" })).toMatchObject({ [name]: "GET" });
};

/** The settings of a number, checked in its record; that GET is requested by GET is tested below. */
const settings = (make: (more: object) => Promise<unknown>): Effects => ({
  FriendlyName: async () => expect(await make({ friendlyName: "Desk" })).toMatchObject({ friendlyName: "Desk" }),
  SmsUrl: urlEffect(make, "smsUrl"),
  SmsFallbackUrl: urlEffect(make, "smsFallbackUrl", () => ({ smsUrl: path("sms") })),
  VoiceUrl: urlEffect(make, "voiceUrl"),
  VoiceFallbackUrl: urlEffect(make, "voiceFallbackUrl", () => ({ voiceUrl: path("voice") })),
  StatusCallback: urlEffect(make, "statusCallback"),
  SmsMethod: methodEffect(make, "smsMethod", () => ({ smsUrl: path("sms") })),
  SmsFallbackMethod: methodEffect(make, "smsFallbackMethod", () => ({
    smsUrl: path("sms"),
    smsFallbackUrl: path("other"),
  })),
  VoiceMethod: methodEffect(make, "voiceMethod", () => ({ voiceUrl: path("voice") })),
  VoiceFallbackMethod: methodEffect(make, "voiceFallbackMethod", () => ({
    voiceUrl: path("voice"),
    voiceFallbackUrl: path("other"),
  })),
  StatusCallbackMethod: methodEffect(make, "statusCallbackMethod", () => ({ statusCallback: path("calls") })),
});

const takeNew = async (more: object) =>
  client.incomingPhoneNumbers.create({ phoneNumber: await newNumber(tandem), ...more });

type AvailableNumbers = ReturnType<TwilioClient["availablePhoneNumbers"]>["local"];

const available = (kind: "local" | "mobile" | "tollFree", country: string, prefix: string): Effects => {
  const resource = () => client.availablePhoneNumbers(country)[kind] as AvailableNumbers;
  const list = async (by: object) => (await resource().list(by)).map(({ phoneNumber }) => phoneNumber);
  const makeOne = async () => {
    const number = await newNumber(tandem, prefix);
    expect(await list({ contains: number.slice(1) })).toEqual([number]);
    return number;
  };
  const byFeature = (name: string) => async () => {
    const number = await makeOne();
    expect(await list({ contains: number.slice(1), [name]: true })).toEqual([number]);
    expect(await list({ contains: number.slice(1), [name]: false })).toEqual([]);
  };
  return {
    AreaCode: async () => {
      if (country !== "US") return;
      const number = await makeOne();
      expect(await list({ areaCode: number.slice(2, 5), contains: number.slice(1) })).toEqual([number]);
      expect(await list({ areaCode: "212", contains: number.slice(1) })).toEqual([]);
    },
    Contains: makeOne,
    SmsEnabled: byFeature("smsEnabled"),
    MmsEnabled: byFeature("mmsEnabled"),
    VoiceEnabled: byFeature("voiceEnabled"),
    PageSize: async () => {
      await makeOne();
      await makeOne();
      const found = await resource().page({ pageSize: 1 });
      expect(found.instances).toHaveLength(1);
    },
  };
};

let meetings = 0;
/** A conference of two telephones. Returns its name, and what the client knows of it. */
async function meeting(record = "do-not-record") {
  const friendlyName = `Meeting ${++meetings}`;
  const conference = `<Conference participantLabel="guest" record="${record}">${friendlyName}</Conference>`;
  const twiml = `<Response><Dial>${conference}</Dial></Response>`;
  await Promise.all([place({ twiml }), place({ twiml })]);
  const found = () => client.conferences.list({ friendlyName, status: "in-progress" });
  await expect.poll(async () => (await found()).length, SOON).toBe(1);
  const sid = (await found())[0]?.sid ?? "";
  const context = client.conferences(sid);
  await expect.poll(async () => (await context.participants.list()).length, SOON).toBe(2);
  return { friendlyName, sid, context, one: (await context.participants.list())[0]?.callSid ?? "" };
}

const oneRecordedMeeting = async () => {
  const { sid, context } = await meeting("record-from-start");
  await context.update({ status: "completed" });
  await expect
    .poll(async () => (await context.recordings.list()).map(({ status }) => status), SOON)
    .toEqual(["completed"]);
  return sid;
};

let recordedMeeting: Promise<string> | undefined;
const recordingsOfMeeting = async () => {
  recordedMeeting ??= oneRecordedMeeting();
  return client.conferences(await recordedMeeting).recordings;
};

const participantPages = async () => {
  const { participants } = (await meeting()).context;
  const first = await participants.page({ pageSize: 1 });
  const second = await first.nextPage();
  const sids = [first, second].map((page) => page?.instances.map(({ callSid }) => callSid));
  expect(new Set(sids.flat()).size).toBe(2);
};

const CONFERENCES: Readonly<Record<string, Effects>> = {
  "conferences.list": {
    FriendlyName: async () => {
      const { friendlyName, sid } = await meeting();
      expect((await client.conferences.list({ friendlyName })).map((one) => one.sid)).toEqual([sid]);
    },
    Status: async () => {
      const { friendlyName, sid, context } = await meeting();
      expect(await client.conferences.list({ friendlyName, status: "completed" })).toEqual([]);
      expect(await context.update({ status: "completed" })).toMatchObject({ sid, status: "completed" });
      expect(await isFull(client.conferences.list({ friendlyName, status: "completed" }))).toBe(true);
    },
    ...times("DateCreated", "dateCreated", (by) => client.conferences.list(by)),
    ...pages(
      () => meeting(),
      (by) => client.conferences.page(by),
    ),
  },
  "conferences(sid).fetch": {},
  "conferences(sid).update": {
    Status: async () => {
      const { context } = await meeting();
      const ended = await context.update({ status: "completed" });
      expect(ended).toMatchObject({ status: "completed", reasonConferenceEnded: "conference-ended-via-api" });
      expect(await context.participants.list()).toEqual([]);
    },
  },
  "conferences(sid).participants.list": {
    Muted: async () => {
      const { context, one } = await meeting();
      await context.participants(one).update({ muted: true });
      expect((await context.participants.list({ muted: true })).map(({ callSid }) => callSid)).toEqual([one]);
    },
    Hold: async () => {
      const { context, one } = await meeting();
      await context.participants(one).update({ hold: true });
      expect((await context.participants.list({ hold: true })).map(({ callSid }) => callSid)).toEqual([one]);
      expect(await context.participants.list({ hold: false })).toHaveLength(1);
    },
    ...{ PageSize: participantPages, Page: participantPages, PageToken: participantPages },
  },
  "conferences(sid).participants(sid).fetch": {},
  "conferences(sid).participants(sid).update": {
    Muted: async () => {
      const { context, one } = await meeting();
      expect(await context.participants(one).update({ muted: true })).toMatchObject({ muted: true, hold: false });
    },
    Hold: async () => {
      const { context, one } = await meeting();
      expect(await context.participants(one).update({ hold: true })).toMatchObject({ muted: false, hold: true });
    },
  },
  "conferences(sid).participants(sid).remove": {},
  "conferences(sid).recordings.list": {
    ...times("DateCreated", "dateCreated", async (by) => (await recordingsOfMeeting()).list(by)),
    ...Object.fromEntries(
      ["PageSize", "Page", "PageToken"].map((name) => [
        name,
        async () => expect(await (await recordingsOfMeeting()).list({ pageSize: 1 })).toHaveLength(1),
      ]),
    ),
  },
  "conferences(sid).recordings(sid).fetch": {},
};

const byCall = async () => client.calls(await recordedCall());
const EFFECTS: Readonly<Record<string, Effects>> = {
  "messages.create": MESSAGES_CREATE,
  "messages(sid).fetch": {},
  "messages(sid).remove": {},
  "messages.list": {
    To: async () => {
      const to = "+13125550142";
      const { sid } = await send({ to });
      expect((await client.messages.list({ to })).map((message) => message.sid)).toEqual([sid]);
    },
    From: async () => {
      await emulateInbound(account, { from: "+13125550143", to: [from], text: "Hi", mediaUrls: [] });
      await expect.poll(async () => (await client.messages.list({ from: "+13125550143" })).length, UNTIL).toBe(1);
    },
    ...times("DateSent", "dateSent", (by) => client.messages.list(by)),
    ...pages(
      () => send({}),
      (by) => client.messages.page(by),
    ),
  },
  "messages(sid).update": {
    Body: async () => {
      const { sid } = await send({});
      await expect.poll(async () => (await client.messages(sid).fetch()).status, UNTIL).toBe("delivered");
      expect(await client.messages(sid).update({ body: "" })).toMatchObject({ body: "" });
    },
    Status: async () => {
      const { sid } = await send({ sendAt: new Date(inAnHour()) });
      expect(await client.messages(sid).update({ status: "canceled" })).toMatchObject({ status: "canceled" });
    },
  },
  "messages(sid).media.list": Object.fromEntries(
    ["PageSize", "Page", "PageToken"].map((name) => [
      name,
      async () => expect(await client.messages((await send({})).sid).media.list({ pageSize: 1 })).toEqual([]),
    ]),
  ),
  "messages(sid).media(sid).fetch": {},
  "calls.create": {
    To: async () => expect(await place({})).toMatchObject({ to: AT_ONCE }),
    From: async () => expect(await place({})).toMatchObject({ from }),
    Twiml: async () => expect(await callRow((await place({ twiml: DIAL })).sid)).toMatchObject({ to_party: HANGS_UP }),
    Url: async () => {
      const both = { status: 400, message: expect.stringContaining("Url") };
      expect(await refusalOf(place({ url: path("ask-beside") }))).toMatchObject(both);
      expect(asked("ask-beside")).toBeUndefined();
      await place({ twiml: undefined, url: path("ask-post") });
      await expect.poll(() => asked("ask-post")?.form, SOON).toMatchObject({ To: AT_ONCE });
    },
    Method: async () => {
      await place({ twiml: undefined, url: path("ask-get"), method: "GET" });
      const get = { url: expect.stringContaining("CallStatus=in-progress"), form: {} };
      await expect.poll(() => asked("ask-get"), SOON).toMatchObject(get);
    },
    FallbackUrl: async () => {
      await place({ twiml: undefined, url: "http://127.0.0.1:1/", fallbackUrl: path("ask-other") });
      await expect.poll(() => asked("ask-other")?.form, SOON).toMatchObject({ To: AT_ONCE });
    },
    FallbackMethod: async () => {
      const fallback = { fallbackUrl: path("ask-third"), fallbackMethod: "GET" };
      await place({ twiml: undefined, url: "http://127.0.0.1:1/", ...fallback });
      await expect.poll(() => asked("ask-third")?.url, SOON).toContain("CallStatus=in-progress");
    },
    SendDigits: async () => {
      const { sid } = await place({ sendDigits: "12", twiml: "<Response><Say>Hello.</Say></Response>" });
      const why = async () =>
        (await answerOf<{ steps: readonly object[] }>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200)).steps;
      const pressed = expect.objectContaining({ step: "instruction", details: { press: "12" } });
      await expect.poll(why, SOON).toContainEqual(pressed);
    },
    Record: async () => {
      const { sid } = await place({ twiml: DIAL, record: true });
      await expect.poll(async () => (await client.calls(sid).recordings.list()).length, SOON).toBe(1);
    },
    Timeout: async () => expect(await callRow((await place({ timeout: 42 })).sid)).toMatchObject({ ring_seconds: 42 }),
    TimeLimit: async () =>
      expect(await callRow((await place({ timeLimit: 42 })).sid)).toMatchObject({ max_seconds: 42 }),
    StatusCallback: async () => {
      const { sid } = await place({ statusCallback: path("progress") });
      await expect.poll(() => told(sid).map(({ form }) => form.CallStatus), SOON).toEqual(["completed"]);
      expect(told(sid)[0]?.form).not.toHaveProperty("ParentCallSid");
    },
    StatusCallbackEvent: async () => {
      const statusCallbackEvent = ["ringing", "answered", "completed"];
      const { sid } = await place({ statusCallback: path("progress"), statusCallbackEvent });
      await expect
        .poll(() => told(sid).map(({ form }) => form.CallStatus), SOON)
        .toEqual(["ringing", "in-progress", "completed"]);
      const initiated = place({ statusCallback: path("progress"), statusCallbackEvent: ["initiated"] });
      expect(await refusalOf(initiated)).toMatchObject({
        status: 400,
        message: expect.stringContaining("StatusCallbackEvent"),
      });
    },
    StatusCallbackMethod: async () => {
      const { sid } = await place({ statusCallback: path("progress"), statusCallbackMethod: "POST" });
      await expect.poll(() => told(sid).length, SOON).toBe(1);
      const got = place({ statusCallback: path("progress"), statusCallbackMethod: "GET" });
      expect(await refusalOf(got)).toMatchObject({ message: expect.stringContaining("StatusCallbackMethod") });
    },
  },
  "calls(sid).fetch": {},
  "calls(sid).remove": {},
  "calls.list": {
    To: async () => {
      await place({});
      expect(await isFull(client.calls.list({ to: AT_ONCE }))).toBe(true);
      expect(await isFull(client.calls.list({ to: RECIPIENT }))).toBe(false);
    },
    From: async () => {
      await place({});
      expect(await isFull(client.calls.list({ from }))).toBe(true);
      expect(await isFull(client.calls.list({ from: RECIPIENT }))).toBe(false);
    },
    Status: async () => {
      const { sid } = await place({});
      await expect
        .poll(async () => (await client.calls.list({ status: "completed" })).map((call) => call.sid), SOON)
        .toContain(sid);
      expect(await isFull(client.calls.list({ status: "busy" }))).toBe(false);
    },
    ParentCallSid: async () => {
      const { sid } = await place({ twiml: `<Response><Dial>${HANGS_UP}</Dial></Response>` });
      const parties = () => client.calls.list({ parentCallSid: sid });
      await expect.poll(parties, SOON).toMatchObject([{ to: HANGS_UP, parentCallSid: sid }]);
      expect(await client.calls.list({ parentCallSid: `CA${"0".repeat(32)}` })).toEqual([]);
    },
    ...times("StartTime", "startTime", (by) => client.calls.list(by)),
    ...pages(
      () => place({}),
      (by) => client.calls.page(by),
    ),
  },
  "calls(sid).update": {
    Status: async () => {
      const { sid } = await place({ to: AT_ONCE, twiml: `<Response><Dial>${AT_ONCE}</Dial></Response>` });
      await expect.poll(async () => (await client.calls(sid).fetch()).status, SOON).toBe("in-progress");
      expect(await client.calls(sid).update({ status: "completed" })).toMatchObject({ status: "completed" });
    },
    Twiml: async () => {
      const sid = await talking();
      const twiml = "<Response><Say>Elsewhere.</Say></Response>";
      expect(await client.calls(sid).update({ twiml })).toMatchObject({ sid, status: "in-progress" });
      const both = client.calls(sid).update({ twiml, url: path("redirected-beside") });
      expect(await refusalOf(both)).toMatchObject({ status: 400, message: expect.stringContaining("Url") });
      const ended = client.calls(sid).update({ twiml, status: "completed" });
      expect(await refusalOf(ended)).toMatchObject({ status: 400, message: expect.stringContaining("Twiml") });
      await client.calls(sid).update({ status: "completed" });
      expect(await refusalOf(client.calls(sid).update({ twiml }))).toMatchObject({ status: 409, code: 21220 });
    },
    Url: async () => {
      await client.calls(await talking()).update({ url: path("redirected-post") });
      await expect.poll(() => asked("redirected-post")?.form, SOON).toMatchObject({ To: AT_ONCE });
    },
    Method: async () => {
      await client.calls(await talking()).update({ url: path("redirected-get"), method: "GET" });
      await expect.poll(() => asked("redirected-get")?.url, SOON).toContain("CallStatus=in-progress");
    },
    FallbackUrl: async () => {
      const urls = { url: "http://127.0.0.1:1/", fallbackUrl: path("redirected-other") };
      await client.calls(await talking()).update(urls);
      await expect.poll(() => asked("redirected-other")?.form, SOON).toMatchObject({ To: AT_ONCE });
    },
    FallbackMethod: async () => {
      const urls = { url: "http://127.0.0.1:1/", fallbackUrl: path("redirected-third"), fallbackMethod: "GET" };
      await client.calls(await talking()).update(urls);
      await expect.poll(() => asked("redirected-third")?.url, SOON).toContain("CallStatus=in-progress");
    },
  },
  ...CONFERENCES,
  "calls(sid).recordings.list": {
    ...times("DateCreated", "dateCreated", async (by) => (await byCall()).recordings.list(by)),
    ...Object.fromEntries(
      ["PageSize", "Page", "PageToken"].map((name) => [
        name,
        async () => expect(await (await byCall()).recordings.list({ pageSize: 1 })).toHaveLength(1),
      ]),
    ),
  },
  "calls(sid).recordings(sid).fetch": {},
  "recordings.list": {
    CallSid: async () => {
      const callSid = await recordedCall();
      expect((await client.recordings.list({ callSid })).map((recording) => recording.callSid)).toEqual([callSid]);
    },
    ConferenceSid: async () => {
      const [of] = await (await recordingsOfMeeting()).list();
      const { conferenceSid = "" } = of ?? {};
      expect((await client.recordings.list({ conferenceSid })).map(({ sid }) => sid)).toEqual([of?.sid]);
    },
    ...times("DateCreated", "dateCreated", (by) => client.recordings.list(by)),
    ...Object.fromEntries(
      ["PageSize", "Page", "PageToken"].map((name) => [
        name,
        async () => {
          await recordedCall();
          expect(await isFull(client.recordings.list({ pageSize: 1 }))).toBe(true);
        },
      ]),
    ),
  },
  "recordings(sid).fetch": {},
  "incomingPhoneNumbers.create": {
    PhoneNumber: async () => {
      const phoneNumber = await newNumber(tandem);
      expect(await client.incomingPhoneNumbers.create({ phoneNumber })).toMatchObject({ phoneNumber });
    },
    AreaCode: async () => {
      await newNumber(tandem, "+1720556");
      const { phoneNumber, sid } = await client.incomingPhoneNumbers.create({ areaCode: "720" });
      expect(phoneNumber).toMatch(/^\+1720/);
      expect(await client.incomingPhoneNumbers(sid).remove()).toBe(true);
    },
    ...settings(takeNew),
  },
  "incomingPhoneNumbers(sid).update": settings(async (more) =>
    client.incomingPhoneNumbers((await takeNew({})).sid).update(more),
  ),
  "incomingPhoneNumbers(sid).fetch": {},
  "incomingPhoneNumbers(sid).remove": {},
  "incomingPhoneNumbers.list": {
    PhoneNumber: async () => {
      const found = await client.incomingPhoneNumbers.list({ phoneNumber: from });
      expect(found.map(({ phoneNumber }) => phoneNumber)).toEqual([from]);
    },
    ...pages(
      () => takeNew({}),
      (by) => client.incomingPhoneNumbers.page(by),
    ),
  },
  "availablePhoneNumbers(sid).local.list": available("local", "US", "+1303557"),
  "availablePhoneNumbers(sid).mobile.list": available("mobile", "GB", "+44740012"),
  "availablePhoneNumbers(sid).tollFree.list": available("tollFree", "US", "+1800555"),
  "lookups.v2.phoneNumbers(sid).fetch": {
    Fields: async () => {
      const { lineTypeIntelligence } = await client.lookups.v2
        .phoneNumbers(from)
        .fetch({ fields: "line_type_intelligence" });
      expect(lineTypeIntelligence).toMatchObject({ type: expect.any(String) });
      for (const fields of ["caller_name", "sim_swap", "line_type_intelligence,sms_pumping_risk"]) {
        const refusal = await refusalOf(client.lookups.v2.phoneNumbers(from).fetch({ fields }));
        expect(refusal).toMatchObject({
          status: 400,
          message: expect.stringContaining(fields.split(",").at(-1) ?? ""),
        });
      }
    },
    CountryCode: async () => {
      expect(await client.lookups.v2.phoneNumbers("3035560001").fetch({ countryCode: "US" })).toMatchObject({
        phoneNumber: "+13035560001",
      });
    },
  },
};

describe.each([...served.keys()])("%s does what it lists", (key) => {
  const done = [...tableOf(key)].filter(([, state]) => state === "done").map(([name]) => name);

  test("each parameter has an effect", () => {
    expect(Object.keys(EFFECTS[key] ?? {}).sort()).toEqual(done.sort());
  });
  if (done.length > 0) test.each(done)("%s", async (name) => void (await EFFECTS[key]?.[name]?.()));
});

test("a parameter that no one has heard of is refused by its name", async () => {
  const base = `/2010-04-01/Accounts/${account.sid}`;
  const body = new URLSearchParams({ From: from, To: RECIPIENT, Body: "Hi", Nonsense: "1" });
  for (const asked of [
    account.call(`${base}/Messages.json`, { method: "POST", body }),
    account.call(`${base}/Calls.json?Nonsense=1`),
    account.call(`/v2/PhoneNumbers/${from}?Nonsense=1`),
  ]) {
    const answer = await asked;
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 20001,
      status: 400,
      message: expect.stringMatching(/^Nonsense: /),
    });
  }
});

test("a message is deleted once it waits no more; what waits is not", async () => {
  const { sid } = await send({ sendAt: new Date(inAnHour()) });
  expect(await refusalOf(client.messages(sid).remove())).toMatchObject({ status: 409, code: 20409 });
  await client.messages(sid).update({ status: "canceled" });
  expect(await client.messages(sid).remove()).toBe(true);
  expect(await refusalOf(client.messages(sid).fetch())).toMatchObject({ status: 404, code: 20404 });
});

test("a recording of a call is fetched below it, and not below another", async () => {
  const callSid = await recordedCall();
  const [recording] = await client.calls(callSid).recordings.list();
  const sid = recording?.sid ?? "";
  expect(await client.calls(callSid).recordings(sid).fetch()).toMatchObject({ sid, callSid });
  expect(
    await refusalOf(
      client
        .calls(`CA${"0".repeat(32)}`)
        .recordings(sid)
        .fetch(),
    ),
  ).toMatchObject({ status: 404 });
});

test("a number whose URL is asked by GET gets its parameters in the query, signed", async () => {
  const number = await newNumber(tandem);
  await take(account, number);
  const [own] = await client.incomingPhoneNumbers.list({ phoneNumber: number });
  await client.incomingPhoneNumbers(own?.sid ?? "").update({ smsUrl: path("by-get?a=1"), smsMethod: "GET" });
  await emulateInbound(account, { from: "+13125550144", to: [number], text: "Hi & bye", mediaUrls: [] });
  await expect.poll(() => asked("by-get")?.url, UNTIL).toContain("Body=Hi+%26+bye");
  const { url = "", form, signature } = asked("by-get") ?? {};
  expect(new URL(url).searchParams.get("a")).toBe("1");
  expect(form).toEqual({});
  expect(signature).toMatch(/=$/);
});

test("the parts of a Dial have the times that it names, and a voice is reported in why", async () => {
  const twiml = `<Response><Dial timeout="33" timeLimit="44">${HANGS_UP}</Dial></Response>`;
  expect(await callRow((await place({ twiml })).sid)).toMatchObject({ second_ring_seconds: 33, max_seconds: 44 });
  // What an order of two parties cannot say makes it a program.
  for (const more of ['hangupOnStar="true"', `callerId="${from}"`, `action="${path("dialled")}"`]) {
    const dial = { kind: "dial", to: HANGS_UP };
    const stored = await callRow((await place({ twiml: `<Response><Dial ${more}>${HANGS_UP}</Dial></Response>` })).sid);
    expect(stored, more).toMatchObject({ to_party: AT_ONCE, program: { script: [dial] } });
  }
  const { sid } = await place({ twiml: '<Response><Say voice="Polly.Joanna">Hello.</Say></Response>' });
  const why = await answerOf<{ steps: readonly object[] }>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
  expect(why.steps).toContainEqual(
    expect.objectContaining({ step: "voice", details: { asked: "Polly.Joanna", spokenBy: "slt" } }),
  );
  const french = place({ twiml: '<Response><Say language="fr-FR">Bonjour.</Say></Response>' });
  expect(await refusalOf(french)).toMatchObject({ code: 12100, message: expect.stringContaining("language") });
});

test("refusals name the parameter as that provider does", async () => {
  const message = async (more: object) => (await refusalOf(send(more)))?.message;
  expect(await message({ body: undefined })).toMatch(/^Body: /);
  expect(await message({ body: "x".repeat(1601) })).toMatch(/^Body: 1600/);
  expect(await message({ mediaUrl: ["ftp://a.example/"] })).toMatch(/^MediaUrl\[0\]: /);
  expect(await message({ statusCallback: "http://10.0.0.1/" })).toMatch(/^StatusCallback: /);
  expect(await message({ from: undefined })).toMatch(/^From: /);
});

test("a participant is found by its label, and removed", async () => {
  const { context, one, sid } = await meeting();
  expect(await context.participants("guest").fetch()).toMatchObject({ conferenceSid: sid, label: "guest" });
  expect(await context.participants(one).remove()).toBe(true);
  expect(await refusalOf(context.participants(one).fetch())).toMatchObject({ status: 404, code: 20404 });
  expect(await context.fetch()).toMatchObject({ sid, status: "in-progress" });
});
