import { expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import type { PostOrder, PostOutcome } from "../../domain/webhooks/index.ts";
import type { Span } from "./span.ts";
import { Traces } from "./traces.ts";

const NOW = new Date("2026-11-19T12:00:00Z");
const OPERATION = { id: "sendMessage", method: "POST", path: "/OutboundMessages" };
const ID = "01935f1e-4c7b-7000-a3c4-1f0e5d9b2a17";
const DIGITS = "01935f1e4c7b7000a3c41f0e5d9b2a17";

const outcome: PostOutcome = {
  ...{ status: 500, failure: null, ms: 4, answer: new Uint8Array() },
  ...{ isCut: false, contentType: null, retryAfterMs: undefined },
};
const order = { accountSid: "AC1", method: "POST", url: "", headers: {}, body: "", deadlineMs: 1 } as const;

function newTraces(share: number) {
  const spans: Span[] = [];
  const traces = new Traces({ share, clock: { now: () => NOW }, sink: { add: (span) => void spans.push(span) } });
  return { traces, spans };
}

const ask = (traces: Traces, headers: Readonly<Record<string, string>> = {}, id = ID) =>
  traces.request(OPERATION, { id, headers, startedMs: performance.now(), caller: null }, { status: 200, text: "" });

test("the share decides by the last digits of the trace's id, so all processes decide alike", () => {
  const share = Number.parseInt(DIGITS.slice(-13), 16) / 16 ** 13;
  const [below, above] = [newTraces(share), newTraces(share + 0.001)];
  ask(below.traces);
  ask(above.traces);
  expect(below.spans).toEqual([]);
  expect(above.spans).toMatchObject([{ traceId: DIGITS, spanId: DIGITS.slice(16), parentSpanId: undefined }]);
});

test("a caller that samples its trace does not raise the share", () => {
  const { traces, spans } = newTraces(0.5);
  ask(traces, { traceparent: `00-${"f".repeat(32)}-00f067aa0ba902b7-01` });
  expect(spans).toEqual([]);
  ask(traces, { traceparent: `00-${"1".repeat(32)}-00f067aa0ba902b7-01` });
  expect(spans).toMatchObject([{ traceId: "1".repeat(32), parentSpanId: "00f067aa0ba902b7" }]);
});

test("an id of the caller's leads to the record that the request made", () => {
  const { traces, spans } = newTraces(1);
  const made = `OM${(NOW.getTime() + 1).toString(16).padStart(12, "0")}7000a3c41f0e5d9b2a17`;
  const request = { id: ID, headers: { "x-request-id": ID }, startedMs: performance.now(), caller: null };
  traces.request(OPERATION, request, { status: 200, text: `{"sid":"${made}"}` });
  // It was there before.
  traces.request(OPERATION, request, { status: 200, text: `{"sid":"OM${DIGITS}"}` });
  expect(spans.map(({ traceId }) => traceId)).toEqual([made.slice(2), DIGITS]);
});

test.each([
  ["is refused", 401, {}],
  ["brings the id of another's record", 200, { "x-request-id": ID }],
])("a request that %s does not move that record to its trace", async (_what, status, given) => {
  const { traces, spans } = newTraces(1);
  const headers = { ...given, traceparent: `00-${"1".repeat(32)}-00f067aa0ba902b7-00` };
  const request = { id: ID, headers, startedMs: performance.now(), caller: null };
  traces.request(OPERATION, request, { status, text: "{}" });
  await traces.post({ ...order, resourceSid: `OM${DIGITS}` }, { post: async () => outcome });
  expect(spans).toMatchObject([{ traceId: DIGITS, name: "webhook POST" }]);
});

test("a call that was answered has its set-up, its legs and itself", () => {
  const { traces, spans } = newTraces(1);
  const sid = `CA${DIGITS}`;
  const [createdOn, answeredOn, completedOn] = [0, 3, 9].map((s) => new Date(NOW.getTime() + s * 1000)) as [
    Date,
    Date,
    Date,
  ];
  const { legs, ...call } = newCall({ sid, accountSid: "AC1", createdOn, answeredOn, completedOn });
  traces.ended({ ...call, legs: legs.map((leg) => ({ ...leg, answeredOn })) });
  expect(spans.map(({ name, startMs, endMs, fault }) => [name, endMs - startMs, fault])).toEqual([
    ["call set-up", 3000, undefined],
    ["leg First", 3000, undefined],
    ["call", 6000, undefined],
  ]);
  expect(spans.map(({ traceId }) => traceId)).toEqual([DIGITS, DIGITS, DIGITS]);
});

test("a webhook about what has no sid has a trace of its own", async () => {
  const { traces, spans } = newTraces(1);
  let traceparent: string | undefined;
  const post = async ({ headers }: PostOrder) => {
    traceparent = headers.traceparent;
    return outcome;
  };
  await traces.post({ ...order, resourceSid: "+14155550100" }, { post });
  const [span] = spans;
  expect(span).toMatchObject({ name: "webhook POST", parentSpanId: undefined, fault: "500" });
  expect(traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
});

test("a webhook that did not arrive says why, and not where to", async () => {
  const { traces, spans } = newTraces(1);
  const failed = { ...outcome, status: null, failure: "dns: receiver.example is not known" };
  await traces.post({ ...order, resourceSid: `OM${DIGITS}` }, { post: async () => failed });
  expect(spans).toMatchObject([{ traceId: DIGITS, parentSpanId: DIGITS.slice(16), fault: "dns" }]);
  expect(JSON.stringify(spans)).not.toContain("example");
});
