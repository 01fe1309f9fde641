// The sandbox's SMSC with Kannel as its ESME.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeGsm7 } from "../../rules/sms/gsm7.ts";
import type { Log } from "../../src/base/log.ts";
import type { HandsetMessage } from "../../src/sandbox/smsc/handset-message.ts";
import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { encodeUcs2 } from "../../src/wire/smpp/text.ts";
import { Kannel } from "./kannel.ts";
import { requirePeer } from "./peer.ts";

const bearerbox = requirePeer("bearerbox", "kannel");
const smsbox = requirePeer("smsbox", "kannel");

const OURS = "+12125550000";
const THEIRS = "+14155551234";
const EXTENDED = "€ [brackets] {braces} ~tilde ^caret |pipe \\backslash @ Ωß";
/**
 * Kannel's codes: 1 for a delivered message, 2 for an undelivered one (plus 32 when it expired), 16 for one that the
 * SMSC refused.
 */
const DELIVERED_OR_NOT = String(1 + 2 + 16);

describe.skipIf(!bearerbox || !smsbox)("Kannel as the SMSC's client", () => {
  let smsc: Smsc;
  let kannel: Kannel;
  let recipients = 0;
  /** Called with each log entry of the SMSC. */
  let onFact: (fact: string) => void = () => {};

  beforeAll(async () => {
    const told = (_: unknown, fact: string) => onFact(fact);
    const log: Log = { debug: told, info: told, warn: told, error: told };
    const credentials = { systemId: "kannel", password: "secret" };
    smsc = await Smsc.listen({ host: "127.0.0.1", port: 0, log, ...credentials, receiptDelayMs: 0, redeliverMs: 100 });
    kannel = await Kannel.start({ bearerbox: bearerbox ?? "", smsbox: smsbox ?? "" }, smsc.port);
  });

  afterAll(async () => {
    await kannel?.close();
    await smsc?.close();
  });

  const sendAndReceive = async (parameters: Readonly<Record<string, string | Uint8Array>>) => {
    const to = `+1415556${1000 + recipients++}`;
    await kannel.send({ from: OURS, to, ...parameters });
    const message = await smsc.nextMessage((one) => one.to === to);
    expect(message).toMatchObject({ from: OURS, systemId: "kannel", missing: [] });
    return message;
  };

  test.each([
    ["a short text", "hello", 1],
    ["characters of the extension table", EXTENDED, 1],
    ["a text of four parts", `${EXTENDED} `.repeat(8), 4],
    ["escapes on every border", "€".repeat(300), 4],
  ])("in GSM-7, %s arrives octet for octet", async (_, text, parts) => {
    const message = await sendAndReceive({ text });
    expect(message).toMatchObject({ text, dataCoding: 0, octets: encodeGsm7(text), isFlash: false });
    expect(message.messageIds.length).toBe(parts);
  });

  test.each([
    ["a short text", "日本 €", 1],
    ["a text of three parts with pairs", "😀 日本語 ".repeat(22), 3],
  ])("in UCS-2, %s arrives octet for octet", async (_, text, parts) => {
    const message = await sendAndReceive({ text, charset: "UTF-8", coding: "2" });
    expect(message).toMatchObject({ text, dataCoding: 8, octets: encodeUcs2(text), isFlash: false });
    expect(message.messageIds.length).toBe(parts);
  });

  test("data of three parts arrives octet for octet", async () => {
    const data = randomBytes(300);
    const message = await sendAndReceive({ text: data, coding: "1" });
    expect(Buffer.from(message.octets)).toEqual(data);
    expect(message.text).toBeUndefined();
  });

  test.each([
    ["GSM-7", { text: "look" }],
    ["UCS-2", { text: "見て", coding: "2", charset: "UTF-8" }],
  ])("a flash message in %s is one", async (_, parameters) => {
    const message = await sendAndReceive({ ...parameters, mclass: "0" });
    expect(message).toMatchObject({ text: parameters.text, isFlash: true });
  });

  test.each([
    ["delivered", "+14155550100", "1", "DELIVRD"],
    ["failed", "+14155550101", "2", "UNDELIV"],
    ["blocked", "+14155550104", "2", "REJECTD"],
    ["expired", "+14155550105", "34", "EXPIRED"],
    ["rejected at once", "+14155550109", "16", "NACK"],
  ])("Kannel learns that a message was %s", async (name, to, state, word) => {
    const receipts = { "dlr-mask": DELIVERED_OR_NOT, "dlr-url": kannel.receiptUrl(name.replaceAll(" ", "-")) };
    await kannel.send({ from: OURS, to, text: "hello", ...receipts });
    const { parameters } = await kannel.called(`/receipt/${name.replaceAll(" ", "-")}`);
    expect(parameters.get("state")?.toString()).toBe(state);
    expect(parameters.get("reply")?.toString()).toContain(word);
  });

  test("a receipt by hand reaches Kannel, too", async () => {
    const receipts = { "dlr-mask": DELIVERED_OR_NOT, "dlr-url": kannel.receiptUrl("by-hand") };
    await kannel.send({ from: OURS, to: "+14155550106", text: "hello", ...receipts });
    const { messageIds } = await smsc.nextMessage(({ to }) => to === "+14155550106");
    expect(smsc.settle(messageIds[0] ?? "", false)).toBe(true);
    const { parameters } = await kannel.called("/receipt/by-hand");
    expect(parameters.get("state")?.toString()).toBe("2");
  });

  const receiveByKannel = async (message: Partial<HandsetMessage>) => {
    await smsc.deliver({ from: THEIRS, to: OURS, text: "", ...message });
    const { parameters } = await kannel.called("/message");
    const told = (name: string) => parameters.get(name)?.toString() ?? "";
    expect([told("from"), told("to")]).toEqual([THEIRS, OURS]);
    const isUcs2 = told("coding") === "2";
    const octets = parameters.get("octets") ?? Buffer.alloc(0);
    const text = new TextDecoder(isUcs2 ? "utf-16be" : "utf-8", { fatal: true }).decode(octets);
    return { text, isUcs2, messageClass: told("class") };
  };

  test.each([
    ["GSM-7", { text: EXTENDED }, false],
    ["long GSM-7", { text: `${EXTENDED} `.repeat(8) }, false],
    ["long GSM-7 under a 16-bit reference", { text: `${EXTENDED} `.repeat(8), carriedBy: "udh16" }, false],
    ["GSM-7 in message_payload", { text: "x".repeat(400), carriedBy: "payload" }, false],
    ["UCS-2", { text: "日本 €" }, true],
    ["long UCS-2", { text: "😀 日本語 ".repeat(22) }, true],
    ["forced UCS-2", { text: "hello", coding: "UCS2" }, true],
    ["Latin-1", { text: "café §", coding: "Latin1" }, false],
  ] as const)("Kannel gets a handset's message in %s", async (_, message, isUcs2) => {
    expect(await receiveByKannel(message)).toEqual({ text: message.text, isUcs2, messageClass: "-1" });
  });

  test.each(["look", "見て"])("Kannel gets a handset's flash message: %s", async (text) => {
    expect(await receiveByKannel({ text, flash: true })).toMatchObject({ text, messageClass: "0" });
  });

  test("many at once in both directions all arrive", async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `message ${index}`);
    const sent = Promise.all(texts.map((text) => kannel.send({ from: OURS, to: THEIRS, text })));
    await Promise.all(texts.map((text) => smsc.deliver({ from: THEIRS, to: OURS, text })));
    await sent;
    const received = await Promise.all(texts.map(() => smsc.nextMessage(({ to }) => to === THEIRS)));
    expect(received.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    const calls = await Promise.all(texts.map(() => kannel.called("/message")));
    const heard = calls.map(({ parameters }) => parameters.get("octets")?.toString());
    expect(heard.toSorted()).toEqual(texts.toSorted());
  });

  test("Kannel tries again what was throttled", async () => {
    await kannel.send({ from: OURS, to: "+14155550107", text: "patience" });
    const message = await smsc.nextMessage(({ to }) => to === "+14155550107");
    expect(message.text).toBe("patience");
  });

  test("Kannel comes back after the connection was cut, and sends again", async () => {
    const number = "+14155559999";
    smsc.behave(number, "cut");
    const bound = new Promise<void>((resolve) => {
      onFact = (fact) => {
        if (fact === "SMPP session ended") smsc.behave(number, undefined);
        if (fact === "ESME bound") resolve();
      };
    });
    await kannel.send({ from: OURS, to: number, text: "again" });
    await bound;
    const message = await smsc.nextMessage(({ to }) => to === number);
    expect(message.text).toBe("again");
    expect(await receiveByKannel({ text: "still here" })).toMatchObject({ text: "still here" });
  });
});
