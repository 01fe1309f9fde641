// A link for tests with an owner that keeps everything it is told, and an SMSC that does what the test says, PDU by PDU.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type {
  InboundPart,
  LinkOwner,
  LinkReceipt,
  LinkState,
  OutgoingText,
  SubmitOutcome,
} from "../../src/adapters/smpp/link-owner.ts";
import { type LinkSettings, linkSettings } from "../../src/adapters/smpp/link-settings.ts";
import { type LinkTimes, SmppLink } from "../../src/adapters/smpp/smpp-link.ts";
import { decodePdu } from "../../src/wire/smpp/decode.ts";
import { Framer } from "../../src/wire/smpp/framer.ts";
import type { BindCommand, Pdu, SubmitSm, Unnumbered } from "../../src/wire/smpp/pdu.ts";
import { encodePdu } from "./encode-pdu.ts";

/** Things are looked at again whenever something has happened. */
class Happenings {
  readonly #waiters = new Set<() => void>();

  ring(): void {
    for (const look of [...this.#waiters]) look();
  }

  /** What `find` finds, as soon as it does. */
  until<Found>(find: () => Found | undefined | false): Promise<Found> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined || found === false) return;
        this.#waiters.delete(look);
        resolve(found);
      };
      this.#waiters.add(look);
      look();
    });
  }
}

const QUICK_TIMES: Partial<LinkTimes> = {
  reconnectMsMin: 5,
  reconnectMsMax: 50,
  throttleMsMin: 10,
  throttleMsMax: 40,
};

/** For tests that look at a throttled link: on a slow machine the quick ones are over before anybody is told. */
export const SEEN_THROTTLE: Partial<LinkTimes> = { throttleMsMin: 500, throttleMsMax: 500 };

interface TestLinkOptions {
  readonly settings?: Partial<Omit<LinkSettings, "responseSeconds" | "enquireLinkSeconds">>;
  readonly seconds?: { readonly responseSeconds?: number; readonly enquireLinkSeconds?: number };
  readonly times?: Partial<LinkTimes>;
  /** Awaited before a receipt or a message counts as taken. */
  readonly take?: () => Promise<void>;
}

export class TestLink extends Happenings implements LinkOwner {
  readonly link: SmppLink;
  readonly states: LinkState["kind"][] = [];
  readonly receipts: LinkReceipt[] = [];
  readonly parts: InboundPart[] = [];
  /** Those the parts came over. */
  readonly connections: number[] = [];
  readonly late: [string, SubmitOutcome][] = [];
  readonly faults: string[] = [];
  rooms = 0;
  readonly #take: () => Promise<void>;
  #lastSid = 0;

  constructor(port: number, { settings, seconds, times, take }: TestLinkOptions = {}) {
    super();
    this.#take = take ?? (async () => {});
    const named = { name: "test", host: "127.0.0.1", port, systemId: "alice", password: "secret", ...settings };
    const silent = () => {};
    this.link = new SmppLink({ ...linkSettings.parse(named), ...seconds }, this, {
      log: {
        debug: silent,
        info: silent,
        warn: silent,
        error: ({ error }, fact) => this.faults.push(`${fact}: ${error}`),
      },
      now: () => Date.now(),
      elapsedMs: () => performance.now(),
      random: () => 0.5,
      secret: () => undefined,
      times: { ...QUICK_TIMES, ...times },
    });
    this.link.start();
  }

  async receipt(receipt: LinkReceipt): Promise<void> {
    this.receipts.push(receipt);
    this.ring();
    await this.#take();
  }

  async inbound(part: InboundPart, connection: number): Promise<void> {
    this.parts.push(part);
    this.connections.push(connection);
    this.ring();
    await this.#take();
  }

  lateAnswer(sid: string, outcome: SubmitOutcome): void {
    this.late.push([sid, outcome]);
    this.ring();
  }

  changed({ kind }: LinkState): void {
    this.states.push(kind);
    this.ring();
  }

  room(): void {
    this.rooms++;
    this.ring();
  }

  async bound(): Promise<this> {
    await this.until(() => this.link.state.kind === "bound");
    return this;
  }

  submit(text: string | Partial<OutgoingText>): Promise<SubmitOutcome> {
    const given = typeof text === "string" ? { text } : text;
    const sid = `OM${++this.#lastSid}`;
    const outgoing = { sid, from: "+12125550000", to: "+14155550100", text: "hello", reference: 0x1234, ...given };
    return new Promise((resolve) => {
      this.link.submit(outgoing, resolve);
    });
  }
}

/** One connection of the SMSC's. */
export class Peer {
  readonly heard: Pdu[] = [];
  readonly submits: SubmitSm[] = [];
  boundAs: BindCommand | undefined;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  say(pdu: Unnumbered, sequence: number): void {
    const octets = encodePdu(pdu, sequence);
    if (!octets.ok) throw new Error(octets.refusal);
    this.write(octets.value);
  }

  write(octets: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(octets);
  }

  accept({ sequence }: Pdu, messageId = `m${sequence}`): void {
    this.say({ command: "submit_sm_resp", status: 0, messageId, tlvs: {} }, sequence);
  }

  refuse({ sequence }: Pdu, status: number): void {
    this.say({ command: "submit_sm_resp", status, messageId: "", tlvs: {} }, sequence);
  }

  /** Reads nothing from now on. */
  turnDeaf(): void {
    this.#socket.pause();
  }

  /** Octets that the link would not read. */
  get unread(): number {
    return this.#socket.writableLength;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  drop(): void {
    this.#socket.destroy();
  }
}

type Answer = (pdu: Pdu, peer: Peer) => void;

/** Lets everybody in and answers what keeps a session alive; the rest is up to `answer`. */
export class TestSmsc extends Happenings {
  readonly peers: Peer[] = [];
  bindStatus = 0;
  readonly #server: Server;
  readonly #answer: Answer;

  static async listen(answer: Answer = () => {}): Promise<TestSmsc> {
    const smsc = new TestSmsc(answer);
    smsc.#server.listen(0, "127.0.0.1");
    await once(smsc.#server, "listening");
    return smsc;
  }

  private constructor(answer: Answer) {
    super();
    this.#answer = answer;
    this.#server = createServer({ noDelay: true }, (socket) => this.#connect(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get submits(): readonly SubmitSm[] {
    return this.peers.flatMap(({ submits }) => submits);
  }

  /** The newest connection that is bound, and came after that one: a link whose bind took too long has left earlier ones behind. */
  peer(after?: Peer): Promise<Peer> {
    const begin = after ? this.peers.indexOf(after) + 1 : 0;
    return this.until(() => this.peers.slice(begin).findLast(({ boundAs, isOpen }) => boundAs && isOpen));
  }

  async close(): Promise<void> {
    for (const peer of this.peers) peer.drop();
    this.#server.close();
    await once(this.#server, "close");
  }

  #connect(socket: Socket): void {
    const framer = new Framer();
    const peer = new Peer(socket);
    this.peers.push(peer);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      for (const octets of framer.push(chunk).pdus) {
        const pdu = decodePdu(octets);
        if (pdu.ok) this.#hear(pdu.value, peer);
      }
    });
  }

  #hear(pdu: Pdu, peer: Peer): void {
    peer.heard.push(pdu);
    switch (pdu.command) {
      case "bind_transceiver":
      case "bind_transmitter":
      case "bind_receiver":
        if (this.bindStatus === 0) peer.boundAs = pdu.command;
        peer.say({ command: `${pdu.command}_resp`, status: this.bindStatus, systemId: "bob", tlvs: {} }, pdu.sequence);
        break;
      case "enquire_link":
      case "unbind":
        peer.say({ command: `${pdu.command}_resp`, status: 0 }, pdu.sequence);
        break;
      case "submit_sm":
        peer.submits.push(pdu);
        this.#answer(pdu, peer);
        break;
      default:
        this.#answer(pdu, peer);
    }
    this.ring();
  }
}
