// A link for tests with a listener that keeps everything it receives, and a scripted SMSC, PDU by PDU.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type LinkSettings, linkSettings } from "../../src/adapters/smpp/link-settings.ts";
import { type LinkTimes, SmppLink, type SmppListener } from "../../src/adapters/smpp/smpp-link.ts";
import type { StatusSettings } from "../../src/adapters/smpp/status-rules.ts";
import type {
  CarrierReceipt,
  InboundPart,
  LinkState,
  Outgoing,
  SettledMessage,
  SubmitOutcome,
} from "../../src/domain/messaging/index.ts";
import { decodePdu } from "../../src/wire/smpp/decode.ts";
import { Framer } from "../../src/wire/smpp/framer.ts";
import type { BindCommand, Pdu, SubmitSm, Unnumbered } from "../../src/wire/smpp/pdu.ts";
import { encodePdu } from "./encode-pdu.ts";
import { Happenings } from "./happenings.ts";
import { outgoing } from "./outgoing.ts";

const QUICK_TIMES: Partial<LinkTimes> = {
  reconnectMsMin: 5,
  reconnectMsMax: 50,
  throttleMsMin: 10,
  throttleMsMax: 40,
};

/** For tests that observe a throttled link: on a slow machine the short throttles end before they can be seen. */
export const SEEN_THROTTLE: Partial<LinkTimes> = { throttleMsMin: 500, throttleMsMax: 500 };

/** Reference of a link's first message; each later message has the next one. */
export const FIRST_REFERENCE = 0x1234;

interface TestLinkOptions {
  readonly settings?: Partial<Omit<LinkSettings, "responseSeconds" | "enquireLinkSeconds">>;
  readonly seconds?: { readonly responseSeconds?: number; readonly enquireLinkSeconds?: number };
  readonly times?: Partial<LinkTimes>;
  readonly statuses?: StatusSettings;
  /** Awaited before a receipt or a message counts as accepted. */
  readonly take?: () => Promise<void>;
}

export class TestLink extends Happenings implements SmppListener {
  readonly link: SmppLink;
  readonly states: LinkState["kind"][] = [];
  readonly receipts: CarrierReceipt[] = [];
  readonly parts: InboundPart[] = [];
  readonly lateAnswers: [string, SubmitOutcome][] = [];
  readonly faults: string[] = [];
  freedCount = 0;
  readonly #take: () => Promise<void>;
  #lastSid = 0;

  constructor(port: number, { settings, seconds, times, statuses, take }: TestLinkOptions = {}) {
    super();
    this.#take = take ?? (async () => {});
    const account = { systemId: "alice", password: "secret", validity: "off" };
    const named = linkSettings.parse({ name: "test", host: "127.0.0.1", port, ...account, ...settings });
    const changed = (fields: object, fact: string) => this.#changed(fields, fact);
    const order = { carrier: "bob", settings: { ...named, ...seconds }, statuses, run: "run" };
    this.link = new SmppLink(order, this, {
      log: {
        debug: changed,
        info: changed,
        warn: changed,
        error: ({ error }, fact) => this.faults.push(`${fact}: ${error}`),
      },
      now: () => Date.now(),
      elapsedMs: () => performance.now(),
      random: () => (FIRST_REFERENCE - 1) / 0x10000,
      secret: () => undefined,
      times: { ...QUICK_TIMES, ...times },
    });
    this.link.start();
  }

  async receipt(receipt: CarrierReceipt): Promise<void> {
    this.receipts.push(receipt);
    this.ring();
    await this.#take();
  }

  async part(part: InboundPart): Promise<void> {
    this.parts.push(part);
    this.ring();
    await this.#take();
  }

  late({ message, outcome }: Omit<SettledMessage, "at">): void {
    this.lateAnswers.push([message.sid, outcome]);
    this.ring();
  }

  /** Collects the states of a link from its log entries. */
  #changed(fields: object, fact: string): void {
    if (fact !== "link changed") return;
    this.states.push((fields as LinkState).kind);
    this.ring();
  }

  freed(): void {
    this.freedCount++;
    this.ring();
  }

  async bound(): Promise<this> {
    await this.until(() => this.link.state.kind === "bound");
    return this;
  }

  submit(text: string | Partial<Outgoing>): Promise<SubmitOutcome> {
    const given = typeof text === "string" ? { text } : text;
    return new Promise((resolve) => {
      this.link.submit(outgoing({ sid: `OM${++this.#lastSid}`, ...given }), resolve);
    });
  }
}

/** One connection of the SMSC. */
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

  /** Stops reading. */
  turnDeaf(): void {
    this.#socket.pause();
  }

  /** Octets written that the link has not read. */
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

/** Accepts every bind and answers what keeps a session alive; the test's `answer` handles the rest. */
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

  /**
   * The newest bound connection that was opened after `after`: a link whose bind took too long has left earlier ones
   * behind.
   */
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
