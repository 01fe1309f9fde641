import { expect, test } from "vitest";
import { concatenate } from "../../wire/smpp/concatenation.ts";
import { type SubmitSm, submitSm } from "../../wire/smpp/pdu.ts";
import { addressOf } from "./address.ts";
import { MessageStore } from "./message-store.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

function submit(shortMessage: Uint8Array, fields: Partial<SubmitSm> = {}): SubmitSm {
  const [source, destination] = [addressOf("+12125550000"), addressOf("+14155550100")];
  return { ...submitSm({ source, destination, shortMessage, ...fields }), sequence: 1 };
}

test("only so many messages are kept, and only so many octets", () => {
  const store = new MessageStore({ messagesMax: 3, octetsMax: 100 });
  for (let count = 1; count <= 5; count++) {
    store.add(submit(new Uint8Array(10)), { messageId: `m${count}`, systemId: "a", now });
  }
  expect(store.received.all.map(({ messageIds }) => messageIds[0])).toEqual(["m3", "m4", "m5"]);
  expect([store.find("m2"), store.find("m3")?.messageId]).toEqual([undefined, "m3"]);
  store.add(submit(new Uint8Array(0), { tlvs: { messagePayload: new Uint8Array(85) } }), {
    messageId: "m6",
    systemId: "a",
    now,
  });
  expect(store.received.all.map(({ messageIds }) => messageIds[0])).toEqual(["m5", "m6"]);
});

test("parts that never become whole come out with their gaps when others come", () => {
  const store = new MessageStore({ messagesMax: 10, octetsMax: 1000 });
  const [one, two, three] = concatenate([Uint8Array.of(65), Uint8Array.of(66), Uint8Array.of(67)], {
    kind: "udh8",
    reference: 1,
  }).map((body) => submit(body.shortMessage, body));
  if (!one || !two || !three) return expect.fail();
  store.add(three, { messageId: "m3", systemId: "a", now });
  store.add(one, { messageId: "m1", systemId: "a", now });
  store.add(two, { messageId: "other", systemId: "b", now });
  expect(store.received.all).toEqual([]);
  store.add(two, { messageId: "new", systemId: "a", now: later(60) });
  expect(store.received.all).toMatchObject([
    { text: "AC", missing: [2], messageIds: ["m1", "", "m3"], systemId: "a" },
    { text: "B", missing: [1, 3], messageIds: ["", "other", ""], systemId: "b" },
  ]);
});

test("a reference used again begins a new message", () => {
  const store = new MessageStore({ messagesMax: 10, octetsMax: 1000 });
  const parts = (...letters: number[]) =>
    concatenate(
      letters.map((letter) => Uint8Array.of(letter)),
      { kind: "sar", reference: 1 },
    ).map((body) => submit(body.shortMessage, body));
  const [old] = parts(65, 66);
  const [one, two] = parts(67, 68);
  for (const [index, pdu] of [old, one, two].entries()) {
    if (pdu) store.add(pdu, { messageId: `m${index}`, systemId: "a", now });
  }
  expect(store.received.all).toMatchObject([
    { text: "A", missing: [2], messageIds: ["m0", ""] },
    { text: "CD", missing: [], messageIds: ["m1", "m2"] },
  ]);
});

test("flash is class 0, whatever the alphabet", () => {
  const store = new MessageStore({ messagesMax: 10, octetsMax: 1000 });
  const codings = [0x00, 0x10, 0x11, 0x18, 0xf0, 0xf1, 0xf4, 0x08];
  for (const dataCoding of codings) {
    store.add(submit(Uint8Array.of(0, 65), { dataCoding }), { messageId: String(dataCoding), systemId: "a", now });
  }
  const flashes = store.received.all.filter(({ isFlash }) => isFlash).map(({ dataCoding }) => dataCoding);
  expect(flashes).toEqual([0x10, 0x18, 0xf0, 0xf4]);
  expect(store.received.all.at(6)?.text).toBeUndefined();
});

test("one waiter gets a message, the next one the next", async () => {
  const store = new MessageStore({ messagesMax: 10, octetsMax: 1000 });
  const waits = [store.received.next(() => true, 60_000), store.received.next(() => true, 60_000)];
  for (const messageId of ["m1", "m2"]) store.add(submit(Uint8Array.of(65)), { messageId, systemId: "a", now });
  expect((await Promise.all(waits)).map(({ messageIds }) => messageIds[0])).toEqual(["m1", "m2"]);
});
