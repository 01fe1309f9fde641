import { expect, test, vi } from "vitest";
import type { Esme } from "../../../test/fakes/esme.ts";
import { bindTo, NEVER_MS, startSmsc, stopTime } from "../../../test/fakes/sandbox-smsc.ts";
import { concatenate, type PartOf, wholeBody } from "../../wire/smpp/concatenation.ts";
import type { BindCommand, DeliverSm } from "../../wire/smpp/pdu.ts";
import { MESSAGE_STATE } from "../../wire/smpp/receipt.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { encodeText } from "../../wire/smpp/text.ts";
import { addressOf } from "./address.ts";

const TO = "+14155550100";

test("a message is accepted, reaches its handset and is receipted", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(TO);
  expect(await smsc.nextMessage()).toMatchObject({
    messageIds: [messageId],
    systemId: "alice",
    from: "+12125550000",
    to: TO,
    text: "hello",
    dataCoding: 0,
    isFlash: false,
  });
  expect(await esme.receipts(1)).toMatchObject([{ messageId, state: "delivered" }]);
  expect(esme.delivered[0]).toMatchObject({
    source: addressOf(TO),
    destination: addressOf("+12125550000"),
    esmClass: 4,
  });
  await esme.unbind();
  expect(smsc.counts).toEqual({ submits: 1, receipts: 1, delivers: 0, binds: 1 });
});

test("the receipt comes after the answer", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  await esme.submitted(TO);
  await esme.receipts(1);
  expect(esme.events.map(({ kind }) => kind)).toEqual(["bound", "answered", "requested"]);
});

test.each([
  ["system_id", { systemId: "mallory" }, STATUS.ESME_RINVSYSID],
  ["password", { password: "guess" }, STATUS.ESME_RINVPASWD],
] as const)("a wrong %s is refused", async (_, wrong, status) => {
  const smsc = await startSmsc({ systemId: "alice", password: "secret" });
  const esme = await bindTo(smsc, wrong);
  expect(esme.events).toContainEqual({ kind: "bindRefused", status });
  await bindTo(smsc);
  expect(smsc.counts.binds).toBe(1);
});

test("a transmitter's receipts go to its receiver, and to no other", async () => {
  const smsc = await startSmsc();
  const as = async (command: BindCommand, systemId: string) => await bindTo(smsc, { as: command, systemId });
  const other = await as("bind_transceiver", "bob");
  const transmitter = await as("bind_transmitter", "alice");
  const receiver = await as("bind_receiver", "alice");
  const messageId = await transmitter.submitted(TO);
  expect(await receiver.receipts(1)).toMatchObject([{ messageId }]);
  expect([transmitter.delivered, other.delivered]).toEqual([[], []]);
  expect(await receiver.submit(TO)).toMatchObject({ kind: "notSent" });
});

test("receipts wait for a receiver", async () => {
  const smsc = await startSmsc();
  const transmitter = await bindTo(smsc, { as: "bind_transmitter" });
  const messageIds = [await transmitter.submitted(TO), await transmitter.submitted(TO)];
  const receiver = await bindTo(smsc, { as: "bind_receiver" });
  expect((await receiver.receipts(2)).map(({ messageId }) => messageId)).toEqual(messageIds);
});

test("a submit whose receipt could not wait is refused for now", async () => {
  const smsc = await startSmsc({ waitingMax: 2 });
  const transmitter = await bindTo(smsc, { as: "bind_transmitter" });
  await transmitter.submitted(TO);
  await transmitter.submitted(TO);
  expect(await transmitter.submit(TO)).toEqual({ kind: "throttled", status: STATUS.ESME_RMSGQFUL });
  await expect(smsc.deliver({ from: TO, to: "+12125550000", text: "hi" })).rejects.toThrow("too much waits");
  await transmitter.submitted(TO, { registeredDelivery: 0 });
  const receiver = await bindTo(smsc, { as: "bind_receiver" });
  await receiver.receipts(2);
  await receiver.unbind();
  await transmitter.submitted(TO);
});

test("a receipt comes only as asked for: never, always, or for a failure", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  for (const registeredDelivery of [0, 2]) await esme.submitted(TO, { registeredDelivery });
  const failed = await esme.submitted("+14155550101", { registeredDelivery: 2 });
  expect(await esme.receipts(1)).toMatchObject([{ messageId: failed, state: "undeliverable" }]);
});

test.each([
  ["refused for now", STATUS.ESME_RX_T_APPN],
  ["throttled", STATUS.ESME_RTHROTTLED],
])("a receipt that is %s comes again until it is taken", async (_, status) => {
  const smsc = await startSmsc();
  let refusals = 3;
  const esme = await bindTo(smsc, { judge: () => (refusals-- > 0 ? status : 0) });
  const messageId = await esme.submitted(TO);
  expect((await esme.receipts(4)).map((receipt) => receipt.messageId)).toEqual(new Array(4).fill(messageId));
});

test("a receipt that is refused for good, or too often, is given up", async () => {
  const given: unknown[] = [];
  const warn = (fields: object) => given.push(fields);
  const log = { debug: () => {}, info: () => {}, warn, error: () => {} };
  const smsc = await startSmsc({ log });
  let status: number = STATUS.ESME_RX_P_APPN;
  const esme = await bindTo(smsc, { judge: () => status });
  const first = await esme.submitted(TO);
  await esme.receipts(1);
  status = STATUS.ESME_RSYSERR;
  const second = await esme.submitted(TO);
  await esme.receipts(11);
  await esme.unbind();
  expect(given).toEqual([
    { messageId: first, failure: "ESME_RX_P_APPN" },
    { messageId: second, failure: "ESME_RSYSERR" },
  ]);
});

test("what was under way when the line broke comes again", async () => {
  const smsc = await startSmsc();
  const deaf = await bindTo(smsc, { judge: () => undefined });
  const messageId = await deaf.submitted(TO);
  const delivered = smsc.deliver({ from: TO, to: "+12125550000", text: "hi" });
  await deaf.delivery(1);
  const other = await bindTo(smsc);
  await deaf.close();
  expect(await other.receipts(2)).toMatchObject([{ messageId }]);
  await delivered;
});

test("an unanswered delivery comes again after the response time", async () => {
  stopTime();
  const smsc = await startSmsc({ redeliverMs: 1000, session: { responseTimeoutMs: 5000 } });
  let deaf = 1;
  const esme = await bindTo(smsc, { judge: () => (deaf-- > 0 ? undefined : 0) });
  const delivered = smsc.deliver({ from: TO, to: "+12125550000", text: "hi" });
  await esme.delivery(0);
  vi.advanceTimersByTime(5000);
  vi.advanceTimersByTime(1000);
  await delivered;
  expect(esme.delivered.length).toBe(2);
});

async function submitParts(esme: Esme, parts: readonly string[], kind: PartOf["kind"]): Promise<string[]> {
  const octets = parts.map((part) => encodeText(part, "GSM7").octets);
  const bodies = concatenate(octets, { kind, reference: 300 });
  return await Promise.all(bodies.toReversed().map((body) => esme.submitted(TO, body)));
}

test.each(["udh8", "udh16", "sar"] as const)("parts by %s become one message with all its ids", async (kind) => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const [third, second, first] = await submitParts(esme, ["one ", "two ", "three"], kind);
  const message = await smsc.nextMessage();
  expect(message).toMatchObject({ text: "one two three", messageIds: [first, second, third], missing: [] });
  expect(smsc.received).toEqual([message]);
  expect((await esme.receipts(3)).map(({ messageId }) => messageId).toSorted()).toEqual(
    [first, second, third].toSorted(),
  );
});

test("a message may come whole in message_payload, or by data_sm", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const octets = encodeText("x".repeat(1000), "GSM7").octets;
  await esme.submitted(TO, wholeBody(octets));
  expect(await smsc.nextMessage()).toMatchObject({ text: "x".repeat(1000), octets });
  const data = { serviceType: "", source: addressOf("+12125550000"), destination: addressOf(TO), esmClass: 0 };
  const outcome = await esme.ask({
    command: "data_sm",
    ...data,
    registeredDelivery: 0,
    dataCoding: 0,
    tlvs: { messagePayload: octets },
  });
  expect(outcome.kind).toBe("accepted");
  expect(await smsc.nextMessage()).toMatchObject({ text: "x".repeat(1000), octets });
});

test("a destination that is no number is refused", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  for (const number of ["", "12", "ACME", "+1415555010x"]) {
    expect(await esme.submit(number)).toEqual({ kind: "rejected", status: STATUS.ESME_RINVDSTADR });
  }
});

test("a receipt comes when it is due", async () => {
  stopTime();
  const smsc = await startSmsc({ receiptDelayMs: 1000 });
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(TO);
  vi.advanceTimersByTime(999);
  await smsc.deliver({ from: TO, to: "+12125550000", text: "hi" });
  expect(await esme.receipts(1)).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(await esme.receipts(2)).toMatchObject([{ messageId }]);
});

test("a message settled by hand is receipted at once, and not again by itself", async () => {
  stopTime();
  const smsc = await startSmsc({ receiptDelayMs: 1000 });
  const esme = await bindTo(smsc);
  const [failed, silent] = [await esme.submitted(TO), await esme.submitted("+14155550106")];
  expect(smsc.settle(failed, false)).toBe(true);
  expect(smsc.settle(silent, true)).toBe(true);
  const later = await esme.submitted(TO);
  vi.advanceTimersByTime(1000);
  expect(await esme.receipts(3)).toMatchObject([
    { messageId: failed, state: "undeliverable" },
    { messageId: silent, state: "delivered" },
    { messageId: later, state: "delivered" },
  ]);
  expect(smsc.settle("unknown", true)).toBe(false);
  expect(smsc.settle(await esme.submitted(TO, { registeredDelivery: 0 }), true)).toBe(false);
});

test("query_sm tells what has become of a message, to whom it belongs", async () => {
  const smsc = await startSmsc({ receiptDelayMs: NEVER_MS });
  const [esme, other] = [await bindTo(smsc), await bindTo(smsc, { systemId: "bob" })];
  const messageId = await esme.submitted(TO);
  const query = { command: "query_sm", messageId, source: addressOf("+12125550000") } as const;
  const messageState = (state: (typeof MESSAGE_STATE)[number]) => MESSAGE_STATE.indexOf(state);
  expect(await esme.ask(query)).toMatchObject({
    response: { messageId, messageState: messageState("enroute"), finalDate: "" },
  });
  smsc.settle(messageId, false);
  expect(await esme.ask(query)).toMatchObject({
    response: {
      messageState: messageState("undeliverable"),
      finalDate: expect.stringMatching(/^\d{13}00\+$/),
      errorCode: 32,
    },
  });
  const unknown = { kind: "rejected", status: STATUS.ESME_RQUERYFAIL };
  expect(await other.ask(query)).toEqual(unknown);
  expect(await esme.ask({ ...query, source: addressOf("+12125550001") })).toEqual(unknown);
  expect(await esme.ask({ ...query, messageId: "nothing" })).toEqual(unknown);
});

test("cancel_sm stops a message on its way, once", async () => {
  const smsc = await startSmsc({ receiptDelayMs: NEVER_MS });
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(TO);
  const cancel = {
    command: "cancel_sm",
    serviceType: "",
    messageId,
    source: addressOf("+12125550000"),
    destination: addressOf(TO),
  } as const;
  expect((await esme.ask(cancel)).kind).toBe("accepted");
  expect(await esme.receipts(1)).toMatchObject([{ messageId, state: "deleted" }]);
  expect(await esme.ask(cancel)).toEqual({ kind: "rejected", status: STATUS.ESME_RCANCELFAIL });
  expect(await esme.ask({ ...cancel, messageId: "x" })).toEqual({ kind: "rejected", status: STATUS.ESME_RINVMSGID });
});

test("a handset's message waits for a receiver and is done when every part is taken", async () => {
  const smsc = await startSmsc();
  await bindTo(smsc, { as: "bind_transmitter" });
  const delivered = smsc.deliver({ from: TO, to: "+12125550000", text: "long ".repeat(60) });
  const seen: DeliverSm[] = [];
  let refusals = 1;
  const judge = (pdu: DeliverSm) => {
    seen.push(pdu);
    return refusals-- > 0 ? STATUS.ESME_RX_T_APPN : 0;
  };
  await bindTo(smsc, { as: "bind_receiver", judge });
  await delivered;
  expect(seen.length).toBe(3);
  expect(seen[0]).toMatchObject({ source: { ton: 1, npi: 1, address: "14155550100" }, esmClass: 0x40 });
  expect(smsc.counts.delivers).toBe(2);
});

test("a handset's message without an ESME fails in time", async () => {
  const smsc = await startSmsc({ patienceMs: 10 });
  const delivered = smsc.deliver({ from: TO, to: "+12125550000", text: "hi" });
  await expect(delivered).rejects.toThrow("not answered within 10 ms");
});

test("a handset's message that is refused for good, or cannot be written, fails at once", async () => {
  const smsc = await startSmsc();
  const message = { from: TO, to: "+12125550000", text: "long ".repeat(60) };
  const esme = await bindTo(smsc, { judge: () => STATUS.ESME_RX_R_APPN });
  await expect(smsc.deliver(message)).rejects.toThrow("ESME_RX_R_APPN");
  expect(esme.delivered.length).toBe(2);
  await expect(smsc.deliver({ ...message, from: "x".repeat(30) })).rejects.toThrow("source_addr");
});

test("a message that came before it was asked for is handed out, and once only", async () => {
  const smsc = await startSmsc({ patienceMs: 10 });
  const esme = await bindTo(smsc);
  await esme.submitted(TO);
  await esme.submitted("+14155551111");
  expect((await smsc.nextMessage(({ to }) => to === "+14155551111")).to).toBe("+14155551111");
  expect((await smsc.nextMessage()).to).toBe(TO);
  await expect(smsc.nextMessage()).rejects.toThrow("within 10 ms");
});

test("without a store messages are taken and receipted, and forgotten", async () => {
  const smsc = await startSmsc({ storesMessages: false });
  const esme = await bindTo(smsc);
  const messageId = await esme.submitted(TO);
  expect(await esme.receipts(1)).toMatchObject([{ messageId, state: "delivered" }]);
  expect(smsc.received).toEqual([]);
  expect(smsc.settle(messageId, true)).toBe(false);
  await expect(smsc.nextMessage()).rejects.toThrow("stores no messages");
});

test("without receipts none is sent, whatever is asked", async () => {
  const smsc = await startSmsc({ receipts: false });
  const esme = await bindTo(smsc);
  await esme.submitted(TO);
  await smsc.deliver({ from: TO, to: "+12125550000", text: "hi" });
  expect(esme.delivered.length).toBe(1);
});

test("closing ends every session and everything that waits", async () => {
  const smsc = await startSmsc({ receiptDelayMs: NEVER_MS });
  const esme = await bindTo(smsc, { judge: () => undefined });
  await esme.submitted(TO);
  await smsc.nextMessage();
  const waits = [smsc.deliver({ from: TO, to: "+12125550000", text: "hi" }), smsc.nextMessage()];
  const failures = Promise.all(
    waits.map((one) =>
      one.then(
        () => "done",
        (error: Error) => error.message,
      ),
    ),
  );
  await Promise.all([smsc.close(), smsc.close()]);
  expect(await failures).toEqual([expect.stringContaining("has closed"), expect.stringContaining("has closed")]);
  await esme.ended();
});

test("a port that is taken is a fault", async () => {
  const smsc = await startSmsc();
  await expect(startSmsc({ port: smsc.port })).rejects.toThrow("EADDRINUSE");
});
