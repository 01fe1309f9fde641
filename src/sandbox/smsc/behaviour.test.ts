import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { bindTo, NEVER_MS, startSmsc, stopTime } from "../../../test/fakes/sandbox-smsc.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { addressOf, numberOf } from "./address.ts";
import { BEHAVIOURS, type Behaviour, behaviourOf } from "./behaviour.ts";

const lineOf = (behaviour: Behaviour) => `+1415555${String(100 + BEHAVIOURS.indexOf(behaviour)).padStart(4, "0")}`;
const PLAIN = "+14155551234";

test("the magic lines lie under every area code and nowhere else", () => {
  for (const [index, behaviour] of BEHAVIOURS.entries()) {
    const line = String(100 + index).padStart(4, "0");
    for (const number of [`+1212555${line}`, `1907555${line}`, `303555${line}`])
      expect(behaviourOf(number)).toBe(behaviour);
  }
  for (const number of [
    "+14155550199",
    "+14155551101",
    "+14155560101",
    "+445550101",
    "",
    "+2714155550101",
    "+3035550101",
  ]) {
    expect(behaviourOf(number)).toBe("delivered");
  }
});

test("docs/sandbox.md has every magic line", async () => {
  const page = await readFile(new URL("../../../docs/sandbox.md", import.meta.url), "utf8");
  const [messages = ""] = page.split("## Telephones");
  const documented = [...messages.matchAll(/^\| `555-0(1\d\d)` \| `(\w+)` \|/gm)].map(
    ([, line, name]) => `${line} ${name}`,
  );
  expect(documented).toEqual(BEHAVIOURS.map((name, index) => `${100 + index} ${name}`));
});

test("a number is the same from the wire and to it", () => {
  for (const number of ["+14155550100", "72345", "ACME"]) expect(numberOf(addressOf(number))).toBe(number);
});

test.each([
  ["failed", "undeliverable", "032"],
  ["unreachable", "undeliverable", "027"],
  ["noTextService", "undeliverable", "011"],
  ["spam", "rejected", "070"],
  ["expired", "expired", "000"],
  ["delivered", "delivered", "000"],
] as const)("a message to %s is accepted and its receipt says %s", async (behaviour, state, errorCode) => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(lineOf(behaviour));
  expect(await esme.receipts(1)).toMatchObject([{ messageId, state, errorCode }]);
});

test("a silent handset sends no receipt", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  await esme.submitted(lineOf("silent"));
  const later = await esme.submitted(PLAIN);
  expect(await esme.receipts(1)).toMatchObject([{ messageId: later }]);
});

test.each([
  ["rejected", STATUS.ESME_RINVDSTADR],
  ["broken", STATUS.ESME_RSYSERR],
] as const)("a message to %s is refused and not delivered", async (behaviour, status) => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  expect(await esme.submit(lineOf(behaviour))).toEqual({ kind: "rejected", status });
  expect(smsc.received).toEqual([]);
  expect(smsc.counts.submits).toBe(0);
});

test("a throttled number takes every fourth message", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const kinds: string[] = [];
  for (let count = 0; count < 8; count++) kinds.push((await esme.submit(lineOf("throttled"))).kind);
  const round = ["throttled", "throttled", "throttled", "accepted"];
  expect(kinds).toEqual([...round, ...round]);
  expect(smsc.received.length).toBe(2);
});

test("a slow answer delays no other", async () => {
  const smsc = await startSmsc({ slowAnswerMs: NEVER_MS });
  const esme = await bindTo(smsc);
  const slow = esme.submit(lineOf("slow"));
  await esme.submitted(PLAIN);
  expect(esme.events.filter(({ kind }) => kind === "answered").length).toBe(1);
  smsc.cut();
  expect((await slow).kind).toBe("unknown");
});

test("a slow answer comes in the end, and the receipt after it", async () => {
  const smsc = await startSmsc({ slowAnswerMs: 1 });
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(lineOf("slow"));
  expect(await esme.receipts(1)).toMatchObject([{ messageId, state: "delivered" }]);
  expect(esme.events.map(({ kind }) => kind)).toEqual(["bound", "answered", "requested"]);
});

test("a slow answer to an ESME that has gone is dropped", async () => {
  stopTime();
  const smsc = await startSmsc({ slowAnswerMs: 3000 });
  const esme = await bindTo(smsc);
  const outcome = esme.submit(lineOf("slow"));
  await smsc.nextMessage();
  smsc.cut();
  expect((await outcome).kind).toBe("unknown");
  const again = await bindTo(smsc);
  vi.advanceTimersByTime(3000);
  expect(await again.receipts(1)).toMatchObject([{ state: "delivered" }]);
});

test("a number that is never answered leaves the outcome open, and others alone", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const outcome = esme.submit(lineOf("unanswered"));
  await esme.submitted(PLAIN);
  smsc.cut();
  expect((await outcome).kind).toBe("unknown");
  expect(smsc.received.length).toBe(1);
});

test("a cut comes instead of the answer; what was answered before is", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const [before, cut] = await Promise.all([esme.submit(PLAIN), esme.submit(lineOf("cut"))]);
  expect([before.kind, cut.kind]).toEqual(["accepted", "unknown"]);
  expect(await esme.ended()).toBe("connection closed");
  expect(smsc.received.map(({ to }) => to)).toEqual([PLAIN]);
});

test("a message may have been taken before the cut, and its receipt names the ESME's own reference", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  expect((await esme.submit(lineOf("takenAndCut"), { tlvs: { userMessageReference: 4711 } })).kind).toBe("unknown");
  await smsc.nextMessage(({ to }) => to === lineOf("takenAndCut"));
  const again = await bindTo(smsc);
  expect(await again.receipts(1)).toMatchObject([{ state: "delivered" }]);
  expect(again.delivered[0]?.tlvs.userMessageReference).toBe(4711);
});

test("a receipt may overtake the answer", async () => {
  const smsc = await startSmsc({ receiptDelayMs: NEVER_MS });
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(lineOf("receiptFirst"));
  expect(esme.events.map(({ kind }) => kind)).toEqual(["bound", "requested", "answered"]);
  expect(await esme.receipts(1)).toMatchObject([{ messageId, state: "delivered" }]);
});

test("a receipt may come twice", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(lineOf("receiptTwice"));
  expect(await esme.receipts(2)).toMatchObject([{ messageId }, { messageId }]);
});

test("any number may be given a behaviour, and have it taken away", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  smsc.behave("+44 7700 900 123", "failed");
  await esme.submitted("+447700900123");
  smsc.behave("+447700900123", undefined);
  await esme.submitted("+447700900123");
  smsc.behave(lineOf("failed"), "delivered");
  await esme.submitted(lineOf("failed"));
  expect((await esme.receipts(3)).map(({ state }) => state)).toEqual(["undeliverable", "delivered", "delivered"]);
});
