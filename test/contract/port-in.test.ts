// Porting numbers in, by plain HTTP, against the sandbox's clearing house: what is accepted, what is refused, and the
// resulting status of the numbers.

import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import {
  answerOf,
  bringCampaign,
  type List,
  newConfig,
  newNumber,
  type PhoneBody,
  SOON,
  take,
  toldOf,
  WIDE,
} from "./numbers.ts";
import {
  decide,
  formOf,
  letter,
  movesOf,
  orderData,
  orderOf,
  orderThatIs,
  type PortOrderBody,
  phoneOf,
  portIn,
  strangeNumbers,
  toldOfOrder,
} from "./port-orders.ts";
import { problemOf } from "./problem.ts";

const PATH = "/v1/Phones/port-in";

// No port or activation progresses by itself.
const tandem = useTandem({
  environment: { TANDEM_SANDBOX_PORT_SECONDS: "3600", TANDEM_ACTIVATION_SECONDS: "0" },
});
let account: TestAccount;
let config: string;

const limits = { read: WIDE, write: WIDE, send: WIDE, lookup: WIDE };
const migrant = () => newAccount(tandem, { features: ["campaignMigration"], limits });

beforeAll(async () => {
  account = await migrant();
  config = await newConfig(account);
});

const post = async (
  data: unknown,
  files: readonly (Uint8Array | { bytes: Uint8Array; name: string })[],
  by = account,
) => by.call(PATH, formOf(data, files));

async function errorsOf(response: Response): Promise<Readonly<Record<string, readonly string[]>>> {
  const problem = await problemOf(response, 400);
  return problem.errors ?? {};
}

describe("an order", () => {
  test("makes its numbers the account's at once, each reported once, and is reported itself", async () => {
    const own = await migrant();
    const sid = await newConfig(own);
    const numbers = strangeNumbers(2);
    const ordered = await portIn(own, sid, numbers);
    expect(ordered).toMatchObject({ sid: expect.stringMatching(/^PO[0-9a-f]{32}$/), status: "Submitted" });
    const phone = {
      number: numbers[0],
      name: null,
      status: "PendingPortIn",
      statusReason: "It is being ported in.",
      messagingConfigSid: sid,
      portOrderSid: ordered.sid,
      features: [],
    };
    expect(ordered.phones[0]).toMatchObject(phone);
    expect(await phoneOf(own, numbers[0] as string)).toStrictEqual(ordered.phones[0]);
    expect(await toldOf(own)).toStrictEqual(numbers.map((number) => `${number}: none → PendingPortIn`));
    expect(await toldOfOrder(own, ordered.sid)).toMatchObject([
      { PreviousStatus: null, Status: "Submitted", Reason: null, Numbers: numbers, Sequence: 1 },
    ]);
    const order = await orderOf(own, ordered.sid);
    expect(order).toMatchObject({ status: "Submitted", accountNumber: "A-123", losingCarrier: "Other Telecom" });
    expect(order.documents).toMatchObject([{ place: 1, name: "letter.pdf", contentType: "application/pdf" }]);
    const { items } = await answerOf<List<PortOrderBody>>(await own.call(`${PATH}?Status=Submitted`), 200);
    expect(items.map((item) => item.sid)).toStrictEqual([ordered.sid]);
  });

  test("keeps PINs to itself", async () => {
    const [number] = strangeNumbers(1);
    const pin = "pin-98765";
    const { sid } = await portIn(account, config, [{ number: number as string, pin }]);
    for (const path of [`${PATH}/${sid}`, PATH, "/v1/Phones", "/v1/Events?PageSize=1000"]) {
      expect(await (await account.call(path)).text()).not.toContain(pin);
    }
    for (const path of [`/operator/v1/PortOrders/${sid}`, "/operator/v1/PortOrders"]) {
      expect(await (await tandem.operator(path)).text()).not.toContain(pin);
    }
    const [row] = await tandem.database.query<{ text: string; pins: Buffer }>(
      "select port_orders::text as text, pins from port_orders where sid = $1",
      [sid],
    );
    expect(row?.pins.length).toBeGreaterThan(0);
    expect(row?.text).not.toContain(pin);
    expect(row?.pins.toString("latin1")).not.toContain(pin);
    await decide(account, sid, "complete");
    await orderThatIs(account, sid, "Completed");
    const rows = await tandem.database.query("select 1 from port_orders where sid = $1 and pins is null", [sid]);
    expect(rows, "PINs are forgotten when nobody needs them any more").toHaveLength(1);
  });

  test("is another account's 404", async () => {
    const { sid } = await portIn(account, config, strangeNumbers(1));
    const other = await migrant();
    for (const [path, init] of [
      [`${PATH}/${sid}`, {}],
      [`${PATH}/${sid}/loa`, {}],
      [`${PATH}/${sid}/cancel`, { method: "POST" }],
      [`${PATH}/${sid}`, json("PATCH", { accountNumber: "B" })],
      ["/testkit/v1/Emulate/port", json("POST", { sid })],
    ] as const) {
      await problemOf(await other.call(path, init), 404);
    }
    const { items } = await answerOf<List<PortOrderBody>>(await other.call(PATH), 200);
    expect(items).toStrictEqual([]);
  });

  test("under one Idempotency-Key is one order, and another letter is another request", async () => {
    const data = orderData(config, strangeNumbers(1));
    const paper = await letter();
    const send = (bytes: Uint8Array) => {
      const form = formOf(data, [bytes]);
      return account.call(PATH, { ...form, headers: { "Idempotency-Key": "one-order" } });
    };
    const first = await answerOf<{ sid: string }>(await send(paper), 200);
    const again = await send(paper);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await answerOf(again, 200)).toStrictEqual(first);
    await problemOf(await send(await letter(["+14155550111"])), 422);
  });

  test("given twice at once is taken once", async () => {
    const data = orderData(config, strangeNumbers(3));
    const paper = await letter();
    const answers = await Promise.all([post(data, [paper]), post(data, [paper])]);
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 400]);
  });
});

describe("what is refused, as a whole and with all that is wrong", () => {
  const nothingOf = async (by: TestAccount) => {
    expect((await answerOf<List<PhoneBody>>(await by.call("/v1/Phones"), 200)).items).toStrictEqual([]);
    expect((await answerOf<List<PortOrderBody>>(await by.call(PATH), 200)).items).toStrictEqual([]);
    expect(await toldOf(by)).toStrictEqual([]);
  };

  test("a hundred numbers with a bad one among them", async () => {
    const own = await migrant();
    const sid = await newConfig(own);
    const numbers = strangeNumbers(100);
    const paper = await letter();
    const bad = await post(orderData(sid, numbers.with(57, "+1720")), [paper], own);
    expect(Object.keys(await errorsOf(bad))).toStrictEqual(["phones[57].number"]);
    await nothingOf(own);
    const { phones } = await answerOf<{ phones: PhoneBody[] }>(await post(orderData(sid, numbers), [paper], own), 200);
    expect(phones.map(({ number }) => number)).toStrictEqual(numbers);
    expect(await toldOf(own)).toHaveLength(100);
  });

  test("numbers that are here already, told together with a bad letter and a bad address", async () => {
    const own = await migrant();
    const sid = await newConfig(own);
    const mine = await newNumber(tandem);
    await take(own, mine);
    const theirs = await newNumber(tandem);
    await take(account, theirs);
    const stock = await newNumber(tandem);
    const [ordered, free] = strangeNumbers(2) as [string, string];
    const order = await portIn(own, sid, [ordered]);
    const data = orderData(sid, [mine, theirs, stock, ordered, free, free, "pizza"], { accountNumber: "" });
    const errors = await errorsOf(await post(data, [Buffer.from("<html>")], own));
    expect(errors).toMatchObject({
      "phones[0].number": ["This number is yours already."],
      "phones[1].number": ["This number is here already and serves an account."],
      "phones[2].number": ["This number is here already: take it with POST /v1/Phones."],
      "phones[3].number": [expect.stringContaining(order.sid)],
      "phones[5].number": ["This is the same number as phones[4]."],
      "phones[6].number": [expect.any(String)],
      accountNumber: ["This is empty."],
      "files[0]": [expect.stringContaining("a web page")],
    });
    expect(Object.keys(errors)).toHaveLength(8);
  });

  test("a MessagingConfig that is not there, or another account's", async () => {
    const other = await migrant();
    const unknown = `MC${"0".repeat(32)}`;
    for (const sid of [unknown, await newConfig(other)]) {
      const errors = await errorsOf(await post(orderData(sid, strangeNumbers(1)), [await letter()]));
      expect(errors).toStrictEqual({ messagingConfigSid: [`There is no MessagingConfig ${sid}.`] });
    }
  });

  test("a config without an active campaign, unless campaignMigration is switched on", async () => {
    const own = await newAccount(tandem, { limits });
    const sid = await newConfig(own);
    const order = async () => post(orderData(sid, strangeNumbers(1)), [await letter()], own);
    const problem = await problemOf(await order(), 400);
    expect(problem).toMatchObject({
      code: "campaign-not-linked",
      detail: expect.stringContaining("campaignMigration"),
      errors: { messagingConfigSid: ["It is linked to no campaign."] },
    });
    await nothingOf(own);

    const campaign = await bringCampaign(tandem.database, own.sid);
    await answerOf(
      await own.call(`/v1/MessagingConfigs/${sid}`, json("PATCH", { tcrCampaignId: campaign.tcrCampaignId })),
      200,
    );
    await answerOf(await order(), 200);
    await tandem.database.query("update tcr_campaigns set status = 'Suspended' where tcr_campaign_id = $1", [
      campaign.tcrCampaignId,
    ]);
    expect((await problemOf(await order(), 400)).code).toBe("campaign-not-linked");
    await own.change({ features: ["campaignMigration"] });
    await answerOf(await order(), 200);
  });

  test.each<[string, unknown, readonly Uint8Array[], Readonly<Record<string, unknown>>]>([
    ["no letter", {}, [], { files: [expect.stringContaining("letter of authorization is required")] }],
    [
      "a web page called letter.pdf",
      {},
      [Buffer.from("<!DOCTYPE html><html></html>")],
      { "files[0]": [expect.stringContaining("web page")] },
    ],
    ["an empty file", {}, [new Uint8Array(0)], { "files[0]": [expect.stringContaining("empty")] }],
    ["a PDF that grows a thousandfold", {}, [bomb()], { "files[0]": [expect.any(String)] }],
    [
      "a file of 11 MiB",
      {},
      [Buffer.alloc(11 << 20, "%PDF-1.7 ")],
      { "files[0]": ["The file is larger than 10 MiB."] },
    ],
    [
      "eleven files",
      {},
      Array.from({ length: 11 }, () => Buffer.from("x")),
      { files: ["10 files are taken at a time."] },
    ],
  ])("%s", async (_, more, files, errors) => {
    const data = orderData(config, strangeNumbers(1), more as object);
    expect(await errorsOf(await post(data, files))).toMatchObject(errors);
  });

  test.each<[string, unknown, string]>([
    ["no data", undefined, "$"],
    ["data that is no JSON", "{", "data"],
    ["data that says something twice", '{"phones":1,"phones":2}', "data"],
    ["data that is a list", [], "$"],
  ])("%s", async (_, data, field) => {
    expect(Object.keys(await errorsOf(await post(data, [await letter()])))).toContain(field);
  });

  test("a form with a part that no one knows", async () => {
    const form = formOf(orderData(config, strangeNumbers(1)), [await letter()]);
    (form.body as FormData).append("colour", "red");
    expect(await errorsOf(await account.call(PATH, form))).toHaveProperty("colour");
  });

  test("a form with its data twice, which is reported as such", async () => {
    const form = formOf(orderData(config, strangeNumbers(1)), [await letter()]);
    (form.body as FormData).append("data", "{}");
    expect(await errorsOf(await account.call(PATH, form))).toMatchObject({ data: ["This is given more than once."] });
  });

  test("a query that no one knows, beside what is wrong with the form", async () => {
    const form = formOf(orderData(config, strangeNumbers(1), { accountNumber: "" }), [Buffer.from("<html>")]);
    const errors = await errorsOf(await account.call(`${PATH}?x=1`, form));
    expect(Object.keys(errors).sort()).toStrictEqual(["accountNumber", "files[0]", "x"]);
  });

  test("a form that is cut short", async () => {
    const init = {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body: '--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{',
    };
    expect(await errorsOf(await account.call(PATH, init))).toHaveProperty("$");
  });

  test("JSON in place of the form, and a form where JSON is wanted", async () => {
    await problemOf(await account.call(PATH, json("POST", orderData(config, strangeNumbers(1)))), 415);
    await problemOf(await account.call("/v1/MessagingConfigs", formOf({ name: "x" }, [])), 415);
  });

  test("more than 25 MiB, however it comes, and JSON of more than 256 KiB even here", async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n';
    const size = 30 << 20;
    const body = Buffer.concat([Buffer.from(part), Buffer.alloc(size), Buffer.from("\r\n--x--")]);
    const type = { "Content-Type": "multipart/form-data; boundary=x" };
    const problem = await problemOf(await account.call(PATH, { method: "POST", headers: type, body }), 413);
    expect(problem.detail).toContain(String(25 << 20));
    const { sid } = await portIn(account, config, strangeNumbers(1));
    const wordy = json("PATCH", { customerReference: "x".repeat(300_000) });
    await problemOf(await account.call(`${PATH}/${sid}`, wordy), 413);
  });
});

/** A compressed stream with a false length. */
function bomb(): Uint8Array {
  const inflated = deflateSync(Buffer.alloc(200 << 20));
  const stream = `<</Type/ObjStm/N 1/First 5/Filter/FlateDecode/Length ${inflated.length}>>stream\n`;
  const head = `%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 9 0 R>>\nendobj\n2 0 obj\n${stream}`;
  const tail = "\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n";
  return Buffer.concat([Buffer.from(head, "latin1"), inflated, Buffer.from(tail, "latin1")]);
}

describe("the way of a number", () => {
  const send = (by: TestAccount, From: string, more: object = {}) =>
    by.call("/messaging/v1/OutboundMessages", json("POST", { From, To: "+14155550100", Text: "Hi", ...more }));
  const hear = (by: TestAccount, to: string) =>
    by.call("/testkit/v1/Emulate/inbound-message", json("POST", { from: "+14155550190", to: [to], text: "Hello" }));

  test("is that of the specification: PendingPortIn, PendingTcrCampaignAdd, Active", async () => {
    const own = await migrant();
    const sid = await newConfig(own);
    const [number] = strangeNumbers(1) as [string];
    const { sid: order } = await portIn(own, sid, [number]);

    // Submitted: the previous carrier carries everything.
    await problemOf(await hear(own, number), 409);
    expect(await problemOf(await send(own, number), 400)).toMatchObject({ errorCode: 4 });
    const held = await answerOf<{ sid: string; status: string }>(
      await send(own, number, { HoldUntilActive: true }),
      200,
    );
    expect(held.status).toBe("Queued");

    // The feature is not checked again.
    await own.change({ features: [] });
    await decide(own, order, "complete");
    await orderThatIs(own, order, "Completed");

    // Ported: inbound works, outbound waits for the campaign.
    expect(await phoneOf(own, number)).toMatchObject({
      status: "PendingTcrCampaignAdd",
      features: ["SMS", "MMS", "VOICE"],
      portOrderSid: order,
    });
    await answerOf(await hear(own, number), 200);
    const { items } = await answerOf<List<{ text: string; to: string }>>(await own.call("/v1/InboundMessages"), 200);
    expect(items).toMatchObject([{ text: "Hello", to: number }]);
    expect(await problemOf(await send(own, number), 400)).toMatchObject({ errorCode: 4 });

    // Attached: both directions work, and the held message leaves.
    const { tcrCampaignId } = await bringCampaign(tandem.database, own.sid);
    await answerOf(await own.call(`/v1/MessagingConfigs/${sid}`, json("PATCH", { tcrCampaignId })), 200);
    expect((await phoneOf(own, number)).status).toBe("Active");
    await answerOf(await send(own, number), 200);
    const statusOf = async () =>
      (await answerOf<{ status: string }>(await own.call(`/v1/OutboundMessages/${held.sid}`), 200)).status;
    await expect.poll(statusOf, SOON).not.toBe("Queued");
    expect(await toldOf(own)).toStrictEqual([
      `${number}: none → PendingPortIn`,
      `${number}: PendingPortIn → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
    ]);
    expect(movesOf(await toldOfOrder(own, order))).toStrictEqual([
      "none → Submitted",
      "Submitted → FocConfirmed",
      "FocConfirmed → Completed",
    ]);
  });

  test("passes the campaign's door even where the campaign waits already", async () => {
    const own = await migrant();
    const { tcrCampaignId } = await bringCampaign(tandem.database, own.sid);
    const sid = await newConfig(own, { tcrCampaignId });
    const [number] = strangeNumbers(1) as [string];
    const { sid: order } = await portIn(own, sid, [number]);
    await decide(own, order, "complete");
    await orderThatIs(own, order, "Completed");
    expect(await toldOf(own)).toStrictEqual([
      `${number}: none → PendingPortIn`,
      `${number}: PendingPortIn → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
    ]);
  });

  test("that needs no campaign ends at once in Active", async () => {
    const own = await migrant();
    const [number] = strangeNumbers(1, "888") as [string];
    const { sid: order } = await portIn(own, await newConfig(own), [number]);
    await decide(own, order, "complete");
    await orderThatIs(own, order, "Completed");
    expect(await toldOf(own)).toStrictEqual([`${number}: none → PendingPortIn`, `${number}: PendingPortIn → Active`]);
  });

  test("that was taken out of its config meanwhile ends where one is added", async () => {
    const own = await migrant();
    const [number] = strangeNumbers(1) as [string];
    const { sid: order } = await portIn(own, await newConfig(own), [number]);
    await answerOf(await own.call(`/v1/Phones/${number}`, json("PATCH", { messagingConfigSid: null })), 200);
    await decide(own, order, "complete");
    await orderThatIs(own, order, "Completed");
    expect((await phoneOf(own, number)).status).toBe("PendingMessagingConfigAdd");
  });

  test("cannot be cut off by giving the number back while it is under way", async () => {
    const [number] = strangeNumbers(1) as [string];
    await portIn(account, config, [number]);
    await problemOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 409);
  });
});

describe("what becomes of an order", () => {
  test("rejected: its numbers are removed with the reason, free to be ordered again, and their config is free too", async () => {
    const own = await migrant();
    const sid = await newConfig(own);
    const numbers = strangeNumbers(2);
    const { sid: order } = await portIn(own, sid, numbers);
    await decide(own, order, "reject", "ENTITY_NAME_MISMATCH");
    expect(await orderThatIs(own, order, "Failed")).toMatchObject({
      reasonCode: "ENTITY_NAME_MISMATCH",
      numbers: [
        { status: "Failed", reasonCode: "ENTITY_NAME_MISMATCH" },
        { status: "Failed", reasonCode: "ENTITY_NAME_MISMATCH" },
      ],
    });
    expect(await phoneOf(own, numbers[0] as string)).toMatchObject({
      status: "Removed",
      statusReason: expect.stringContaining("ENTITY_NAME_MISMATCH"),
    });
    expect((await toldOfOrder(own, order)).at(-1)).toMatchObject({
      Status: "Failed",
      Reason: expect.stringMatching(/^ENTITY_NAME_MISMATCH: /),
    });
    expect((await toldOf(own)).slice(2)).toStrictEqual(numbers.map((number) => `${number}: PendingPortIn → Removed`));
    await problemOf(await own.call(`${PATH}/${order}/cancel`, { method: "POST" }), 409);
    await problemOf(await own.call(`${PATH}/${order}`, json("PATCH", { accountNumber: "B" })), 409);
    await portIn(own, await newConfig(own), numbers);
    await answerOf(await own.call(`/v1/MessagingConfigs/${sid}`, { method: "DELETE" }), 204);
  });

  test("partly done: each number has its own result", async () => {
    const [first, second] = strangeNumbers(2) as [string, string];
    const { sid } = await portIn(account, config, [first, second]);
    await decide(account, sid, "partial");
    const order = await orderThatIs(account, sid, "PartiallyCompleted");
    expect(order.numbers).toMatchObject([
      { number: first, status: "Completed", reasonCode: null },
      { number: second, status: "Failed", reasonCode: "PHONE_NUMBER_NOT_PORTABLE" },
    ]);
    expect((await phoneOf(account, first)).status).toBe("PendingTcrCampaignAdd");
    expect((await phoneOf(account, second)).status).toBe("Removed");
  });

  test("half a number: it is removed with the reason, told of once, and may be ordered again", async () => {
    const own = await migrant();
    const sid = await newConfig(own);
    const [number] = strangeNumbers(1) as [string];
    const { sid: first } = await portIn(own, sid, [number]);
    const message = { From: number, To: "+14155550100", Text: "Hi", HoldUntilActive: true };
    const held = await own.call("/messaging/v1/OutboundMessages", json("POST", message));
    const { sid: heldSid } = await answerOf<{ sid: string }>(held, 200);
    await decide(own, first, "partial");
    expect((await orderThatIs(own, first, "PartiallyCompleted")).numbers).toMatchObject([
      { status: "PartiallyCompleted", reasonCode: "PHONE_NUMBER_NOT_PORTABLE" },
    ]);
    expect(await phoneOf(own, number)).toMatchObject({
      status: "Removed",
      statusReason: expect.stringContaining("PHONE_NUMBER_NOT_PORTABLE"),
    });
    expect((await toldOf(own)).slice(1)).toStrictEqual([`${number}: PendingPortIn → Removed`]);
    expect(await answerOf(await own.call(`/messaging/v1/OutboundMessages/${heldSid}`), 200)).toMatchObject({
      status: "Failed",
      errorCode: 4,
    });
    const { sid: second } = await portIn(own, sid, [number]);
    await decide(own, second, "complete");
    await orderThatIs(own, second, "Completed");
    expect((await phoneOf(own, number)).status).toBe("PendingTcrCampaignAdd");
  });

  test("messaging may come later than voice", async () => {
    const [number] = strangeNumbers(1) as [string];
    const { sid } = await portIn(account, config, [number]);
    await decide(account, sid, "messagingLate");
    await expect.poll(async () => (await phoneOf(account, number)).features, SOON).toStrictEqual(["VOICE"]);
    expect(await orderOf(account, sid)).toMatchObject({ status: "FocConfirmed", numbers: [{ status: "Activating" }] });
    expect((await phoneOf(account, number)).status).toBe("PendingPortIn");
    await problemOf(await account.call(`${PATH}/${sid}/cancel`, { method: "POST" }), 409);
    await decide(account, sid, "complete");
    await orderThatIs(account, sid, "Completed");
    expect((await phoneOf(account, number)).status).toBe("PendingTcrCampaignAdd");
  });

  test("another date takes the place of the first", async () => {
    const { sid } = await portIn(account, config, strangeNumbers(1));
    await decide(account, sid, "focChange");
    const dueMs = async () => new Date((await orderOf(account, sid)).numbers[0]?.focOn ?? 0).getTime() - Date.now();
    // The first date is in an hour, the second in two.
    await expect.poll(dueMs, SOON).toBeGreaterThan(1.5 * 3_600_000);
    expect((await orderOf(account, sid)).status).toBe("FocConfirmed");
    expect(movesOf(await toldOfOrder(account, sid))).toStrictEqual(["none → Submitted", "Submitted → FocConfirmed"]);
  });

  test("cancelled: asked for, and then so", async () => {
    const own = await migrant();
    const [number] = strangeNumbers(1) as [string];
    const { sid } = await portIn(own, await newConfig(own), [number]);
    const asked = await answerOf<PortOrderBody>(await own.call(`${PATH}/${sid}/cancel`, { method: "POST" }), 200);
    expect(asked.cancelRequestedOn).not.toBeNull();
    expect(await orderThatIs(own, sid, "Cancelled")).toMatchObject({
      reasonCode: "CANCELLED",
      cancelRequestedOn: null,
    });
    expect(await phoneOf(own, number)).toMatchObject({
      status: "Removed",
      statusReason: expect.stringContaining("CANCELLED"),
    });
    expect(movesOf(await toldOfOrder(own, sid))).toStrictEqual(["none → Submitted", "Submitted → Cancelled"]);
  });

  test("an exception is answered, with a PIN that fits, and the order goes on", async () => {
    const [good, wrong] = strangeNumbers(2) as [string, string];
    const { sid } = await portIn(account, config, [good, { number: wrong, pin: "0000" }]);
    const held = await orderThatIs(account, sid, "Exception");
    expect(held).toMatchObject({ reasonCode: "PASSCODE_PIN_INVALID", answerWith: ["phones"] });
    expect(held.numbers.map(({ status }) => status)).toStrictEqual(["Submitted", "Exception"]);
    expect((await phoneOf(account, wrong)).statusReason).toContain("PASSCODE_PIN_INVALID");
    for (const bad of [{}, { phones: [{ number: "+14155550100", pin: "1234" }] }, { messagingConfigSid: config }]) {
      await problemOf(await account.call(`${PATH}/${sid}`, json("PATCH", bad)), 400);
    }
    const answer = { phones: [{ number: wrong, pin: "4711" }], serviceAddress: { ...ADDRESS, street: "2 Main St" } };
    const answered = await answerOf<PortOrderBody>(await account.call(`${PATH}/${sid}`, json("PATCH", answer)), 200);
    expect(answered.serviceAddress).toMatchObject({ street: "2 Main St" });
    expect(await orderThatIs(account, sid, "Submitted")).toMatchObject({ reasonCode: null, answerWith: [] });
    expect((await phoneOf(account, wrong)).statusReason).toBe("It is being ported in.");
    await decide(account, sid, "complete");
    await orderThatIs(account, sid, "Completed");
  });

  test("an exception is answered with another letter", async () => {
    const { sid } = await portIn(account, config, strangeNumbers(1));
    await decide(account, sid, "exception", "AUTH_PERSON_MISMATCH");
    expect((await orderThatIs(account, sid, "Exception")).answerWith).toStrictEqual(["subscriber", "files"]);
    const bad = { ...formOf(undefined, [Buffer.from("GIF89a")]), method: "PATCH" };
    expect(await errorsOf(await account.call(`${PATH}/${sid}`, bad))).toHaveProperty("files[0]");
    const good = {
      ...formOf(undefined, [{ bytes: await letter(["+14155550123"]), name: "new.pdf" }]),
      method: "PATCH",
    };
    const answered = await answerOf<PortOrderBody>(await account.call(`${PATH}/${sid}`, good), 200);
    expect(answered.documents.map(({ name }) => name)).toStrictEqual(["letter.pdf", "new.pdf"]);
    await orderThatIs(account, sid, "Submitted");
  });
});

const ADDRESS = { street: "1 Main St", city: "Denver", state: "CO", postalCode: "80202", country: "US" };

describe("before an order", () => {
  test.each([
    ["+13035550123", true, "Landline"],
    ["+19995550100", false, "Unknown"],
    ["+18885550123", true, "Unknown"],
  ])("%s is portable: %s", async (number, portable, type) => {
    const query = `${PATH}/check?Number=${encodeURIComponent(number)}`;
    const answer = await answerOf<{ needs: string[] }>(await account.call(query), 200);
    expect(answer).toMatchObject({ number, portable, type });
    expect(answer.needs.includes("accountNumber")).toBe(portable);
  });

  test("a number that is on its way is not portable, and what is no number is refused", async () => {
    const [number] = strangeNumbers(1) as [string];
    const { sid } = await portIn(account, config, [number]);
    const query = `${PATH}/check?Number=${number.slice(1)}`;
    expect(await answerOf(await account.call(query), 200)).toMatchObject({
      portable: false,
      reason: expect.stringContaining(sid),
      needs: [],
    });
    expect(await errorsOf(await account.call(`${PATH}/check?Number=pizza`))).toHaveProperty("Number");
    expect(await errorsOf(await account.call(`${PATH}/check`))).toHaveProperty("Number");
  });

  test("a letter is filled in, signed elsewhere, and taken", async () => {
    const data = orderData(config, strangeNumbers(1));
    const made = await account.call(`${PATH}/loa`, json("POST", data));
    expect(made.headers.get("content-type")).toBe("application/pdf");
    expect(made.headers.get("content-disposition")).toContain("letter-of-authorization.pdf");
    const bytes = new Uint8Array(await made.arrayBuffer());
    const { sid } = await answerOf<{ sid: string }>(await post(data, [bytes]), 200);
    const again = await account.call(`${PATH}/${sid}/loa`);
    expect(again.status).toBe(200);
    expect(Buffer.from(await again.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");
    expect(
      await errorsOf(await account.call(`${PATH}/loa`, json("POST", { phones: [{ number: "pizza" }] }))),
    ).toHaveProperty("accountNumber");
  });

  test("a letter asked for twice under one Idempotency-Key is the same letter", async () => {
    const data = orderData(config, strangeNumbers(1));
    const ask = async () => {
      const order = json("POST", data);
      return account.call(`${PATH}/loa`, { ...order, headers: { ...order.headers, "Idempotency-Key": "letter" } });
    };
    const first = Buffer.from(await (await ask()).arrayBuffer());
    const again = await ask();
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await again.arrayBuffer()).equals(first)).toBe(true);
  });
});
