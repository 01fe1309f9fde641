import { createTransport } from "nodemailer";
import { afterEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { encodeMm4 } from "../../wire/mm4/encode.ts";
import type { ForwardRequest } from "../../wire/mm4/messages.ts";
import { behaviourOf } from "./behaviour.ts";
import { Mmsc } from "./mmsc.ts";
import { newReceivedMms, type ReceivedMms } from "./received-mms.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function startMmsc() {
  const mmsc = await Mmsc.listen({ host: "127.0.0.1", port: 0, log: silent });
  cleanUps.push(() => mmsc.close());
  const transport = createTransport({ host: "127.0.0.1", port: mmsc.port, ignoreTLS: true });
  const send = async (raw: string, envelope = { from: FROM, to: [TO] }): Promise<string> => {
    try {
      return (await transport.sendMail({ envelope, raw })).response;
    } catch (error) {
      return (error as { response?: string }).response ?? String(error);
    }
  };
  return { mmsc, send };
}

const FROM = "+15551230001/TYPE=PLMN@mms.tandem.test";
const TO = "+15559870002/TYPE=PLMN@mmsc.sandbox.test";

const forward: ForwardRequest = {
  kind: "forward",
  transactionId: '"T1"',
  messageId: '"M1@mms.tandem.test"',
  from: FROM,
  to: [TO],
  originatorSystem: "system-user@mms.tandem.test",
  isAckRequested: true,
  isReportRequested: true,
  date: new Date("2026-05-04T03:02:01Z"),
  subject: "",
  text: "hi",
  media: [{ contentType: "image/png", name: "a.png", bytes: Uint8Array.from([1, 2, 3]) }],
};
const good = Buffer.from(encodeMm4(forward)).toString("latin1");

test("a good message is taken and kept", async () => {
  const { mmsc, send } = await startMmsc();
  expect(await send(good)).toMatch(/^250/);
  expect(await mmsc.nextMessage()).toMatchObject({ messageId: "M1@mms.tandem.test", from: "+15551230001", text: "hi" });
});

test("a connection carries any number of messages without gathering listeners", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  cleanUps.push(async () => process.off("warning", warn));
  const { mmsc } = await startMmsc();
  const pooled = createTransport({
    host: "127.0.0.1",
    port: mmsc.port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 1,
    maxMessages: 1000,
  });
  cleanUps.push(async () => pooled.close());
  for (let count = 0; count < 30; count++) await pooled.sendMail({ envelope: { from: FROM, to: [TO] }, raw: good });
  expect(mmsc.counts.forwards).toBe(30);
  expect(warnings).toEqual([]);
});

test.each([
  ["no version", good.replace(/X-Mms-3GPP-MMS-Version: .*\r\n/, ""), "x-mms-3gpp-mms-version is there 0 times"],
  [
    "a version twice",
    good.replace(/^/, "X-Mms-3GPP-MMS-Version: 6.10.0\r\n"),
    "x-mms-3gpp-mms-version is there 2 times",
  ],
  ["a type in the wrong case", good.replace("MM4_forward.REQ", "MM4_Forward.REQ"), "x-mms-message-type is"],
  ["an id without quotes", good.replace('"T1"', "T1"), "x-mms-transaction-id is"],
  ["a date of another kind", good.replace(/Date: .*/, "Date: 2026-05-04T03:02:01Z"), "date is"],
  ["an address without a type", good.replace(`To: ${TO}`, "To: +15559870002@mmsc.sandbox.test"), "To names"],
  [
    "no presentation",
    good.replace("application/smil; charset", "application/xml; charset"),
    "there is no presentation",
  ],
  ["a presentation of something else", good.replace("<media0>", "<media9>"), "the presentation shows media0"],
  ["a lost start", good.replace('start="<smil>"', 'start="<other>"'), "the start <other> is no part"],
  ["no end", good.replace("--=_tandem_mm4--", ""), "the last delimiter is missing"],
  ["a long line", good.replace("\r\n\r\n", `\r\nX-Long: ${"x".repeat(1200)}\r\n\r\n`), "a line is longer than 998"],
])("a message with %s is refused with that reason", async (_, raw, reason) => {
  const { mmsc, send } = await startMmsc();
  expect(raw).not.toBe(good);
  expect(await send(raw)).toContain(reason);
  expect(mmsc.received).toEqual([]);
});

test("an envelope that says something else than the message is refused", async () => {
  const { send } = await startMmsc();
  expect(await send(good, { from: FROM, to: [TO.replace("0002", "0003")] })).toContain("is not in To");
  expect(await send(good, { from: "other@mms.tandem.test", to: [TO] })).toContain("MAIL FROM is");
  expect(await send("Subject: hi\r\n\r\nhi")).toContain("it is no MM4 message");
});

test("magic numbers lie in every area code, and all others are ordinary", () => {
  expect(behaviourOf("+14155550101")).toBe("failed");
  expect(behaviourOf("+12125550106")).toBe("silent");
  expect(behaviourOf("2125550115")).toBe("broken");
  expect(behaviourOf("+14155550199")).toBe("delivered");
  expect(behaviourOf("+14155551101")).toBe("delivered");
});

test("what was received is forgotten, the oldest first, handed out once, and waited for until it closes", async () => {
  const received = newReceivedMms(2);
  const mms = (text: string): ReceivedMms => ({
    messageId: text,
    transactionId: text,
    from: "",
    recipients: [],
    to: [],
    subject: "",
    text,
    media: [],
    receivedAt: new Date(0),
  });
  for (const text of ["a", "b", "c"]) received.add(mms(text));
  expect(received.all.map(({ text }) => text)).toEqual(["b", "c"]);
  expect((await received.next(() => true, 1000)).text).toBe("b");
  expect((await received.next(() => true, 1000)).text).toBe("c");
  const waiting = received.next(({ text }) => text === "e", 60_000);
  for (const text of ["d", "e"]) received.add(mms(text));
  expect((await waiting).text).toBe("e");
  const vain = expect(received.next(({ text }) => text === "f", 60_000)).rejects.toThrow("closed");
  received.close();
  await vain;
});
