// A scripted MMS centre for tests, command by command, and a link whose listener keeps everything it receives.

import { once } from "node:events";
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { type LinkTimes, Mm4Link, type Mm4LinkListener } from "../../src/adapters/mm4/mm4-link.ts";
import { mm4Settings } from "../../src/adapters/mm4/mm4-settings.ts";
import type { Clock } from "../../src/base/clock.ts";
import { ok } from "../../src/base/result.ts";
import type {
  CarrierReceipt,
  InboundMms,
  LinkState,
  Media,
  MediaFetcher,
  MmsVerdict,
  Outgoing,
  SettledMessage,
  SubmitOutcome,
} from "../../src/domain/messaging/index.ts";
import { Happenings } from "./happenings.ts";
import { outgoing } from "./outgoing.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface PeerMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly connection: number;
}

/** `early` is a DATA without recipients; `dot` is the end of a mail; `chunk` is a piece of one before its end. */
type Step =
  | "early"
  | "connect"
  | "EHLO"
  | "AUTH"
  | "MAIL"
  | "RCPT"
  | "DATA"
  | "chunk"
  | "dot"
  | "RSET"
  | "QUIT"
  | "STARTTLS";

/**
 * The response to a step, or: the connection is cut, nothing is sent, or a little is sent again and again and never
 * all. Undefined is the usual response.
 */
type Saying = string | "cut" | "silence" | "dribble" | undefined;
export type Script = (step: Step, text: string, connection: number) => Saying;

const USUAL: Readonly<Record<Step, string>> = {
  connect: "220 peer ESMTP",
  EHLO: "250-peer\r\n250-PIPELINING\r\n250 SIZE 3000000",
  AUTH: "235 welcome",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go ahead",
  early: "503 nobody to send it to",
  chunk: "silence",
  dot: "250 taken",
  RSET: "250 ok",
  QUIT: "221 bye",
  STARTTLS: "502 no",
};

export class Peer extends Happenings {
  readonly mails: PeerMail[] = [];
  connections = 0;
  open = 0;
  openMax = 0;
  script: Script = () => undefined;
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  static async start(port = 0): Promise<Peer> {
    const peer = new Peer();
    peer.#server.listen(port, "127.0.0.1");
    await once(peer.#server, "listening");
    return peer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all open connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(socket: Socket): void {
    const connection = ++this.connections;
    this.#sockets.add(socket);
    this.openMax = Math.max(this.openMax, ++this.open);
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.open -= 1;
      this.ring();
    });
    const say = (step: Step, text = ""): boolean => {
      const saying = this.script(step, text, connection) ?? USUAL[step];
      if (saying === "cut") socket.destroy();
      else if (saying === "dribble") dribble(socket, "250-more\r\n");
      else if (saying !== "silence") socket.write(`${saying}\r\n`);
      this.ring();
      return saying !== "cut" && /^[23]/.test(saying);
    };
    let kept = "";
    let mail: { from: string; to: string[] } | undefined;
    let isData = false;
    say("connect");
    socket.on("data", (chunk) => {
      kept += chunk.toString("latin1");
      while (!socket.destroyed) {
        if (isData) {
          const end = kept.startsWith(".\r\n") ? 0 : kept.indexOf("\r\n.\r\n") + 2;
          if (end === 1) {
            say("chunk", kept);
            return;
          }
          const text = kept.slice(0, end);
          kept = kept.slice(end + 3);
          isData = false;
          const { from, to } = mail ?? { from: "", to: [] };
          if (say("dot", text)) this.mails.push({ from, to, text, connection });
          this.ring();
          continue;
        }
        const lineEnd = kept.indexOf("\r\n");
        if (lineEnd === -1) return;
        const line = kept.slice(0, lineEnd);
        kept = kept.slice(lineEnd + 2);
        const step = line.slice(0, line.search(/[ :]|$/)).toUpperCase() as Step;
        const isDone = say(step === "DATA" && mail?.to.length === 0 ? "early" : step, line);
        if (step === "MAIL" && isDone) mail = { from: /<(.*?)>/.exec(line)?.[1] ?? "", to: [] };
        if (step === "RCPT" && isDone) mail?.to.push(/<(.*?)>/.exec(line)?.[1] ?? "");
        if (step === "DATA" && isDone) isData = true;
        if (step === "QUIT") socket.end();
      }
    });
  }
}

const DRIBBLE_MS = 5;

/** Sends this again and again until the connection ends. */
function dribble(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIBBLE_MS);
  socket.once("close", () => clearInterval(timer));
}

export const QUICK_TIMES: Partial<LinkTimes> = { connectMsMax: 2000, takeMsMax: 2000, retryMsMin: 5, retryMsMax: 40 };

interface TestLinkOptions {
  readonly settings?: Record<string, unknown>;
  readonly listen?: Record<string, unknown>;
  readonly times?: Partial<LinkTimes>;
  /** Awaited before a message or a receipt counts as accepted. */
  readonly take?: () => Promise<MmsVerdict>;
  readonly clock?: Clock;
  /** Instead of the media of the messages themselves. */
  readonly fetch?: MediaFetcher["fetch"];
}

/** An MMS with its media. */
export interface TestMms extends Outgoing {
  readonly media: readonly Media[];
}

let lastSid = 0;

export const testMms = ({ media = [], ...rest }: Partial<TestMms> = {}): TestMms => {
  const sid = `OM${String(++lastSid).padStart(32, "0")}`;
  const mediaUrls = media.map((_, index) => `https://media.example/${sid}/${index}`);
  const numbers = { from: "+15551230001", recipients: ["+15559870002"] };
  return { ...outgoing({ sid, ...numbers, text: "look at this", mediaUrls, ...rest }), media };
};

export class TestLink extends Happenings implements Mm4LinkListener {
  readonly inbounds: InboundMms[] = [];
  readonly receipts: CarrierReceipt[] = [];
  readonly lateAnswers: [string, SubmitOutcome][] = [];
  readonly states: LinkState["kind"][] = [];
  freedCount = 0;
  readonly #submitted = new Map<string, TestMms>();
  #take: () => Promise<MmsVerdict> = async () => "taken";
  #link: Mm4Link | undefined;

  static async open(peerPort: number, options: TestLinkOptions = {}): Promise<TestLink> {
    const { settings, listen, times, take, clock = new VirtualClock(new Date("2026-05-04T03:02:01Z")) } = options;
    const listener = new TestLink();
    const { fetch = async (url: string) => ok(listener.#mediaAt(url)) } = options;
    if (take) listener.#take = take;
    const silent = () => {};
    const changed = (fields: object, fact: string) => listener.#changed(fields, fact);
    const named = mm4Settings.parse({
      name: "carrier",
      host: "127.0.0.1",
      port: peerPort,
      ourHost: "us.example",
      peerHost: "them.example",
      responseSeconds: 300,
      listen: { port: 0, allowedNetworks: ["127.0.0.0/8"], ...listen },
      ...settings,
    });
    listener.#link = await Mm4Link.open({ carrier: "them", settings: named }, listener, {
      media: { fetch },
      recipientsOf: async (_, carrierId) => listener.#submitted.get(carrierId.split("@")[0] ?? "")?.recipients ?? [],
      clock,
      log: { debug: changed, info: changed, warn: changed, error: silent },
      random: Math.random,
      secret: (name) => (name === "MM4_PASSWORD" ? "sesame" : undefined),
      times: { ...QUICK_TIMES, ...times },
    });
    return listener;
  }

  get link(): Mm4Link {
    if (!this.#link) throw new Error("not open");
    return this.#link;
  }

  submit(mms: TestMms): Promise<SubmitOutcome> {
    this.#submitted.set(mms.sid, mms);
    return new Promise((resolve) => this.link.submit(mms, resolve));
  }

  async mms(mms: InboundMms): Promise<MmsVerdict> {
    this.inbounds.push(mms);
    this.ring();
    return await this.#take();
  }

  async receipt(receipt: CarrierReceipt): Promise<void> {
    this.receipts.push(receipt);
    this.ring();
    await this.#take();
  }

  late({ message, outcome }: Omit<SettledMessage, "at">): void {
    this.lateAnswers.push([message.sid, outcome]);
    this.ring();
  }

  freed(): void {
    this.freedCount += 1;
    this.ring();
  }

  close(): Promise<void> {
    return this.link.close();
  }

  /** Collects the states of a link from its log entries. */
  #changed(fields: object, fact: string): void {
    if (fact !== "link changed") return;
    this.states.push((fields as LinkState).kind);
    this.ring();
  }

  #mediaAt(url: string): Media {
    const [sid = "", index = ""] = url.split("/").slice(-2);
    const media = this.#submitted.get(sid)?.media[Number(index)];
    if (!media) throw new Error(`no media at ${url}`);
    return media;
  }
}

/** A client that sends exactly what a test gives it. */
export class Talk {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  static async with(port: number): Promise<Talk> {
    const socket = connectTcp(port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    return new Talk(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = replies(socket);
  }

  say(text: string | Uint8Array): void {
    this.#socket.write(text);
  }

  /** Sends octets that never become a line. */
  dribble(): void {
    dribble(this.#socket, "x");
  }

  /** The last line of the next response; empty when the connection has ended. */
  async hear(): Promise<string> {
    const next = await this.#lines.next();
    return next.done ? "" : next.value;
  }

  async ask(line: string): Promise<string> {
    this.say(`${line}\r\n`);
    return await this.hear();
  }

  /** Returns the response to DATA, or the first refusal. */
  async beginMail(to: readonly string[]): Promise<string> {
    let heard = await this.ask("MAIL FROM:<system-user@them.example>");
    for (const address of to) if (heard.startsWith("250")) heard = await this.ask(`RCPT TO:<${address}>`);
    return heard.startsWith("250") ? await this.ask("DATA") : heard;
  }

  /** Returns the response to the final dot, or the first refusal. */
  async mail(to: readonly string[], text: string): Promise<string> {
    const heard = await this.beginMail(to);
    return heard.startsWith("354") ? await this.ask(`${text}\r\n.`) : heard;
  }

  end(): void {
    this.#socket.destroy();
  }
}

async function* replies(socket: Socket): AsyncGenerator<string> {
  let kept = "";
  for await (const chunk of chunksUntilEnd(socket)) {
    kept += String(chunk);
    for (let end = kept.indexOf("\r\n"); end !== -1; end = kept.indexOf("\r\n")) {
      const line = kept.slice(0, end);
      kept = kept.slice(end + 2);
      if (line[3] !== "-") yield line;
    }
  }
}

/** Ends with the connection, also when it breaks. */
async function* chunksUntilEnd(socket: Socket): AsyncGenerator<unknown> {
  try {
    yield* socket;
  } catch {
    // The connection was cut.
  }
}
