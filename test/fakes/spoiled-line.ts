// A proxy to PostgreSQL that makes chosen statements fail, each once: it reads what clients send, finds the statement,
// and injects the fault.
//
//   kill   both ends are cut as the statement arrives: it may be carried out, or not
//   cut    the statement is carried out, and its response is lost: the client's end is cut instead
//   delay  the statement is carried out, and its response arrives after the client has given up
//
// PostgreSQL notices late that a client is gone, as when a network drops packets: a statement that the client has given
// up continues.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import type { ConnectionSettings } from "../../src/adapters/store/engine/database.ts";

export const FAULTS = ["kill", "cut", "delay"] as const;
export type Fault = (typeof FAULTS)[number];

export interface SpoiledLine {
  /** The database through this proxy. */
  readonly url: string;
  /** The texts of all statements that passed. */
  readonly seen: ReadonlySet<string>;
  /** Injects a fault into the next statement of each text. */
  spoil(faults: ReadonlyMap<string, Fault>): void;
  /** Faults that were not injected yet. */
  readonly left: ReadonlyMap<string, Fault>;
  close(): Promise<void>;
}

/** Parses the messages of a client, after the first, which has no type. */
class ClientMessages {
  readonly #prepared = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;

  /** The texts of the statements that these octets execute. */
  *read(chunk: Buffer): Generator<string> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const typeLength = this.#isStarted ? 1 : 0;
      if (this.#rest.length < typeLength + 4) return;
      const length = typeLength + this.#rest.readUInt32BE(typeLength);
      if (this.#rest.length < length) return;
      const [type, body] = [this.#rest.toString("latin1", 0, typeLength), this.#rest.subarray(typeLength + 4, length)];
      this.#rest = this.#rest.subarray(length);
      this.#isStarted = true;
      const [first = "", second = ""] = body.toString("utf8").split("\0", 2);
      if (type === "P") this.#prepared.set(first, second);
      if (type === "B") yield this.#prepared.get(second) ?? "";
      // A commit contains its deadline.
      if (type === "Q") yield first.replace(/'[\d:TZ.-]+'/g, "'…'");
    }
  }
}

/** `to` is a PostgreSQL on this machine; `delayMs` is longer than its clients' timeouts. */
export async function openSpoiledLine(to: ConnectionSettings, delayMs: number): Promise<SpoiledLine> {
  const { host, port, user, database } = to;
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const seen = new Set<string>();
  const left = new Map<string, Fault>();
  const later = (run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, delayMs);
    timers.add(timer);
  };
  const server = createServer((outer) => {
    const inner = dial(`${host}/.s.PGSQL.${port}`);
    const messages = new ClientMessages();
    let fault: Fault | undefined;
    let kept: Buffer[] | undefined;
    const cut = () => {
      outer.destroy();
      inner.destroy();
    };
    const delay = () => {
      kept = [];
      later(() => {
        for (const chunk of kept ?? []) outer.write(chunk);
        kept = undefined;
      });
    };
    outer.on("data", (chunk: Buffer) => {
      for (const text of messages.read(chunk)) {
        seen.add(text);
        fault ??= left.get(text);
        if (fault) left.delete(text);
      }
      inner.write(chunk);
      if (fault === "kill") cut();
      if (fault === "delay" && !kept) delay();
    });
    inner.on("data", (chunk: Buffer) => {
      if (kept) kept.push(chunk);
      // A statement has ended when PostgreSQL is ready for the next one.
      else if (fault !== "cut") outer.write(chunk);
      else if (chunk.includes(READY)) cut();
    });
    for (const socket of [outer, inner]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    inner.on("close", () => outer.destroy());
    outer.on("close", () => later(() => inner.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    seen,
    left,
    spoil(faults) {
      for (const [text, fault] of faults) left.set(text, fault);
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
