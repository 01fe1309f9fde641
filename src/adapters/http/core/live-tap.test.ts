import { expect, test } from "vitest";
import { type LiveEntry, LiveTap, PER_SECOND_MAX, WAITING_MAX } from "./live-tap.ts";

const request = (accountSid: string | null, n: number, isUrgent = false): LiveEntry => ({
  kind: "ApiRequest",
  accountSid,
  data: { n },
  isUrgent,
});
const REQUESTS = new Set(["ApiRequest"] as const);

test("an account hears its own, operators hear all, and nobody what he did not ask for", () => {
  const tap = new LiveTap();
  expect(tap.isListened("ApiRequest")).toBe(false);
  const own = tap.listen("AC1", REQUESTS);
  const all = tap.listen(undefined, REQUESTS);
  expect([tap.isListened("ApiRequest"), tap.isListened("SmppPdu")]).toStrictEqual([true, false]);
  for (const [n, of] of ["AC1", "AC2", null].entries()) tap.publish(request(of, n), 0);
  tap.publish({ kind: "SmppPdu", accountSid: "AC1", data: {} }, 0);
  expect(own.take().map(({ data }) => data.n)).toStrictEqual([0]);
  expect(all.take().map(({ data }) => data.n)).toStrictEqual([0, 1, 2]);
  own.close();
  own.close();
  expect(tap.isListened("ApiRequest")).toBe(true);
  all.close();
  expect(tap.isListened("ApiRequest")).toBe(false);
});

test("who listens is known by account, as long as somebody does", () => {
  const tap = new LiveTap();
  const who = () => ["AC1", "AC2", undefined].map((accountSid) => tap.isListenedBy("ApiRequest", accountSid));
  const listeners = [tap.listen("AC1", REQUESTS), tap.listen("AC1", REQUESTS), tap.listen(undefined, REQUESTS)];
  expect([who(), tap.isListenedBy("SmppPdu", "AC1")]).toStrictEqual([[true, false, true], false]);
  listeners[0]?.close();
  expect(who()).toStrictEqual([true, false, true]);
  for (const listener of listeners) listener.close();
  expect(who()).toStrictEqual([false, false, false]);
});

test("so many pass in a second, urgent ones besides, and the next tells how many did not", () => {
  const tap = new LiveTap();
  const own = tap.listen("AC1", REQUESTS);
  for (let n = 0; n < PER_SECOND_MAX + 7; n++) tap.publish(request("AC1", n), 1_000);
  tap.publish(request("AC1", -1, true), 1_999);
  tap.publish(request("AC1", -2), 2_000);
  const heard = own.take();
  expect(heard).toHaveLength(PER_SECOND_MAX + 2);
  expect(heard.slice(-2)).toMatchObject([
    { data: { n: -1 }, skipped: 7 },
    { data: { n: -2 }, skipped: 0 },
  ]);
});

test("who does not read has a bounded number waiting", async () => {
  const tap = new LiveTap();
  const own = tap.listen("AC1", REQUESTS);
  const arrived = own.arrival();
  for (let n = 0; n < 3 * WAITING_MAX; n++) tap.publish(request("AC1", n, true), 0);
  await arrived;
  expect(own.take()).toHaveLength(WAITING_MAX);
  tap.publish(request("AC1", 0), 5_000);
  expect(own.take()).toMatchObject([{ skipped: 2 * WAITING_MAX }]);
});
