// Our link against an SMSC made with npm's smpp, a third-party codec. For texts that it encodes itself data_coding is
// set explicitly, because it would get it wrong.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import smpp, { type Pdu, type Session } from "smpp";
import { afterEach, expect, test } from "vitest";
import { decodePart } from "../../src/adapters/smpp/incoming.ts";
import type { SubmitOutcome } from "../../src/domain/messaging/index.ts";
import { Framer } from "../../src/wire/smpp/framer.ts";
import { readU32 } from "../../src/wire/smpp/pdu-reader.ts";
import { STATUS } from "../../src/wire/smpp/statuses.ts";
import { SEEN_THROTTLE, TestLink } from "../fakes/smpp-link.ts";

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

type LinkOptions = ConstructorParameters<typeof TestLink>[1];
type Answer = (pdu: Pdu, session: Session) => void;

const accept: Answer = (pdu, session) => session.send(pdu.response({ message_id: `npm-${pdu.sequence_number}` }));

class NpmSmsc {
  readonly submits: Pdu[] = [];
  readonly binds: Pdu[] = [];
  readonly sessions: Session[] = [];
  answer: Answer;
  bindStatus = 0;
  readonly #server: Server;

  static async listen(answer: Answer = accept, tls: { key?: string; cert?: string } = {}): Promise<NpmSmsc> {
    const smsc = new NpmSmsc(answer, tls);
    smsc.#server.listen(0, "127.0.0.1");
    await once(smsc.#server, "listening");
    closings.push(() => smsc.#server.close());
    closings.push(() => {
      for (const session of smsc.sessions) session.destroy();
    });
    return smsc;
  }

  private constructor(answer: Answer, tls: { key?: string; cert?: string }) {
    this.answer = answer;
    this.#server = smpp.createServer(tls, (session) => {
      this.sessions.push(session);
      session.on("error", () => session.destroy());
      session.on("bind_transceiver", (pdu: Pdu) => {
        this.binds.push(pdu);
        session.send(pdu.response({ command_status: this.bindStatus, system_id: "npm" }));
      });
      session.on("submit_sm", (pdu: Pdu) => {
        this.submits.push(pdu);
        this.answer(pdu, session);
      });
      for (const command of ["enquire_link", "unbind"]) {
        session.on(command, (pdu: Pdu) => session.send(pdu.response()));
      }
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The link's response to a delivery of ours. */
  deliver(fields: Readonly<Record<string, unknown>>, command: "deliver_sm" | "data_sm" = "deliver_sm"): Promise<Pdu> {
    const addresses = { source_addr_ton: 1, source_addr_npi: 1, source_addr: "14155550100", destination_addr: "12345" };
    const session = this.sessions.at(-1);
    if (!session) throw new Error("nobody is bound");
    return new Promise((resolve) => session[command]({ ...addresses, ...fields }, resolve));
  }
}

async function bind(smsc: { readonly port: number }, options: LinkOptions = {}): Promise<TestLink> {
  return await open(smsc, options).bound();
}

function open(smsc: { readonly port: number }, options: LinkOptions = {}): TestLink {
  const alice = new TestLink(smsc.port, options);
  closings.push(() => alice.link.close());
  return alice;
}

/** Forwards everything and keeps the PDUs of the connecting side. */
async function tap(target: { readonly port: number }): Promise<{ port: number; pdus: Uint8Array[] }> {
  const pdus: Uint8Array[] = [];
  const server = createServer((socket) => {
    const framer = new Framer();
    const onward = connect(target.port, "127.0.0.1");
    socket.on("data", (chunk) => pdus.push(...framer.push(chunk).pdus));
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closings.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, pdus };
}

test("the link binds with its name and password, and reports when they are wrong", async () => {
  const smsc = await NpmSmsc.listen();
  await bind(smsc, { settings: { systemType: "sms" } });
  expect(smsc.binds).toMatchObject([
    { system_id: "alice", password: "secret", system_type: "sms", interface_version: 0x34 },
  ]);
  smsc.bindStatus = STATUS.ESME_RINVPASWD;
  const refused = open(smsc);
  await refused.until(() => refused.states.includes("down"));
  expect(refused.link.state.reason).toBe("bind refused: ESME_RINVPASWD");
});

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();
const udh = (part: number, total: number) => Buffer.from([5, 0, 3, 0x34, total, part]);
const GSM = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ €[]{}~\\|^ hello";

test.each([
  ["GSM-7", { text: GSM }, [{ data_coding: 0, short_message: GSM }]],
  ["UCS-2", { text: "жизнь 👍" }, [{ data_coding: 8, short_message: ucs2("жизнь 👍") }]],
  [
    "long GSM-7",
    { text: `${"x".repeat(152)}€${"y".repeat(150)}` },
    [
      { esm_class: 0x40, data_coding: 0, short_message: { udh: udh(1, 2), message: "x".repeat(152) } },
      { esm_class: 0x40, data_coding: 0, short_message: { udh: udh(2, 2), message: `€${"y".repeat(150)}` } },
    ],
  ],
  [
    "long UCS-2",
    { text: `${"ж".repeat(66)}👍${"я".repeat(10)}` },
    [
      { esm_class: 0x40, data_coding: 8, short_message: { udh: udh(1, 2), message: ucs2("ж".repeat(66)) } },
      { esm_class: 0x40, data_coding: 8, short_message: { udh: udh(2, 2), message: ucs2(`👍${"я".repeat(10)}`) } },
    ],
  ],
])("%s arrives byte for byte as npm's smpp would have written it", async (_, text, wanted) => {
  const smsc = await NpmSmsc.listen();
  const wire = await tap(smsc);
  const alice = await bind(wire);
  const sid = "OM0199a1b2c3d470008f0000000000beef";
  expect(await alice.submit({ ...text, sid })).toMatchObject({ kind: "accepted" });
  const submits = wire.pdus.filter((pdu) => readU32(pdu, 4) === 4);
  const addresses = {
    ...{ source_addr_ton: 1, source_addr_npi: 1, source_addr: "12125550000" },
    ...{ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: "14155550100" },
  };
  const written = wanted.map((fields, index) => {
    const sequence_number = readU32(submits[index] ?? new Uint8Array(16), 12);
    const common = { sequence_number, ...addresses, registered_delivery: 1, user_message_reference: 0xbeef };
    return new smpp.PDU("submit_sm", { ...common, ...fields }).toBuffer();
  });
  expect(submits.map((pdu) => Buffer.from(pdu).toString("hex"))).toEqual(written.map((pdu) => pdu.toString("hex")));
  const heard = smsc.submits.map(({ short_message }) => short_message.message).join("");
  expect(heard).toBe(text.text);
});

test("parts by sar_ parameters and a whole message in message_payload are understood", async () => {
  const smsc = await NpmSmsc.listen();
  const text = "x".repeat(200);
  await (await bind(smsc, { settings: { longMessages: "sar" } })).submit(text);
  await (await bind(smsc, { settings: { longMessages: "payload" } })).submit(text);
  expect(smsc.submits).toMatchObject([
    {
      sar_msg_ref_num: 0x1234,
      sar_total_segments: 2,
      sar_segment_seqnum: 1,
      short_message: { message: "x".repeat(153) },
    },
    {
      sar_msg_ref_num: 0x1234,
      sar_total_segments: 2,
      sar_segment_seqnum: 2,
      short_message: { message: "x".repeat(47) },
    },
    { message_payload: { message: text }, short_message: { message: "" } },
  ]);
});

test("receipts by text and by parameters are reported and answered", async () => {
  const smsc = await NpmSmsc.listen();
  const alice = await bind(smsc);
  const dates = "submit date:2611151200 done date:2611151201";
  const short_message = `id:abc-1 sub:001 dlvrd:001 ${dates} stat:DELIVRD err:000 text:hello`;
  expect(await smsc.deliver({ esm_class: 4, data_coding: 0, short_message })).toMatchObject({ command_status: 0 });
  const tlvs = { receipted_message_id: "abc-2", message_state: 5, network_error_code: Buffer.from([3, 0, 42]) };
  expect(await smsc.deliver({ esm_class: 4, data_coding: 0, short_message: "", ...tlvs })).toMatchObject({
    command: "deliver_sm_resp",
    command_status: 0,
  });
  expect(alice.receipts).toMatchObject([
    { carrier: "bob", carrierId: "abc-1", state: "delivered" },
    { carrier: "bob", carrierId: "abc-2", state: "failed", errorCode: "42" },
  ]);
  expect(alice.parts).toEqual([]);
});

test("messages of every coding come in, whole, in parts and as data_sm", async () => {
  const smsc = await NpmSmsc.listen();
  const alice = await bind(smsc);
  await smsc.deliver({ data_coding: 0, short_message: "hi @ €" });
  await smsc.deliver({ data_coding: 8, short_message: ucs2("жизнь 👍") });
  await smsc.deliver({ data_coding: 3, short_message: Buffer.from("café", "latin1") });
  await smsc.deliver({ data_coding: 0, short_message: { udh: udh(2, 3), message: "part" } });
  await smsc.deliver({ data_coding: 0, message_payload: "y".repeat(500), short_message: "" });
  await smsc.deliver({ data_coding: 8, message_payload: ucs2("да") }, "data_sm");
  const texts = alice.parts.map(({ octets, dataCoding }) => decodePart(octets, dataCoding));
  expect(texts).toEqual(["hi @ €", "жизнь 👍", "café", "part", "y".repeat(500), "да"]);
  expect(alice.parts[3]?.partOf).toEqual({ reference: 0x34, total: 3, index: 2 });
  expect(alice.parts[0]).toMatchObject({ from: "+14155550100", to: "12345" });
});

test("an SMSC that throttles is given way to, and has its messages later", async () => {
  let left = 3;
  const smsc = await NpmSmsc.listen((pdu, session) => {
    if (left-- > 0) session.send(pdu.response({ command_status: STATUS.ESME_RTHROTTLED }));
    else accept(pdu, session);
  });
  const alice = await bind(smsc, { times: SEEN_THROTTLE });
  const kinds: string[] = [];
  while (kinds.at(-1) !== "accepted") {
    await alice.until(() => alice.link.capacity() > 0);
    kinds.push((await alice.submit("hello")).kind);
  }
  expect(kinds).toEqual(["throttled", "throttled", "throttled", "accepted"]);
  expect(alice.states.filter((kind) => kind === "throttled").length).toBe(3);
});

test("a connection dropped in the middle of a window leaves the unanswered unknown, once each, and comes back", async () => {
  const smsc = await NpmSmsc.listen((pdu, session) => {
    if (smsc.submits.length <= 3) accept(pdu, session);
    if (smsc.submits.length === 10) session.destroy();
  });
  const alice = await bind(smsc);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => alice.submit("hello")));
  expect(countKinds(outcomes)).toEqual({ accepted: 3, unknown: 7 });
  smsc.answer = accept;
  await alice.until(() => smsc.binds.length === 2 && alice.link.capacity() > 0);
  expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
  expect(smsc.submits.length).toBe(11);
});

test("answers in another order reach their own messages", async () => {
  const waiting: Pdu[] = [];
  const smsc = await NpmSmsc.listen((pdu, session) => {
    waiting.push(pdu);
    if (waiting.length < 10) return;
    for (const one of waiting.toReversed()) session.send(one.response({ message_id: one.short_message.message }));
  });
  const alice = await bind(smsc);
  const texts = Array.from({ length: 10 }, (_, at) => `message ${at}`);
  const outcomes = await Promise.all(texts.map((text) => alice.submit(text)));
  expect(outcomes).toEqual(texts.map((text) => ({ kind: "accepted", carrierIds: [text] })));
});

test("answers under numbers nobody asked with settle nothing", async () => {
  const smsc = await NpmSmsc.listen((pdu, session) => {
    for (const wrong of [0, pdu.sequence_number + 1000, 0x7fffffff, 0xffffffff]) {
      const answer = new smpp.PDU("submit_sm_resp", { sequence_number: wrong, message_id: "wrong" });
      session.socket.write(answer.toBuffer());
    }
    if (pdu.short_message.message === "answered") accept(pdu, session);
  });
  const alice = await bind(smsc, { seconds: { responseSeconds: 5 } });
  const [answered, unanswered] = await Promise.all([alice.submit("answered"), alice.submit("unanswered")]);
  expect(answered).toEqual({ kind: "accepted", carrierIds: ["npm-2"] });
  expect(unanswered).toEqual({ kind: "unknown", reason: "not answered in time", carrierIds: [] });
  expect(alice.lateAnswers).toEqual([]);
});

test("an SMSC that never answers holds nothing for ever", async () => {
  const smsc = await NpmSmsc.listen(() => {});
  const alice = await bind(smsc, { seconds: { responseSeconds: 1 } });
  for (let window = 0; window < 3; window++) {
    await alice.until(() => alice.link.capacity() === 10);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => alice.submit("hello")));
    expect(countKinds(outcomes)).toEqual({ unknown: 10 });
  }
  await alice.link.close();
  expect(alice.link.state).toMatchObject({ kind: "closed", reason: "unbound" });
});

test("the link binds over TLS to whom it may trust, and to no one else", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "tandem-smpp-"));
  closings.push(() => rmSync(scratch, { recursive: true }));
  const [keyFile, certFile] = [join(scratch, "key.pem"), join(scratch, "cert.pem")];
  const subject = ["-subj", "/CN=smsc.test", "-addext", "subjectAltName=DNS:smsc.test"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
  const cert = readFileSync(certFile, "utf8");
  const smsc = await NpmSmsc.listen(accept, { key: readFileSync(keyFile, "utf8"), cert });
  const trusting = { ca: certFile, servername: "smsc.test", rejectUnauthorized: true };
  const alice = await bind(smsc, { settings: { tls: trusting } });
  expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
  expect(await alice.link.close()).toBeUndefined();
  const inline = await bind(smsc, { settings: { tls: { ...trusting, ca: cert } } });
  expect(await inline.submit("hello")).toMatchObject({ kind: "accepted" });
  for (const [tls, reason] of [
    [{ servername: "smsc.test", rejectUnauthorized: true }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    [{ ca: certFile, servername: "other.test", rejectUnauthorized: true }, "ERR_TLS_CERT_ALTNAME_INVALID"],
    [{ ca: join(scratch, "none.pem"), rejectUnauthorized: true }, "ENOENT"],
  ] as const) {
    const mallory = open(smsc, { settings: { tls } });
    await mallory.until(() => mallory.link.state.kind === "down" && mallory.link.state.reason === reason);
    await mallory.link.close();
  }
  expect(smsc.binds.length).toBe(2);
});

function countKinds(outcomes: readonly SubmitOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
