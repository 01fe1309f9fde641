// A proxy to PostgreSQL that stops a statement at a point of its way, and lets the test decide what happens then: its
// client is killed, its response is lost, or it commits long after its client has given up.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import type { ConnectionSettings } from "../../src/adapters/store/engine/database.ts";
import { type Executed, type Message, Messages, Statements } from "./postgres-messages.ts";

/** PostgreSQL has not got it; has carried it out, but not committed it; has committed it, but it is not answered. */
export const POINTS = ["arrived", "executed", "committed"] as const;
export type Point = (typeof POINTS)[number];

export interface StoppingLine {
  /** The database through this proxy. */
  readonly url: string;
  /** Stops the next statement that has one of these names. */
  stop(names: readonly string[], point: Point): Promise<StoppedStatement>;
  close(): Promise<void>;
}

export interface StoppedStatement {
  /** Resolves when its client has closed the connection. */
  readonly abandoned: Promise<unknown>;
  /** Resolves when it is committed, although its client may be gone, or when PostgreSQL has ended the session. */
  goOn(): Promise<void>;
  /** Cuts the connection. */
  cut(): void;
}

interface Stop {
  readonly names: readonly string[];
  readonly point: Point;
  readonly reached: (stopped: StoppedStatement) => void;
}

/** Makes PostgreSQL send what it has to say although nothing is committed yet. */
const FLUSH = Buffer.from([0x48, 0, 0, 0, 4]);
const [SYNC, COMMAND_COMPLETE, READY, ERROR] = ["S", "C", "Z", "E"];

/** A statement on one week of messages has the name of their partition, too (messaging/message-weeks.ts). */
const withoutWeek = (name: string) => name.split(" ")[0] as string;

/** The first message of a client, changed so that PostgreSQL does not end a stopped transaction too soon. */
function patient(startup: Buffer): Buffer {
  const text = startup.toString("latin1");
  return Buffer.from(
    text.replace(
      /(idle_in_transaction_session_timeout\0)(\d+)/,
      (_, name: string, ms: string) => name + "9".repeat(ms.length),
    ),
    "latin1",
  );
}

/** The connection of one client. */
class Line {
  readonly #outer: Socket;
  readonly #inner: Socket;
  readonly #statements = new Statements();
  readonly #stops: Set<Stop>;
  #stop: Stop | undefined;
  #isReached = false;
  /** What PostgreSQL, and what the client does not get for now. */
  #heldIn: Buffer[] | undefined;
  #heldOut: Buffer[] | undefined;
  #onReady: (() => void) | undefined;

  constructor(outer: Socket, inner: Socket, stops: Set<Stop>) {
    this.#outer = outer;
    this.#inner = inner;
    this.#stops = stops;
    const [fromClient, fromServer] = [new Messages("client"), new Messages("server")];
    outer.on("data", (chunk: Buffer) => {
      inner.cork();
      for (const message of fromClient.read(chunk)) this.#passIn(message);
      inner.uncork();
    });
    inner.on("data", (chunk: Buffer) => {
      for (const message of fromServer.read(chunk)) this.#passOut(message);
    });
    inner.on("close", () => outer.destroy());
    // PostgreSQL does not notice that the client is gone while a statement is stopped.
    outer.on("close", () => this.#stop ?? inner.destroy());
    for (const socket of [outer, inner]) socket.on("error", () => undefined);
  }

  cut(): void {
    this.#outer.destroy();
    this.#inner.destroy();
  }

  #passIn({ octets, ...rest }: Message): void {
    const message = { ...rest, octets: rest.type === "" ? patient(octets) : octets };
    const executed = this.#statements.executedBy(message);
    if (executed && !this.#stop) this.#begin(executed);
    if (this.#stop?.point === "executed" && message.type === SYNC && !this.#heldIn) {
      this.#heldIn = [];
      this.#inner.write(FLUSH);
    }
    if (this.#heldIn) this.#heldIn.push(message.octets);
    else this.#inner.write(message.octets);
  }

  #begin({ name }: Executed): void {
    const stop = [...this.#stops].find(({ names }) => names.includes(withoutWeek(name)));
    if (!stop) return;
    this.#stops.delete(stop);
    this.#stop = stop;
    if (stop.point === "arrived") {
      this.#heldIn = [];
      this.#reached();
    } else this.#heldOut = [];
  }

  #passOut(message: Message): void {
    if (this.#heldOut) this.#heldOut.push(message.octets);
    else this.#outer.write(message.octets);
    if (this.#stop && !this.#isReached && message.type === ERROR) this.#skip(this.#stop);
    const { point } = this.#stop ?? {};
    if (point === "executed" && message.type === COMMAND_COMPLETE) this.#reached();
    if (message.type !== READY) return;
    if (point === "committed") this.#reached();
    this.#onReady?.();
  }

  /** A statement that PostgreSQL refuses is not the one that was meant: the next one is stopped. */
  #skip(stop: Stop): void {
    this.#stops.add(stop);
    this.#release();
  }

  #release(): void {
    this.#stop = undefined;
    this.#isReached = false;
    for (const octets of this.#heldIn?.splice(0) ?? []) this.#inner.write(octets);
    for (const octets of this.#heldOut?.splice(0) ?? []) this.#outer.write(octets);
    this.#heldIn = undefined;
    this.#heldOut = undefined;
    if (this.#outer.destroyed) this.#inner.destroy();
  }

  #reached(): void {
    this.#isReached = true;
    const abandoned = this.#outer.destroyed ? Promise.resolve() : once(this.#outer, "close");
    this.#stop?.reached({ abandoned, goOn: () => this.#goOn(), cut: () => this.cut() });
  }

  async #goOn(): Promise<void> {
    if (this.#stop?.point !== "committed") {
      const ready = new Promise<void>((resolve) => {
        this.#onReady = resolve;
      });
      for (const octets of this.#heldIn?.splice(0) ?? []) this.#inner.write(octets);
      this.#heldIn = undefined;
      if (!this.#inner.destroyed) await Promise.race([ready, once(this.#inner, "close")]);
    }
    this.#release();
  }
}

/** `to` is a PostgreSQL on this machine. */
export async function openStoppingLine({ host, port, user, database }: ConnectionSettings): Promise<StoppingLine> {
  const stops = new Set<Stop>();
  const lines = new Set<Line>();
  const server = createServer((outer) => {
    const line = new Line(outer, dial(`${host}/.s.PGSQL.${port}`), stops);
    lines.add(line);
    outer.on("close", () => lines.delete(line));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    stop: (names, point) => new Promise((reached) => stops.add({ names, point, reached })),
    async close() {
      for (const line of lines) line.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
