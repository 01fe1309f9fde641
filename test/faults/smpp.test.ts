// Malformed PDUs of every kind, in both directions: a hostile SMSC against our link, and a hostile ESME against the
// sandbox's SMSC, which is our session machine on a socket. Nothing may crash, memory must not grow, every request gets
// one outcome, and another bound session must not be affected.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { COMMAND_ID } from "../../src/wire/smpp/commands.ts";
import { Framer } from "../../src/wire/smpp/framer.ts";
import { type BindRequest, deliverSm, submitSm, type Unnumbered } from "../../src/wire/smpp/pdu.ts";
import { readU32 } from "../../src/wire/smpp/pdu-reader.ts";
import { STATUS } from "../../src/wire/smpp/statuses.ts";
import { Chance } from "../fakes/chance.ts";
import { encodePdu } from "../fakes/encode-pdu.ts";
import { outgoing } from "../fakes/outgoing.ts";
import { TestLink } from "../fakes/smpp-link.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const PDUS = roundsOf({ quick: 20_000, long: 200_000 });
const BATCH = 100;
const GROWTH_MAX = 48 << 20;
const QUESTION = 0x7ffffff0;
/** Fills any announced length, and then announces an impossible one. */
const NO_FRAME = new Uint8Array(70_000).fill(0xff);
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const NUMBER = { ton: 1, npi: 1, address: "14155550100" };
const MESSAGE = { source: NUMBER, destination: { ton: 5, npi: 0, address: "Tandem" } };
const text = (of: string) => Uint8Array.from(of, (letter) => letter.charCodeAt(0));
const TLVS = {
  receiptedMessageId: "abc",
  messageState: 2,
  networkErrorCode: Uint8Array.of(3, 0, 9),
  messagePayload: text("a payload"),
  sarMsgRefNum: 9,
  sarTotalSegments: 3,
  sarSegmentSeqnum: 2,
  others: [{ tag: 0x1400, value: Uint8Array.of(1, 2, 3) }],
};
const RECEIPT = "id:1 sub:001 dlvrd:001 submit date:2611151200 done date:2611151201 stat:DELIVRD err:000 text:hello";
const BIND: Unnumbered<BindRequest> = {
  command: "bind_transceiver",
  systemId: "mallory",
  password: "secret",
  systemType: "",
  interfaceVersion: 0x34,
  addrTon: 0,
  addrNpi: 0,
  addressRange: "",
};
const BARE: readonly Unnumbered[] = [
  { command: "enquire_link" },
  { command: "enquire_link_resp", status: 0 },
  { command: "generic_nack", status: 3 },
  { command: "unbind_resp", status: 0 },
];
const FROM_SMSC: readonly Unnumbered[] = [
  deliverSm({ ...MESSAGE, shortMessage: text("hello") }),
  deliverSm({ ...MESSAGE, shortMessage: Uint8Array.of(5, 0, 3, 9, 2, 1, 65, 66), esmClass: 0x40, tlvs: TLVS }),
  deliverSm({ ...MESSAGE, shortMessage: text(RECEIPT), esmClass: 4 }),
  { ...MESSAGE, command: "data_sm", serviceType: "", esmClass: 0, registeredDelivery: 0, dataCoding: 8, tlvs: TLVS },
  { command: "submit_sm_resp", status: 0, messageId: "1", tlvs: TLVS },
  { command: "submit_sm_resp", status: STATUS.ESME_RTHROTTLED, messageId: "", tlvs: {} },
  { command: "bind_transceiver_resp", status: 0, systemId: "bob", tlvs: { scInterfaceVersion: 0x34 } },
  { command: "query_sm_resp", status: 0, messageId: "1", finalDate: "", messageState: 2, errorCode: 0 },
  ...BARE,
];
const FROM_ESME: readonly Unnumbered[] = [
  submitSm({ ...MESSAGE, destination: NUMBER, shortMessage: text("hello"), registeredDelivery: 1 }),
  submitSm({ ...MESSAGE, destination: NUMBER, shortMessage: text("hello"), tlvs: TLVS, esmClass: 0x40 }),
  { ...MESSAGE, command: "data_sm", serviceType: "", esmClass: 0, registeredDelivery: 1, dataCoding: 8, tlvs: TLVS },
  { command: "query_sm", messageId: "1", source: NUMBER },
  { command: "cancel_sm", serviceType: "", messageId: "1", ...MESSAGE },
  { command: "deliver_sm_resp", status: 0, messageId: "", tlvs: {} },
  BIND,
  ...BARE,
];

test(
  "our link bears an SMSC that bends every PDU",
  async () => {
    const random = new Chance(SEED);
    const chance = () => random.next();
    const mallory = await hostileSmsc();
    const good = await goodSmsc();
    const alice = await new TestLink(good.port, { settings: { windowSize: 20 } }).bound();
    const victim = new TestLink(mallory.port, {
      seconds: { responseSeconds: 1 },
      times: { reconnectMsMin: 1, reconnectMsMax: 2, throttleMsMin: 1, throttleMsMax: 2, heldMsMax: 1000 },
    });
    closings.push(() => alice.link.close());
    closings.push(() => victim.link.close());
    let asked = 0;
    let told = 0;
    let taken = 0;
    await batches(async () => {
      const line = await mallory.line();
      while (victim.link.capacity() > 0 && asked - told < 20) {
        asked++;
        victim.link.submit(outgoing({ text: "x".repeat(1 + (asked % 400)) }), () => told++);
      }
      await line.fire(FROM_SMSC, chance);
      taken += victim.receipts.splice(0).length + victim.parts.splice(0).length;
      victim.lateAnswers.length = 0;
      victim.states.length = 0;
      expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
    });
    await victim.link.close();
    expect(told).toBe(asked);
    // Much of it was refused, but what was still readable was accepted: the test has covered the whole link.
    expect(asked).toBeGreaterThan(PDUS / BATCH / 4);
    expect(taken).toBeGreaterThan(PDUS / 20);
    expect(victim.faults.concat(alice.faults)).toEqual([]);
    expect(alice.states).toEqual(["connecting", "bound"]);
  },
  LONG_TIMEOUT_MS,
);

test(
  "an SMSC of our session bears an ESME that bends every PDU",
  async () => {
    const random = new Chance(SEED + 1);
    const chance = () => random.next();
    const smsc = await goodSmsc();
    const alice = await new TestLink(smsc.port, { settings: { windowSize: 20 } }).bound();
    closings.push(() => alice.link.close());
    let line: Line | undefined;
    closings.push(() => line?.hangUp());
    await batches(async () => {
      if (!line?.isOpen) line = await bindTo(smsc.port);
      await line.fire(FROM_ESME, chance);
      const { length } = alice.receipts;
      expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
      await alice.until(() => alice.receipts.length > length);
    });
    expect(alice.faults).toEqual([]);
    expect(alice.states).toEqual(["connecting", "bound"]);
    expect(alice.receipts.every(({ state }) => state === "delivered")).toBe(true);
    expect(smsc.counts.submits).toBeGreaterThan(PDUS / 20);
  },
  LONG_TIMEOUT_MS,
);

/** Runs all batches and compares memory after them with memory after the warm-up. */
async function batches(one: () => Promise<void>): Promise<void> {
  const count = PDUS / BATCH;
  let before = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < count; batch++) {
    await one();
    if (batch === Math.floor(count / 5)) before = memory();
  }
  expect(memory() - before, `octets grown, seed ${SEED}`).toBeLessThan(GROWTH_MAX);
}

function memory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A connection that sends malformed PDUs. */
class Line {
  readonly #socket: Socket;
  readonly #framer = new Framer();
  #onAnswer = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#onAnswer());
    socket.on("data", (chunk) => {
      if (this.#framer.push(chunk).pdus.some((pdu) => readU32(pdu, 12) === QUESTION)) this.#onAnswer();
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Writes a batch of malformed PDUs and waits until the other side has read all of them, or closed the connection. */
  async fire(originals: readonly Unnumbered[], chance: () => number): Promise<void> {
    const bent = Array.from({ length: BATCH }, () => bend(originals, chance));
    const isFramed = bent.every((pdu) => readU32(pdu, 0) === pdu.length);
    const end = isFramed ? octetsOf({ command: "enquire_link" }, QUESTION) : NO_FRAME;
    const answered = new Promise<void>((resolve) => {
      this.#onAnswer = resolve;
    });
    if (this.isOpen) this.#socket.write(Buffer.concat([...bent, end]));
    if (this.isOpen) await answered;
  }

  hangUp(): void {
    this.#socket.destroy();
  }
}

/** Applies up to three changes; an unchanged PDU arrives when it is not expected. */
function bend(originals: readonly Unnumbered[], chance: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(chance() * limit);
  const original = originals[below(originals.length)] as Unnumbered;
  let octets: Uint8Array = octetsOf(original, 1 + below(60)).slice();
  const id = readU32(octets, 4);
  for (let times = below(4); times > 0; times--) {
    switch (below(6)) {
      case 0:
        octets[4 + below(octets.length - 4)] = below(256);
        break;
      case 1: {
        const at = 4 + below(octets.length - 4);
        octets[at] = (octets[at] as number) ^ (1 << below(8));
        break;
      }
      case 2:
        octets = octets.slice(0, 16 + below(octets.length - 15));
        break;
      case 3:
        octets = Uint8Array.from([...octets, ...Array.from({ length: below(40) }, () => below(256))]);
        break;
      case 4: {
        const from = 16 + below(Math.max(1, octets.length - 16));
        octets = Uint8Array.from([...octets.subarray(0, from), ...octets.subarray(16)]);
        break;
      }
      case 5:
        octets.fill(below(2) * 255, 16 + below(Math.max(1, octets.length - 16)));
        break;
    }
  }
  const view = new DataView(octets.buffer, octets.byteOffset);
  view.setUint32(0, octets.length);
  // Most keep their command, so that their changed fields are read; few end the session, or the test would do nothing
  // else.
  if (chance() < 0.8 || readU32(octets, 4) === COMMAND_ID.unbind) view.setUint32(4, id);
  if (chance() < 0.002) view.setUint32(0, [0, 15, octets.length + 1, 0x10001, 0xffffffff][below(5)] as number);
  return octets;
}

function octetsOf(pdu: Unnumbered, sequence: number): Uint8Array {
  const octets = encodePdu(pdu, sequence);
  return octets.ok ? octets.value : expect.fail(octets.refusal);
}

async function goodSmsc(): Promise<Smsc> {
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const smsc = await Smsc.listen({ host: "127.0.0.1", port: 0, log, receiptDelayMs: 0 });
  closings.push(() => smsc.close());
  return smsc;
}

/** Accepts every bind and returns the connection. */
async function hostileSmsc(): Promise<{ readonly port: number; line(): Promise<Line> }> {
  let line: Line | undefined;
  let tell = () => {};
  const server = createServer({ noDelay: true }, (socket) => {
    socket.once("data", (chunk) => {
      const answer = { command: "bind_transceiver_resp", status: 0, systemId: "mallory", tlvs: {} } as const;
      socket.write(octetsOf(answer, readU32(chunk, 12)));
      line = new Line(socket);
      tell();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closings.push(() => {
    line?.hangUp();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    async line() {
      while (!line?.isOpen) {
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
      return line;
    },
  };
}

async function bindTo(port: number): Promise<Line> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(octetsOf(BIND, 1));
  await once(socket, "data");
  return new Line(socket);
}
