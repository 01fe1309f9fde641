// Traces as a collector gets them: OTLP over HTTP in JSON.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { json, type Tandem } from "../tandem.ts";
import { type UsedTandem, useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { newMessenger, newSender, SEND, type Sender, send } from "./messages.ts";
import { answerOf, SOON } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
}

interface OtlpBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
}

const TO = "+12125550100";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

let collector: HealthyReceiver;
let receiver: HealthyReceiver;
let isAway = false;
const tandem: UsedTandem<Tandem> = useTandem(async () => {
  collector = await startHealthy({
    answer: () => (isAway ? { status: 400 } : { headers: { "content-type": "application/json" }, body: "{}" }),
  });
  return { environment: { TANDEM_TRACES_URL: `${collector.url}/v1/traces`, TANDEM_LOG_LEVEL: "warn" } };
});
let account: TestAccount;
let sender: Sender;

beforeAll(async () => {
  receiver = await startHealthy();
  account = await newMessenger(tandem, { features: ["voice"] });
  sender = await newSender(tandem, tandem.database, account);
});
afterAll(async () => {
  await receiver.close();
  await collector.close();
});

const spans = () =>
  collector.requests
    .filter(({ path }) => path.endsWith("/v1/traces"))
    .flatMap(({ body }) => (JSON.parse(body.toString()) as OtlpBody).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
const inTrace = (traceId: string) => spans().filter((span) => span.traceId === traceId);
const namesIn = (traceId: string) => inTrace(traceId).map(({ name }) => name);
const attributeOf = (span: OtlpSpan | undefined, name: string) =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];
const write = (headers: Readonly<Record<string, string>>) => {
  const order = { From: sender.number, To: TO, Text: "Hi", CallbackUrlOverride: receiver.url };
  const init = json("POST", order);
  return account.call(SEND, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } });
};
const OF_A_MESSAGE = [
  `POST ${SEND.replace("/messaging/v1", "")}`,
  "message receipt",
  "message submit",
  "message wait",
  "webhook POST",
  "webhook POST",
];
/** The requests of a message's webhooks. */
const toldOf = (sid: string) => receiver.requests.filter(({ body }) => body.toString().includes(sid));

describe("a message", () => {
  test("has one trace from its request to its webhooks, which has the digits of its sid", async () => {
    const { sid } = await send(account, { From: sender.number, To: TO, Text: "Hi", CallbackUrlOverride: receiver.url });
    const traceId = sid.slice(2);
    await expect.poll(() => namesIn(traceId).sort(), SOON).toEqual(OF_A_MESSAGE);
    const [request] = inTrace(traceId).filter(({ name }) => name.startsWith("POST"));
    expect(request?.parentSpanId ?? "").toBe("");
    expect(attributeOf(request, "tandem.account_sid")).toBe(account.sid);
    for (const span of inTrace(traceId)) {
      expect(BigInt(span.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(span.endTimeUnixNano));
      if (span.spanId !== request?.spanId) expect(span.parentSpanId).toBe(request?.spanId);
      expect(span.status.code ?? 0).toBe(0);
      expect(JSON.stringify(span)).not.toContain(TO);
    }
    const attempts = inTrace(traceId).filter(({ name }) => name === "webhook POST");
    expect(toldOf(sid).map(({ headers }) => headers.traceparent)).toEqual(
      attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
    );
  });

  test("continues the trace of its caller", async () => {
    const answer = await write({ traceparent: `00-${TRACE}-${PARENT}-01` });
    const { sid } = await answerOf<{ sid: string }>(answer, 200);
    await expect.poll(() => namesIn(TRACE).sort(), SOON).toEqual(OF_A_MESSAGE);
    const [request] = inTrace(TRACE).filter(({ name }) => name.startsWith("POST"));
    expect(request?.parentSpanId).toBe(PARENT);
    for (const { headers } of toldOf(sid)) expect(headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-\\w{16}-01$`));
  });

  test("is not traced where its caller does not sample the trace", async () => {
    const answer = await write({ traceparent: `00-${TRACE.replace("4", "5")}-${PARENT}-00` });
    const { sid } = await answerOf<{ sid: string }>(answer, 200);
    await expect.poll(() => toldOf(sid).length, SOON).toBe(2);
    expect(toldOf(sid).map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
    // What came later has arrived.
    const { sid: later } = await answerOf<{ sid: string }>(await write({}), 200);
    await expect.poll(() => namesIn(later.slice(2)), SOON).toContain("webhook POST");
    expect([...inTrace(TRACE.replace("4", "5")), ...inTrace(sid.slice(2))]).toEqual([]);
  });
});

test("a refusal names the trace in which its request is found", async () => {
  const { traceId } = await problemOf(await account.call("/v1/Phones/nothing"), 400);
  const [, trace = "", span] = traceId.split("-");
  await expect.poll(() => inTrace(trace).map(({ spanId }) => spanId), SOON).toEqual([span]);
});

test("a call has its set-up in the trace of its request", async () => {
  const order = json("POST", { from: "+14155550111", to: "+14155550101" });
  const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
  const setUp = () => inTrace(sid.slice(2)).find(({ name }) => name === "call set-up");
  await expect.poll(setUp, SOON).toBeDefined();
  expect(attributeOf(setUp(), "tandem.end_reason")).toBe("Busy");
  const wanted = ["POST /Voice/Calls", "leg First", "leg Second"];
  await expect.poll(() => namesIn(sid.slice(2)), SOON).toEqual(expect.arrayContaining(wanted));
});

test("a collector that refuses spans delays nothing, and the log says so once", async () => {
  isAway = true;
  const refused = () => tandem.output().split("traces not sent").length - 1;
  const first = await answerOf<{ sid: string }>(await write({}), 200);
  await expect.poll(() => toldOf(first.sid).length, SOON).toBe(2);
  await expect.poll(refused, SOON).toBe(1);
  const before = collector.requests.length;
  const second = await answerOf<{ sid: string }>(await write({}), 200);
  await expect.poll(() => toldOf(second.sid).length, SOON).toBe(2);
  await expect.poll(() => collector.requests.length, SOON).toBeGreaterThan(before);
  isAway = false;
  const third = await answerOf<{ sid: string }>(await write({}), 200);
  await expect.poll(() => namesIn(third.sid.slice(2)).length, SOON).toBe(OF_A_MESSAGE.length);
  expect(refused()).toBe(1);
});
