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
import { Messages, Statements } from "./postgres-messages.ts";

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
    const messages = new Messages("client");
    const statements = new Statements();
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
      for (const message of messages.read(chunk)) {
        const executed = statements.executedBy(message);
        if (!executed) continue;
        seen.add(executed.text);
        fault ??= left.get(executed.text);
        if (fault) left.delete(executed.text);
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
