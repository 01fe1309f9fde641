// Our MM4 against a third-party SMTP server, SMTP client and MIME library (Python's aiosmtpd, smtplib and email), and
// against the sandbox's MMS centre, which the demo and users' tests use.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { BEHAVIOURS, type Behaviour } from "../../src/sandbox/mmsc/behaviour.ts";
import { MMSC_NAME, Mmsc, PEER_NAME } from "../../src/sandbox/mmsc/mmsc.ts";
import { TestLink, type TestMms, testMms } from "../fakes/mm4-peer.ts";
import { silent } from "../fakes/silent-log.ts";
import { requirePeer } from "./peer.ts";

const aiosmtpd = requirePeer("aiosmtpd", "python3-aiosmtpd");
/** The one that Debian's packages are installed for, whatever else is there. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = join(import.meta.dirname, "mmsc.py");

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(180_000)]);
const JPEG = Buffer.concat([Buffer.from("\xff\xd8\xff\xe0", "latin1"), randomBytes(99_999)]);
const MEDIA = [
  { contentType: "image/png", name: "first.png", bytes: PNG },
  { contentType: "image/jpeg", name: "Zweites Bild – größer.jpg", bytes: JPEG },
];

async function openLink(port: number, settings: Record<string, unknown> = {}, listen: Record<string, unknown> = {}) {
  const hosts = { ourHost: PEER_NAME, peerHost: MMSC_NAME };
  const listener = await TestLink.open(port, {
    settings: { ...hosts, responseSeconds: 60, ...settings },
    listen,
    clock: systemClock,
  });
  cleanUps.push(() => listener.close());
  return { listener, link: listener.link };
}

const mms = (rest: Partial<TestMms> = {}): TestMms =>
  testMms({ text: "Zwei Bilder 🙂 – bitte schön.", media: MEDIA, ...rest });

interface PythonMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly recipients: readonly string[];
  readonly type: string;
  readonly start: string;
  readonly defects: readonly string[];
  readonly parts: readonly { type: string; name: string | null; id: string; sha256: string; text: string | null }[];
}

interface PythonEvent {
  readonly listening?: number;
  readonly mail?: PythonMail;
  readonly sent?: { readonly refused?: object; readonly code?: number; readonly fault?: string };
}

class PythonMmsc {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #events: AsyncIterator<string>;
  readonly #kept: PythonEvent[] = [];
  #complaints = "";

  static async start(options: object = {}): Promise<PythonMmsc & { readonly port: number }> {
    const child = spawn(PYTHON, [SCRIPT, JSON.stringify(options)]);
    const mmsc = new PythonMmsc(child);
    child.stderr.on("data", (chunk) => {
      mmsc.#complaints = (mmsc.#complaints + chunk).slice(-4000);
    });
    cleanUps.push(async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    });
    const port = await mmsc.#next(({ listening }) => listening);
    return Object.assign(mmsc, { port });
  }

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#events = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** The next mail of this type. */
  mail(type: string): Promise<PythonMail> {
    return this.#next(({ mail }) => (mail?.headers["x-mms-message-type"] === type ? mail : undefined));
  }

  send(order: object): Promise<NonNullable<PythonEvent["sent"]>> {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
    return this.#next(({ sent }) => sent);
  }

  async #next<Found>(find: (event: PythonEvent) => Found | undefined): Promise<Found> {
    for (const [index, event] of this.#kept.entries()) {
      const found = find(event);
      if (found === undefined) continue;
      this.#kept.splice(index, 1);
      return found;
    }
    for (;;) {
      const { done, value } = await this.#events.next();
      if (done) throw new Error(`the Python MMSC has ended: ${this.#complaints}`);
      const event = JSON.parse(value) as PythonEvent;
      const found = find(event);
      if (found !== undefined) return found;
      this.#kept.push(event);
    }
  }
}

const head = (type: string, transactionId: string, messageId: string) => ({
  "X-Mms-3GPP-MMS-Version": "5.6.0",
  "X-Mms-Message-Type": type,
  "X-Mms-Transaction-ID": transactionId,
  "X-Mms-Message-ID": messageId,
});

async function certificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-mm4-"));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { cert, key };
}

describe.skipIf(!aiosmtpd)("with Python's mail software", () => {
  test("an MMS with two images goes out, is reported by MM4, and every octet of it arrives", async () => {
    const python = await PythonMmsc.start();
    const { listener, link } = await openLink(python.port);
    const order = mms({ recipients: ["+15559870002", "+15559870003"] });
    const carrierId = `${order.sid}@${PEER_NAME}`;
    const memberIds = [`${carrierId} 1`, `${carrierId} 2`];
    expect(await listener.submit(order)).toEqual({ kind: "accepted", carrierIds: memberIds });

    const mail = await python.mail("MM4_forward.REQ");
    const to = ["+15559870002", "+15559870003"].map((number) => `${number}/TYPE=PLMN@${MMSC_NAME}`);
    const from = `+15551230001/TYPE=PLMN@${PEER_NAME}`;
    expect(mail).toMatchObject({ from, to, recipients: to, defects: [], type: "multipart/related", start: "<smil>" });
    expect(mail.headers).toMatchObject({
      from,
      sender: `system-user@${PEER_NAME}`,
      "x-mms-3gpp-mms-version": "6.10.0",
      "x-mms-transaction-id": `"${order.sid}"`,
      "x-mms-message-id": `"${carrierId}"`,
      "x-mms-originator-system": `system-user@${PEER_NAME}`,
      "x-mms-ack-request": "Yes",
      "x-mms-delivery-report": "Yes",
      "x-mms-read-reply": "No",
      "x-mms-message-class": "Personal",
      "x-mms-priority": "Normal",
      "x-mms-sender-visibility": "Show",
      "mime-version": "1.0",
    });
    expect(mail.parts.map(({ type, name }) => [type, name])).toEqual([
      ["application/smil", null],
      ["text/plain", null],
      ["image/png", "first.png"],
      ["image/jpeg", "Zweites Bild – größer.jpg"],
    ]);
    expect(mail.parts[1]?.text).toBe(order.text);
    expect(mail.parts.slice(2).map((part) => part.sha256)).toEqual([sha256(PNG), sha256(JPEG)]);

    const system = { port: link.port, from: `mm4@${MMSC_NAME}`, to: [`system-user@${PEER_NAME}`] };
    const response = {
      ...head("MM4_forward.RES", `"${order.sid}"`, `"${carrierId}"`),
      "X-Mms-Request-Status-Code": "Ok",
    };
    expect(await python.send({ ...system, headers: response })).toEqual({ refused: {} });
    const report = {
      ...head("MM4_delivery_report.REQ", '"T-1"', `"${carrierId}"`),
      From: to[0],
      To: from,
      "X-Mms-Originator-System": `mm4@${MMSC_NAME}`,
      "X-Mms-Ack-Request": "Yes",
      "X-Mms-MM-Status-Code": "Retrieved",
    };
    expect(await python.send({ ...system, to: [from], headers: report })).toEqual({ refused: {} });
    expect(listener.receipts).toMatchObject([{ carrierId: memberIds[0], state: "delivered" }]);
    expect((await python.mail("MM4_delivery_report.RES")).headers).toMatchObject({
      "x-mms-transaction-id": '"T-1"',
      "x-mms-request-status-code": "Ok",
    });
  });

  test("an MMS with two images comes in as Python writes it, and is answered", async () => {
    const python = await PythonMmsc.start();
    const { listener, link } = await openLink(python.port);
    const parts = MEDIA.map(({ contentType, name, bytes }) => ({
      type: contentType,
      name,
      content: bytes.toString("base64"),
    }));
    const order = {
      port: link.port,
      from: `+15559870002/TYPE=PLMN@${MMSC_NAME}`,
      to: [`+15551230001/TYPE=PLMN@${PEER_NAME}`],
      headers: {
        ...head("MM4_forward.REQ", "T-9", `<M-9@${MMSC_NAME}>`),
        From: `+15559870002/TYPE=PLMN@${MMSC_NAME}`,
        To: `+15551230001/TYPE=PLMN@${PEER_NAME}, +15551110009/TYPE=PLMN@others.test`,
        Subject: "Grüße 🙂 aus einer sehr langen Betreffzeile, die gewiss umgebrochen wird",
        Sender: `mm4@${MMSC_NAME}`,
        "X-Mms-Originator-System": `mm4@${MMSC_NAME}`,
        "X-Mms-Ack-Request": "Yes",
        "X-Mms-Delivery-Report": "Yes",
      },
      text: "Schöne Grüße, ein sehr langer Satz, der im Transport gewiss in mehrere Zeilen zerlegt und wieder ganz wird",
      charset: "iso-8859-1",
      parts,
    };
    expect(await python.send(order)).toEqual({ refused: {} });
    const [inbound] = listener.inbounds;
    expect(inbound).toMatchObject({
      messageId: `M-9@${MMSC_NAME}`,
      from: "+15559870002",
      recipients: ["+15551230001"],
      to: ["+15551230001", "+15551110009"],
      subject: order.headers.Subject,
    });
    expect(inbound?.text.trimEnd()).toBe(order.text);
    expect(inbound?.media.map(({ contentType, name, bytes }) => [contentType, name, sha256(bytes)])).toEqual(
      MEDIA.map(({ contentType, name, bytes }) => [contentType, name, sha256(bytes)]),
    );
    expect(await python.mail("MM4_forward.RES")).toMatchObject({
      to: [`mm4@${MMSC_NAME}`],
      defects: [],
      headers: {
        "x-mms-transaction-id": "T-9",
        "x-mms-message-id": `<M-9@${MMSC_NAME}>`,
        "x-mms-request-status-code": "Ok",
      },
    });
    expect((await python.mail("MM4_delivery_report.REQ")).headers).toMatchObject({
      from: `+15551230001/TYPE=PLMN@${PEER_NAME}`,
      to: `+15559870002/TYPE=PLMN@${MMSC_NAME}`,
      "x-mms-mm-status-code": "Retrieved",
    });
  });

  test("STARTTLS and a password are used both ways", async () => {
    const { cert, key } = await certificate();
    const python = await PythonMmsc.start({ cert, key });
    const tls = { mode: "starttls", ca: cert };
    const { listener, link } = await openLink(
      python.port,
      { tls, user: "tandem", password: "sesame" },
      { tls: { cert, key } },
    );
    expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
    expect(await python.mail("MM4_forward.REQ")).toMatchObject({ secure: true, user: "tandem" });
    const headers = head("MM4_forward.RES", '"T"', '"M"');
    const order = {
      port: link.port,
      from: `mm4@${MMSC_NAME}`,
      to: [`system-user@${PEER_NAME}`],
      headers,
      starttls: cert,
    };
    expect(await python.send(order)).toEqual({ refused: {} });

    const wrong = await openLink(python.port, { tls: { mode: "starttls" }, user: "tandem", password: "sesame" });
    expect(await wrong.listener.submit(mms())).toMatchObject({
      kind: "notSent",
      reason: expect.stringContaining("certificate"),
    });
    const stranger = await openLink(python.port, { tls, user: "tandem", password: "guess" });
    expect(await stranger.listener.submit(mms())).toMatchObject({
      kind: "notSent",
      reason: expect.stringContaining("535"),
    });
  });
});

describe("with the sandbox's MMS centre", () => {
  async function startBoth(options: { readonly receiptDelayMs?: number } = {}, settings: Record<string, unknown> = {}) {
    const mmsc = await Mmsc.listen({
      host: "127.0.0.1",
      port: 0,
      log: silent,
      receiptDelayMs: 1,
      slowAnswerMs: 50,
      ...options,
    });
    cleanUps.push(() => mmsc.close());
    const { listener, link } = await openLink(mmsc.port, settings);
    mmsc.deliverTo({ host: "127.0.0.1", port: link.port });
    return { mmsc, listener, link };
  }

  test("an MMS for a group arrives whole, and everyone's report comes back", async () => {
    const { mmsc, listener } = await startBoth();
    const order = mms({ recipients: ["+15559870002", "+15559870003"] });
    expect(await listener.submit(order)).toMatchObject({ kind: "accepted" });
    const received = await mmsc.nextMessage(({ from }) => from === order.from);
    expect(received).toMatchObject({
      messageId: `${order.sid}@${PEER_NAME}`,
      recipients: order.recipients,
      to: order.recipients,
      text: order.text,
    });
    expect(received.media.map(({ bytes }) => sha256(bytes))).toEqual([sha256(PNG), sha256(JPEG)]);
    await listener.until(() => (listener.receipts.length === 2 ? true : undefined));
    expect(listener.receipts.map(({ carrierId, state }) => [carrierId, state]).sort()).toEqual([
      [`${order.sid}@${PEER_NAME} 1`, "delivered"],
      [`${order.sid}@${PEER_NAME} 2`, "delivered"],
    ]);
  });

  const OUTCOMES: Readonly<
    Record<Behaviour, readonly [outcome: string, receipt: string | undefined, receipts?: number]>
  > = {
    delivered: ["accepted", "delivered"],
    failed: ["accepted", "failed"],
    unreachable: ["accepted", "failed"],
    noTextService: ["accepted", "failed"],
    spam: ["accepted", "rejected"],
    expired: ["accepted", "expired"],
    silent: ["accepted", undefined],
    throttled: ["throttled", undefined],
    slow: ["accepted", "delivered"],
    rejected: ["rejected", undefined],
    cut: ["unknown", undefined],
    unanswered: ["unknown", undefined],
    receiptFirst: ["accepted", "delivered"],
    receiptTwice: ["accepted", "delivered", 2],
    takenAndCut: ["unknown", "delivered"],
    broken: ["accepted", "rejected"],
  };

  test.each(BEHAVIOURS.map((behaviour, line) => [behaviour, line] as const))(
    "the number of %s behaves so",
    async (behaviour, line) => {
      const { mmsc, listener } = await startBoth({}, behaviour === "unanswered" ? { responseSeconds: 2 } : {});
      const [kind, state, receipts = 1] = OUTCOMES[behaviour];
      const order = mms({ recipients: [`+1415555${String(100 + line).padStart(4, "0")}`], media: [] });
      expect(await listener.submit(order)).toMatchObject({ kind });
      if (state !== undefined) {
        await listener.until(() => (listener.receipts.length === receipts ? true : undefined));
        expect(listener.receipts[0]).toMatchObject({ carrierId: `${order.sid}@${PEER_NAME}`, state });
      }
      if (behaviour === "takenAndCut")
        await listener.until(() => listener.lateAnswers.find(([sid]) => sid === order.sid));
      expect(mmsc.received).toHaveLength(kind === "accepted" || behaviour === "takenAndCut" ? 1 : 0);
      // Another account's number behaves as before.
      mmsc.behave(order.recipients[0] ?? "", "delivered");
      expect(await listener.submit(mms({ recipients: order.recipients, media: [] }))).toMatchObject({
        kind: "accepted",
      });
    },
  );

  test("a throttled number takes the fourth try", async () => {
    const { listener } = await startBoth();
    const kinds = [];
    for (let nth = 0; nth < 5; nth++)
      kinds.push((await listener.submit(mms({ recipients: ["+14155550107"], media: [] }))).kind);
    expect(kinds).toEqual(["throttled", "throttled", "throttled", "accepted", "throttled"]);
  });

  test("a message is settled by hand in place of its own fate", async () => {
    const { mmsc, listener } = await startBoth({ receiptDelayMs: 600_000 });
    await listener.submit(mms());
    const { messageId } = await mmsc.nextMessage();
    expect(mmsc.settle(messageId, false)).toBe(true);
    await listener.until(() => listener.receipts.find(({ state }) => state === "failed"));
    expect(mmsc.settle("unknown", true)).toBe(false);
  });

  test("a handset's MMS comes in, once for every time it is sent, under one id", async () => {
    const { mmsc, listener } = await startBoth();
    const order = {
      from: "+15559870002",
      to: ["+15551230001"],
      others: ["+15551110009"],
      text: "schau 🙂",
      media: MEDIA,
    };
    const messageId = await mmsc.deliver(order);
    await mmsc.deliver({ ...order, messageId });
    expect(listener.inbounds.map((inbound) => [inbound.messageId, inbound.text])).toEqual([
      [messageId, "schau 🙂"],
      [messageId, "schau 🙂"],
    ]);
    expect(listener.inbounds[0]?.to).toEqual(["+15551230001", "+15551110009"]);
    expect(listener.inbounds[0]?.media.map(({ bytes }) => sha256(bytes))).toEqual([sha256(PNG), sha256(JPEG)]);
  });
});
