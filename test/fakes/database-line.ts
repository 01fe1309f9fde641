// A proxy to PostgreSQL whose connections can be cut, and held: nothing passes and neither end is notified, as when a
// network drops packets or a database hangs. What was sent meanwhile arrives after the release, even when the sender
// has given up by then, because it was in a socket buffer.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import type { ConnectionSettings } from "../../src/adapters/store/engine/database.ts";

export interface DatabaseLine {
  /** The database through this proxy. */
  readonly url: string;
  /** From now on nothing passes on connections, open or new, whose application name begins with `name`. */
  hold(name: string): void;
  /** From now on nothing passes on connections that are opened later. */
  holdNew(): void;
  /** Nothing passes on any connection once a client has sent this text. */
  holdFrom(text: string): void;
  isHeld(): boolean;
  /** Ends all connections, and every new one, until the release. */
  cut(): void;
  release(): void;
  close(): Promise<void>;
}

/** One direction of a connection. */
class Pipe {
  readonly #to: Socket;
  readonly #isHeld: () => boolean;
  #kept: Buffer[] = [];
  #isOver = false;

  constructor(to: Socket, isHeld: () => boolean) {
    this.#to = to;
    this.#isHeld = isHeld;
  }

  pass(chunk: Buffer): void {
    this.#kept.push(chunk);
    this.flush();
  }

  end(): void {
    this.#isOver = true;
    this.flush();
  }

  flush(): void {
    if (this.#isHeld()) return;
    for (const chunk of this.#kept.splice(0)) this.#to.write(chunk);
    if (this.#isOver) this.#to.end();
  }
}

/** `to` is a PostgreSQL on this machine. */
export async function openDatabaseLine(to: ConnectionSettings): Promise<DatabaseLine> {
  const { host, port, user, database } = to;
  const sockets = new Set<Socket>();
  const pipes = new Set<Pipe>();
  let held: string | undefined;
  let heldFrom: string | undefined;
  let isHoldingNew = false;
  let isCut = false;
  const server = createServer((outer) => {
    outer.on("error", () => undefined);
    if (isCut) {
      outer.destroy();
      return;
    }
    const inner = dial(`${host}/.s.PGSQL.${port}`);
    let name = "";
    const isNewlyHeld = isHoldingNew;
    const isHeld = () => (isNewlyHeld && isHoldingNew) || (held !== undefined && name.startsWith(held));
    const [inward, outward] = [new Pipe(inner, isHeld), new Pipe(outer, isHeld)];
    // The first message names the application.
    outer.once("data", (chunk: Buffer) => {
      name = /application_name\0([^\0]*)/.exec(chunk.toString("latin1"))?.[1] ?? "";
    });
    for (const [from, pipe] of [[outer, inward] as const, [inner, outward] as const]) {
      sockets.add(from);
      pipes.add(pipe);
      from.on("error", () => undefined);
      from.on("data", (chunk: Buffer) => {
        if (from === outer && heldFrom !== undefined && chunk.includes(heldFrom)) held = "";
        pipe.pass(chunk);
      });
      from.on("close", () => {
        sockets.delete(from);
        pipe.end();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    hold(name) {
      held = name;
    },
    holdNew() {
      isHoldingNew = true;
    },
    holdFrom(text) {
      heldFrom = text;
    },
    isHeld: () => held !== undefined,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    release() {
      held = undefined;
      heldFrom = undefined;
      isHoldingNew = false;
      isCut = false;
      for (const pipe of pipes) pipe.flush();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
