// Refusals of messages: every code of the contract, in its order, and malformed input.

import { beforeEach, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { limitOf, type TestAccount } from "./account.ts";
import {
  form,
  inAnHour,
  messageOf,
  moveDue,
  newMessenger,
  newSender,
  rawForm,
  SEND,
  type Sender,
  send,
  UNTIL,
} from "./messages.ts";
import { answerOf, type List, newConfig, newNumber, take } from "./numbers.ts";
import { type ProblemBody, problemOf } from "./problem.ts";

const TO = "+14155550100";

const tandem = useTandem();
let account: TestAccount;
let sender: Sender;

beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
});

interface Refusal extends ProblemBody {
  readonly errorCode: number;
  readonly errorMessage: string;
}

const post = (init: RequestInit) => account.call(SEND, init);
const refusalOf = async (init: RequestInit, status = 400) => (await problemOf(await post(init), status)) as Refusal;
const refuse = (order: object, status = 400) => refusalOf(json("POST", order), status);
const good = () => ({ From: sender.number, To: TO, Text: "Hi" });
const setPhone = (status: string) =>
  tandem.database.query("update phones set status = $2 where number = $1", [sender.number, status]);
const setFeatures = (features: string) =>
  tandem.database.query("update phones set features = $2 where number = $1", [sender.number, features]);
const setCampaign = (status: string) =>
  tandem.database.query("update tcr_campaigns set status = $2 where tcr_campaign_id = $1", [
    sender.tcrCampaignId,
    status,
  ]);

type Order = Record<string, unknown>;

interface Fault {
  readonly code: number;
  readonly problem: string;
  readonly field: string;
  readonly make: (order: Order) => Promise<unknown> | unknown;
}

/** Faults of the sender exclude one another. */
const SENDER_FAULTS: readonly Fault[] = [
  { code: 1, problem: "sender-invalid", field: "From", make: (order) => Object.assign(order, { From: "Tandem" }) },
  { code: 2, problem: "sender-not-yours", field: "From", make: (order) => Object.assign(order, { From: TO }) },
  {
    code: 3,
    problem: "sender-without-config",
    field: "From",
    async make(order) {
      order.From = (await take(account, await newNumber(tandem))).number;
    },
  },
  { code: 4, problem: "sender-not-active", field: "From", make: () => setPhone("PendingTcrCampaignAdd") },
  { code: 4, problem: "sender-not-active", field: "From", make: () => setPhone("PendingPortIn") },
  { code: 5, problem: "sender-changing-campaign", field: "From", make: () => setPhone("PendingTcrCampaignChange") },
  { code: 6, problem: "sender-lacks-feature", field: "From", make: () => setFeatures("{VOICE}") },
  { code: 3015, problem: "campaign-suspended", field: "From", make: () => setCampaign("Suspended") },
  { code: 3017, problem: "campaign-expired", field: "From", make: () => setCampaign("Expired") },
];

const addRecipient = (order: Order, number: string) => {
  const { To, Recipients, ...rest } = order as { To?: string; Recipients?: string[] };
  for (const name of Object.keys(order)) delete order[name];
  Object.assign(order, rest, { Recipients: [...(Recipients ?? [To as string]), number] });
};

/** In the order of the contract. Each can be combined with those after it. */
const FAULTS: readonly Fault[] = [
  { code: 1001, problem: "recipient-invalid", field: "Recipients[1]", make: (order) => addRecipient(order, "12") },
  {
    code: 1002,
    problem: "recipient-opted-out",
    field: "Recipients",
    async make(order) {
      const OPTED_OUT = "+14155550177";
      const optOut = { number: OPTED_OUT, scopeType: "SenderPhoneNumber", scope: sender.number };
      await answerOf(await account.call("/v1/OptOuts", json("POST", optOut)), 201);
      addRecipient(order, OPTED_OUT);
    },
  },
  {
    code: 1005,
    problem: "country-not-allowed",
    field: "Recipients",
    make: (order) => addRecipient(order, "+33612345678"),
  },
  { code: 2001, problem: "text-empty", field: "Text", make: (order) => Object.assign(order, { Text: "" }) },
  {
    code: 2003,
    problem: "callback-url-refused",
    field: "CallbackUrlOverride",
    make: (order) => Object.assign(order, { CallbackUrlOverride: `https://a.example/${"x".repeat(2048)}` }),
  },
  {
    code: 2004,
    problem: "expiry-in-the-past",
    field: "ExpiresOn",
    make: (order) => Object.assign(order, { ExpiresOn: "2020-01-01T00:00:00Z" }),
  },
  { code: 2005, problem: "bad-date", field: "SendAt", make: (order) => Object.assign(order, { SendAt: "tomorrow" }) },
  {
    code: 2006,
    problem: "bad-media",
    field: "MediaUrls",
    // With media a text may be empty, so the fault of the text is made one that also applies with media.
    make: (order) =>
      Object.assign(order, {
        MediaUrls: Array(11).fill("https://media.example/a.jpg"),
        ...(order.Text === "" ? { Text: {} } : {}),
      }),
  },
  {
    code: 3007,
    problem: "bad-priority",
    field: "Priority",
    make: (order) => Object.assign(order, { Priority: "Now" }),
  },
];

describe("every code", () => {
  test.each(SENDER_FAULTS)("$code $problem comes before all that speaks against recipient and text", async (fault) => {
    const alone: Order = good();
    await fault.make(alone);
    expect(await refuse(alone)).toMatchObject({
      code: fault.problem,
      errorCode: fault.code,
      errorMessage: expect.stringMatching(/\S/),
      detail: expect.stringMatching(/\S/),
      errors: { [fault.field]: [expect.stringMatching(/\S/)] },
    });
    const together: Order = { ...alone };
    for (const later of FAULTS) await later.make(together);
    const refusal = await refuse(together);
    expect(refusal).toMatchObject({ code: fault.problem, errorCode: fault.code });
    expect(Object.keys(refusal.errors ?? {})).toEqual(
      expect.arrayContaining([fault.field, "Text", "SendAt", "Priority"]),
    );
  });

  test.each(FAULTS)("$code $problem, alone and before those that come after it", async (fault) => {
    const order: Order = good();
    await fault.make(order);
    const alone = await refuse(order);
    expect(alone).toMatchObject({ code: fault.problem, errorCode: fault.code, errorMessage: expect.any(String) });
    expect(Object.keys(alone.errors ?? {})).toEqual([fault.field]);

    const later = FAULTS.slice(FAULTS.indexOf(fault) + 1);
    for (const other of later) await other.make(order);
    const together = await refuse(order);
    expect(together).toMatchObject({ code: fault.problem, errorCode: fault.code });
    const fields = [fault, ...later].map(({ field }) => field);
    expect(Object.keys(together.errors ?? {})).toEqual(expect.arrayContaining(fields));
    expect(together.detail).toBe(together.errors?.[fault.field]?.[0]);
  });

  test("2002 text too long comes where 2001 would", async () => {
    const order = { ...good(), Text: "x".repeat(1601), ExpiresOn: "2020-01-01T00:00:00Z" };
    expect(await refuse(order)).toMatchObject({ errorCode: 2002, errors: { Text: [expect.stringContaining("1601")] } });
  });

  test("3005: an account whose queue is full sends on when some have left", async () => {
    await tandem.database.query(
      `insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at)
       select 'OM-full-' || $1 || number, $1, '+10000000000', 3, now() + interval '1 hour', now() + interval '1 day'
         from generate_series(1, 100000) as number`,
      [account.sid],
    );
    await expect.poll(async () => (await post(json("POST", good()))).status, UNTIL).toBe(400);
    expect(await refuse(good())).toMatchObject({
      code: "queue-full",
      errorCode: 3005,
      errors: { $: [expect.any(String)] },
    });
    const other = await newMessenger(tandem);
    const { number } = await newSender(tandem, tandem.database, other);
    await send(other, { ...good(), From: number });
    await tandem.database.query("delete from outbound_queue where account_sid = $1", [account.sid]);
    await expect.poll(async () => (await post(json("POST", good()))).status, UNTIL).toBe(200);
  });

  test("3019: a suspended account is refused with 403, and sends again when it is resumed", async () => {
    await account.change({ status: "Suspended" });
    expect(await refuse(good(), 403)).toMatchObject({
      code: "account-suspended",
      errorCode: 3019,
      errorMessage: "The account is suspended.",
    });
    await account.change({ status: "Active" });
    await send(account, good());
  });

  test("429: too many to one recipient, told with whom and for how long; others are not touched", async () => {
    await account.change({ limits: { sendToRecipient: limitOf(2) } });
    await send(account, good());
    await send(account, good());
    // A dry run sends nothing and does not count against the limit.
    expect(await send(account, { ...good(), DryRun: true })).toMatchObject({ wouldSend: true });
    const order = { ...json("POST", good()), headers: { "Content-Type": "application/json", "Idempotency-Key": "k" } };
    const answer = await post(order);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await problemOf(answer, 429)).toMatchObject({ code: "rate-limited", detail: expect.stringContaining(TO) });
    await send(account, { ...good(), To: "+14155550106" });
    // A refusal by the rate limit is not stored under its key.
    await account.change({ limits: { sendToRecipient: limitOf(10) } });
    const again = await post(order);
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    await answerOf(again, 200);
  });
});

describe("what cannot be read", () => {
  const typed = (type: string, body: string, more: Readonly<Record<string, string>> = {}): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": type, ...more },
    body,
  });
  const JSON_TYPE = "application/json";

  test.each([
    ["JSON that breaks off", () => typed(JSON_TYPE, "{"), 400],
    ["a form with a malformed escape", () => rawForm("From=%zz"), 400],
    ["a picture", () => typed("image/png", "…"), 415],
    ["a body that is too large", () => typed(JSON_TYPE, JSON.stringify({ Text: "x".repeat(300_000) })), 413],
    [
      "a key that is too long",
      () => typed(JSON_TYPE, JSON.stringify(good()), { "Idempotency-Key": "k".repeat(256) }),
      400,
    ],
  ] as const)("%s is refused with a code, by the dry run too", async (_what, request, status) => {
    for (const path of [SEND, `${SEND}/dryRun`]) {
      const refusal = await problemOf(await account.call(path, request()), status);
      expect(refusal).toMatchObject({ errorCode: expect.any(Number), errorMessage: expect.stringMatching(/\S/) });
    }
  });

  test("the code is that of the first fault, wherever it is", async () => {
    const key = { "Idempotency-Key": "k".repeat(256) };
    const order = JSON.stringify({ ...good(), To: "pizza", Priority: "soon" });
    const refusal = await refusalOf(typed(JSON_TYPE, order, key));
    expect(refusal).toMatchObject({ code: "bad-priority", errorCode: 3007 });
    expect(Object.keys(refusal.errors ?? {})).toEqual(expect.arrayContaining(["Idempotency-Key", "Priority"]));
  });
});

describe("features", () => {
  const media = () => ({ ...good(), MediaUrls: ["https://media.example/a.jpg"] });
  const group = () => ({ From: sender.number, Recipients: [TO, "+14155550101"], Text: "Hi" });

  test.each([
    ["{SMS}", good, [media, group]],
    ["{MMS,VOICE}", group, [good]],
  ] as const)("a number with %s sends no more than that", async (features, able, unable) => {
    await setFeatures(features);
    await send(account, able());
    for (const order of unable) {
      expect(await refuse(order())).toMatchObject({ errorCode: 6, code: "sender-lacks-feature" });
    }
  });

  test("what waits fails with 6 when its number has lost the feature", async () => {
    const { sid } = await send(account, { ...good(), SendAt: inAnHour() });
    await setFeatures("{VOICE}");
    await moveDue(tandem.database, sid);
    await expect.poll(() => messageOf(account, sid), UNTIL).toMatchObject({ status: "Failed", errorCode: 6 });
  });
});

describe("numbers and campaigns", () => {
  const prefixes: readonly [string, string, string][] = [
    ["a toll-free number", "+1888556", "+14155550100"],
    ["a British number", "+44740000", "+447400123456"],
    ["a French number", "+3361234", "+33612345678"],
  ];

  test.each(prefixes)("%s sends without a campaign", async (_what, prefix, To) => {
    const messagingConfigSid = await newConfig(account);
    const phone = await take(account, await newNumber(tandem, prefix), { messagingConfigSid });
    expect(phone).toMatchObject({ status: "Active" });
    const message = await send(account, { From: phone.number, To, Text: "No campaign needed" });
    expect(message).toMatchObject({ status: "Queued", tcrCampaignId: null, messagingConfigSid });
  });

  test.each(["+1303556", "+1613555", "+1787556"])("a local number of +1 (%s…) does not", async (prefix) => {
    const messagingConfigSid = await newConfig(account);
    const phone = await take(account, await newNumber(tandem, prefix), { messagingConfigSid });
    expect(phone).toMatchObject({ status: "PendingTcrCampaignAdd" });
    expect(await refuse({ ...good(), From: phone.number })).toMatchObject({ errorCode: 4 });
  });

  test("by default the countries of one's own numbers are reached, else those that the operator allows", async () => {
    expect(await refuse({ ...good(), To: "+33612345678" })).toMatchObject({
      errorCode: 1005,
      errors: { To: [expect.stringMatching(/FR; allowed for this account: US/)] },
    });
    expect(await refuse({ ...good(), To: "+16135550123" })).toMatchObject({ errorCode: 1005 });
    // Satellite numbers belong to no country.
    expect(await refuse({ ...good(), To: "+881612345678" })).toMatchObject({ errorCode: 1005 });
    // In no known range of +1: treated as the home country.
    await send(account, { ...good(), To: "+15551234567" });
    await take(account, await newNumber(tandem, "+3361234"), { messagingConfigSid: sender.configSid });
    await send(account, { ...good(), To: "+33612345678" });
    await account.change({ allowedCountries: ["CA"] });
    await send(account, { ...good(), To: "+16135550123" });
    expect(await refuse(good())).toMatchObject({ errorCode: 1005 });
    expect(await refuse({ ...good(), To: "+15551234567" })).toMatchObject({ errorCode: 1005 });
  });
});

describe("bad input", () => {
  test("a body that is no form and no JSON is refused as what it is", async () => {
    const typed = (type: string, body: string) => ({ method: "POST", headers: { "Content-Type": type }, body });
    await problemOf(await post(typed("text/plain", "From=1")), 415);
    await problemOf(await post(typed("multipart/form-data; boundary=x", "--x--")), 415);
    await problemOf(await post(typed("application/xml", "<From/>")), 415);
    for (const body of ["", "{", "[]", "null", '"x"', "17", "{}", '{"From":1,"From":2}']) {
      const answer = await problemOf(await post(typed("application/json", body)), 400);
      expect(Object.keys(answer.errors ?? {}).length).toBeGreaterThan(0);
    }
    for (const body of ["", "=", "&", "&&=&", "x", "From", "%", "Text=%ZZ", "Text=%E9", "a=1&".repeat(500)]) {
      const answer = await problemOf(await post(rawForm(body)), 400);
      expect(Object.keys(answer.errors ?? {}).length).toBeGreaterThan(0);
    }
    await problemOf(await post({ method: "POST" }), 400);
    expect((await answerOf<List<object>>(await account.call(SEND), 200)).items).toEqual([]);
  });

  test("a megabyte of text is refused with 413", async () => {
    for (const order of [
      json("POST", { ...good(), Text: "x".repeat(1 << 20) }),
      form({ ...good(), Text: "x".repeat(1 << 20) }),
    ]) {
      await problemOf(await post(order), 413);
    }
  });

  test("half of a surrogate pair and NUL are refused, not repaired", async () => {
    const json = (text: string) => ({
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: `{"From":"${sender.number}","To":"${TO}","Text":"${text}"}`,
    });
    for (const text of ["\\ud83d", "a\\ude00b", "\\ude00\\ud83d", "\\u0000", "a\\u0000b"]) {
      const refusal = await refusalOf(json(text));
      expect(refusal).toMatchObject({ code: "validation", errorCode: 2147483647 });
      expect(Object.keys(refusal.errors ?? {})).toEqual(["Text"]);
    }
    expect(await refusalOf(rawForm(`From=${sender.number}&To=${TO}&Text=a%00b`))).toMatchObject({
      errorCode: 2147483647,
    });
    const whole = await answerOf<{ text: string }>(await post(json("\\ud83d\\ude00")), 200);
    expect(whole.text).toBe("😀");
  });

  test.each([
    "ConversationMetadata",
    "CallbackUrlOverride",
    "MediaUrls",
    "From",
    "To",
    "Recipients",
    "Priority",
    "SendAt",
  ])("what cannot be stored is refused in %s too", async (field) => {
    for (const value of ["\u0000", "a\u0000b", "\ud800", "\u001b[31m"]) {
      const order: Order = {
        ...good(),
        [field]: field === "Recipients" || field === "MediaUrls" ? [value, value] : value,
      };
      if (field === "Recipients") delete order.To;
      if (field === "ConversationMetadata" && value.startsWith("\u001b")) continue;
      expect((await refuse(order)).errors).toBeDefined();
    }
  });

  test("values of the wrong kind are refused by name", async () => {
    for (const value of [17, true, {}, [[]], ["a", 1]]) {
      for (const field of ["From", "To", "Text", "Recipients", "MediaUrls", "Priority", "ExpiresOn", "SendAt"]) {
        const order: Order = { ...good(), [field]: value };
        if (field === "Recipients") delete order.To;
        const { errors } = await refuse(order);
        expect(Object.keys(errors ?? {}).join()).toContain(field);
      }
    }
    for (const field of ["HoldUntilActive", "DryRun", "SmartEncoding"]) {
      for (const value of ["yes", "", 1, [], {}]) {
        expect(Object.keys((await refuse({ ...good(), [field]: value })).errors ?? {})).toEqual([field]);
      }
    }
  });

  test("a field that stands alone may not be given twice", async () => {
    for (const field of ["From", "To", "Text", "Priority", "SendAt", "ConversationMetadata"]) {
      const fields = [...Object.entries(good()), [field, "x"], [field.toUpperCase(), "y"]] as [string, string][];
      const refusal = await refusalOf(form(fields));
      expect(refusal.errors?.[field]).toContain("This is given more than once.");
    }
  });

  test("ten media are the most, and each is a URL that may be fetched", async () => {
    const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://media.example/${at}.jpg`);
    expect(await send(account, { ...good(), MediaUrls: urls(10), DryRun: true })).toMatchObject({ wouldSend: true });
    expect(await refuse({ ...good(), MediaUrls: urls(11) })).toMatchObject({
      errorCode: 2006,
      errors: { MediaUrls: ["10 are allowed; these are 11."] },
    });
    for (const url of [
      "picture.jpg",
      "//media.example/a.jpg",
      "ftp://media.example/a.jpg",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:image/png;base64,AAAA",
      "https://user:secret@media.example/a.jpg",
      "http://10.1.2.3/a.jpg",
      "http://169.254.169.254/latest/meta-data",
      "http://[fd00::1]/a.jpg",
      "https://",
      `https://media.example/${"x".repeat(2048)}`,
    ]) {
      const refusal = await refuse({ ...good(), MediaUrls: ["https://media.example/a.jpg", url] });
      expect({ url, refusal }).toMatchObject({ refusal: { errorCode: 2006, code: "bad-media" } });
      expect(Object.keys(refusal.errors ?? {})).toEqual(["MediaUrls[1]"]);
    }
  });

  test("every fault of a list is told under the place of its item", async () => {
    const MediaUrls = [`https://media.example/${"x".repeat(2048)}`, "ftp://media.example/a.jpg"];
    expect((await refuse({ ...good(), MediaUrls })).errors).toEqual({
      "MediaUrls[0]": ["At most 2048 characters are allowed."],
      "MediaUrls[1]": [expect.any(String)],
    });
    const { To: _, ...group } = { ...good(), Recipients: "[,zzz]", MediaUrls: "https://media.example/a.jpg" };
    expect((await refuse(group)).errors).toEqual({
      "Recipients[0]": ["This is empty."],
      "Recipients[1]": [expect.any(String)],
    });
  });

  test("a callback goes where webhooks may go and nowhere else", async () => {
    for (const url of [
      "ftp://a.example/",
      "http://10.1.2.3/hook",
      "https://u:p@a.example/",
      "hook",
      "http://[::ffff:10.0.0.1]/",
    ]) {
      const refusal = await refuse({ ...good(), StatusCallback: url });
      expect({ url, refusal }).toMatchObject({ refusal: { errorCode: 2003, code: "callback-url-refused" } });
    }
    const both = await refuse({
      ...good(),
      StatusCallback: "https://a.example/",
      CallbackUrlOverride: "https://b.example/",
    });
    expect(both.errors).toEqual({ CallbackUrlOverride: ["This is given more than once."] });
  });

  test("dates that no calendar has, or too far ahead, are refused", async () => {
    for (const date of [
      "2026-02-30T00:00:00Z",
      "2027-13-01T00:00:00Z",
      "2027-01-01T25:00:00Z",
      "2027-01-01",
      "2027-01-01T00:00:00",
      "01/01/2027",
      "1767225600",
      new Date(Date.now() + 36 * 86_400_000).toISOString(),
      "9999-12-31T23:59:59Z",
    ]) {
      for (const field of ["SendAt", "ExpiresOn"]) {
        const refusal = await refuse({ ...good(), [field]: date });
        expect({ date, refusal }).toMatchObject({ refusal: { errorCode: 2005, code: "bad-date" } });
        expect(Object.keys(refusal.errors ?? {})).toEqual([field]);
      }
    }
    const at = new Date(Date.now() + 3_600_000).toISOString();
    expect(await refuse({ ...good(), SendAt: at, ExpiresOn: at })).toMatchObject({ errorCode: 2004 });
  });

  test("metadata of a conversation has 512 characters at most", async () => {
    await send(account, { ...good(), ConversationMetadata: "x".repeat(512) });
    expect((await refuse({ ...good(), ConversationMetadata: "x".repeat(513) })).errors).toHaveProperty(
      "ConversationMetadata",
    );
  });
});
