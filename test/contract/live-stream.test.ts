// The live events in the event stream: requests, PDUs and SIP messages. An account sees its own, operators see all, at
// whichever process they look.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { emulateInbound, listen, newMessenger, newSender, type Sender, send, UNTIL } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const PERSON = "+14154740200";
const BUSY = "+14155550101";

interface Seen {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A stream, and the events read from it so far. */
interface Watch {
  readonly seen: readonly Seen[];
  of(event: string): readonly Seen["data"][];
  close(): Promise<void>;
}

async function watch(path: string, headers: Readonly<Record<string, string>>, url = tandem.url): Promise<Watch> {
  const left = new AbortController();
  const response = await fetch(url + path, { headers, signal: left.signal });
  expect(response.status).toBe(200);
  const seen: Seen[] = [];
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const first = await reader.read();
  const reading = (async () => {
    for (let { value, done } = first; !done; { value, done } = await reader.read()) {
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, event = ""] = /^event: (.*)$/m.exec(block) ?? [];
        const [, data = "{}"] = /^data: (.*)$/m.exec(block) ?? [];
        if (event !== "") seen.push({ event, data: JSON.parse(data) as Seen["data"] });
      }
    }
  })().catch(() => undefined);
  return {
    seen,
    of: (wanted) => seen.filter(({ event }) => event === wanted).map(({ data }) => data),
    async close() {
      left.abort();
      await reading;
    },
  };
}

let account: TestAccount;
let other: TestAccount;
let sender: Sender;
let own: Watch;
let strange: Watch;
let all: Watch;

beforeAll(async () => {
  account = await newMessenger(tandem);
  other = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
  await account.change({ features: ["voice"] });
  const path = "/v1/Events/stream?Include=requests,protocol";
  own = await watch(path, basic(account.sid, account.token));
  strange = await watch(path, basic(other.sid, other.token));
  all = await watch(`/operator/v1/Events/stream?Include=requests,protocol`, basic("operator", tandem.operatorToken));
});
afterAll(async () => {
  for (const stream of [own, strange, all]) await stream?.close();
});

test("requests are reported with their status, refused ones with their code", async () => {
  await answerOf(await account.call("/v1/Account?"), 200);
  const refusal = await account.call("/v1/Webhooks/WS1", { headers: { "X-Request-Id": "look-for-me" } });
  const { traceId } = await problemOf(refusal, 404);
  await expect
    .poll(() => own.of("ApiRequest"), UNTIL)
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          method: "GET",
          path: "/v1/Account",
          operation: "getAccount",
          status: 200,
          code: null,
        }),
        expect.objectContaining({ status: 404, code: "not-found", requestId: "look-for-me", traceId, skipped: 0 }),
      ]),
    );
  await expect
    .poll(() => all.of("ApiRequest"), UNTIL)
    .toEqual(expect.arrayContaining([expect.objectContaining({ requestId: "look-for-me", accountSid: account.sid })]));
});

test("what a page reads with its session is not reported, what it changes is", async () => {
  const order = json("POST", { accountSid: account.sid, token: account.token });
  const page = { "X-Tandem-Session": "1" };
  const opened = await fetch(`${tandem.url}/v1/Session`, { ...order, headers: { ...order.headers, ...page } });
  const headers = { Cookie: (opened.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "", ...page };
  await answerOf(opened, 201);
  await answerOf(await fetch(`${tandem.url}/v1/Phones`, { headers }), 200);
  const config = json("POST", { name: "By a page" });
  await answerOf(
    await fetch(`${tandem.url}/v1/MessagingConfigs`, { ...config, headers: { ...config.headers, ...headers } }),
    201,
  );
  const paths = () => own.of("ApiRequest").map(({ path }) => path);
  await expect.poll(paths, UNTIL).toContain("/v1/MessagingConfigs");
  expect(paths()).not.toContain("/v1/Phones");
});

test("a message is followed over the wire: submit, answer, receipt, and the reply", async () => {
  const ear = await listen(account);
  const { sid } = await send(account, { From: sender.number, To: PERSON, Text: "Hello" });
  await ear.statusesUntil(sid, "Delivered");
  await emulateInbound(account, { from: PERSON, to: [sender.number], text: "Back" });
  await ear.inboundUntil(({ Text }) => Text === "Back");
  await ear.leave();
  const pdus = () =>
    own.of("SmppPdu").map(({ direction, command, messageSid }) => ({ direction, command, messageSid }));
  await expect.poll(pdus, UNTIL).toEqual([
    { direction: "Sent", command: "submit_sm", messageSid: sid },
    { direction: "Received", command: "submit_sm_resp", messageSid: sid },
    { direction: "Received", command: "deliver_sm", messageSid: sid },
    { direction: "Received", command: "deliver_sm", messageSid: null },
  ]);
  const [submit, answer] = own.of("SmppPdu");
  expect(submit).toMatchObject({ link: "sandbox", status: 0, sequence: answer?.sequence });
  expect(submit?.hex).toContain(Buffer.from("Hello").toString("hex"));
  expect(submit).toMatchObject({ statusName: "ESME_ROK", party: PERSON, receipt: null });
  expect(submit?.fields).toContainEqual(["short_message", "Hello"]);
  const receipts = own.of("SmppPdu").map(({ receipt }) => receipt);
  expect(receipts[2]).toMatchObject({ state: "delivered" });
  const requests = () => own.of("ApiRequest").map(({ operation, resourceSid }) => [operation, resourceSid]);
  await expect.poll(requests, UNTIL).toContainEqual(["sendMessage", sid]);
  expect(requests()).toContainEqual(["getAccount", null]);
});

/** The carrier's PDUs about a message, in the account's stream. */
const answersTo = (sid: string) =>
  own
    .of("SmppPdu")
    .filter(({ messageSid, direction }) => messageSid === sid && direction === "Received")
    .map(({ command }) => command);

test("a receipt that comes before its message's answer is stored is told to its account", async () => {
  const ear = await listen(account);
  const sid = await tandem.database.transaction(async (unit) => {
    // Submit responses wait for the lock, and a lookup of a receipt's owner finds none.
    await unit.query("lock table awaited_receipts in share row exclusive mode");
    const message = await send(account, { From: sender.number, To: PERSON, Text: "Hello" });
    await expect.poll(() => answersTo(message.sid), UNTIL).toEqual(["submit_sm_resp", "deliver_sm"]);
    return message.sid;
  });
  await ear.statusesUntil(sid, "Delivered");
  await ear.leave();
});

test("a receipt that comes before the answer is told to its account", async () => {
  const { sid } = await send(account, { From: sender.number, To: "+14155550112", Text: "Hello" });
  await expect.poll(() => answersTo(sid), UNTIL).toEqual(["submit_sm_resp", "deliver_sm"]);
});

test("the receipts of a long message are told to its account, whichever part they are of", async () => {
  const { sid } = await send(account, { From: sender.number, To: "+14155550112", Text: "Hello. ".repeat(60) });
  const parts = (command: string) => Array(3).fill(command);
  const wanted = [...parts("deliver_sm"), ...parts("submit_sm_resp")];
  await expect.poll(() => answersTo(sid).toSorted(), UNTIL).toEqual(wanted);
});

test("the SIP messages of a call are reported with their call", async () => {
  const order = json("POST", { from: BUSY, to: "+14155550100" });
  const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
  const lines = () =>
    own
      .of("SipMessage")
      .filter(({ callSid }) => callSid === sid)
      .map(({ text }) => String(text).split("\r\n", 1)[0]);
  await expect
    .poll(lines, UNTIL)
    .toEqual(expect.arrayContaining([expect.stringMatching(/^INVITE /), expect.stringMatching(/^SIP\/2\.0 486 /)]));
});

test("an account sees only its own activity, and operators see everything", async () => {
  await answerOf(await other.call("/v1/Account"), 200);
  await expect.poll(() => strange.of("ApiRequest"), UNTIL).toHaveLength(1);
  expect(strange.seen.filter(({ data }) => data.accountSid !== undefined && data.accountSid !== other.sid)).toEqual([]);
  expect(strange.seen).toHaveLength(1);
  const kinds = new Set(all.seen.filter(({ data }) => data.accountSid === account.sid).map(({ event }) => event));
  expect([...kinds]).toEqual(
    expect.arrayContaining(["ApiRequest", "SmppPdu", "SipMessage", "OutboundMessageStatusChanged"]),
  );
  expect(all.of("SmppPdu").filter(({ hex, fields }) => hex !== undefined || fields !== undefined)).toEqual([]);
  const audit = await tandem.operator("/operator/v1/AuditLog?PageSize=1000");
  const { items } = await answerOf<List<{ action: string }>>(audit, 200);
  expect(items.some(({ action }) => action === "streamAllEvents")).toBe(true);
});

test("an operator who comes back goes on after the event he saw last, and lists what was before", async () => {
  const ear = await listen(account);
  const { sid } = await send(account, { From: sender.number, To: PERSON, Text: "Hello" });
  await ear.statusesUntil(sid, "Delivered");
  await ear.leave();
  const told = (stream: Watch) =>
    stream.of("OutboundMessageStatusChanged").filter(({ resourceSid }) => resourceSid === sid);
  await expect.poll(() => told(all), UNTIL).toHaveLength(2);
  const [first, last] = told(all);
  const operator = basic("operator", tandem.operatorToken);
  const again = await watch("/operator/v1/Events/stream", { ...operator, "Last-Event-ID": String(first?.id) });
  await expect.poll(() => told(again), UNTIL).toEqual([last]);
  await again.close();
  const list = await tandem.operator("/operator/v1/Events?PageSize=1000&Type=OutboundMessageStatusChanged");
  const { items } = await answerOf<List<Seen["data"]>>(list, 200);
  expect(items.filter(({ resourceSid }) => resourceSid === sid).toReversed()).toEqual([first, last]);
  const wrong = await tandem.operator("/operator/v1/Events/stream", { headers: { "Last-Event-ID": "yesterday" } });
  expect((await problemOf(wrong, 400)).errors).toHaveProperty("Last-Event-ID");
});

test.each(["nothing", "requests,", "requests;protocol", "requests,requests,requests"])(
  "%s cannot be included",
  async (name) => {
    await problemOf(await account.call(`/v1/Events/stream?Include=${encodeURIComponent(name)}`), 400);
  },
);

test("what happens at one process is seen at another while it is watched there, and leaves nothing behind", async () => {
  const api = await startBeside(tandem, { TANDEM_ROLES: "api" });
  onTestFinished(async () => void (await api.stop()));
  const path = "/v1/Events/stream?Include=requests,protocol";
  const far = await watch(path, basic(account.sid, account.token), api.url);
  const kinds = () => new Set(far.seen.map(({ event }) => event));
  // The other process knows a moment later that it is watched.
  const asked = async () => {
    await answerOf(await account.call("/v1/Account", { headers: { "X-Request-Id": "from-afar" } }), 200);
    return far.of("ApiRequest").map(({ requestId }) => requestId);
  };
  await expect.poll(asked, UNTIL).toContain("from-afar");
  const { sid } = await send(account, { From: sender.number, To: PERSON, Text: "Hello" });
  const order = json("POST", { from: BUSY, to: "+14155550100" });
  const call = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
  const pdus = () => far.of("SmppPdu").filter(({ messageSid }) => messageSid === sid);
  await expect.poll(pdus, UNTIL).toHaveLength(3);
  expect(pdus()[0]?.hex).toContain(Buffer.from("Hello").toString("hex"));
  await expect.poll(() => far.of("SipMessage").map(({ callSid }) => callSid), UNTIL).toContain(call.sid);
  // Its own requests come once.
  const headers = { ...basic(account.sid, account.token), "X-Request-Id": "at-hand" };
  await answerOf(await fetch(`${api.url}/v1/Account`, { headers }), 200);
  await expect.poll(() => far.of("ApiRequest").map(({ requestId }) => requestId), UNTIL).toContain("at-hand");
  await answerOf(await other.call("/v1/Account", { headers: { "X-Request-Id": "of-another" } }), 200);
  await expect.poll(() => strange.of("ApiRequest").map(({ requestId }) => requestId), UNTIL).toContain("of-another");
  expect(far.of("ApiRequest").filter(({ requestId }) => requestId === "at-hand")).toHaveLength(1);
  expect(far.of("ApiRequest").filter(({ accountSid }) => accountSid !== account.sid)).toEqual([]);
  expect([...kinds()]).toEqual(expect.arrayContaining(["ApiRequest", "SmppPdu", "SipMessage"]));
  await far.close();
  const watches = () =>
    tandem.database.query("select from live_watches where kind = 'ApiRequest' and account_sid = $1", [account.sid]);
  // The stream of this process goes on.
  await expect.poll(watches, UNTIL).toHaveLength(1);
});
