// PgBouncer in front of PostgreSQL: in transaction mode a start is refused with what to do, in session mode it works.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Database } from "../../src/adapters/store/engine/database.ts";
import { refuseTransactionPooler } from "../../src/server/main/refuse-pooler.ts";
import { openDatabaseLine } from "../fakes/database-line.ts";
import { silent } from "../fakes/silent-log.ts";
import { ownPort } from "../own-port.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { requirePeer } from "./peer.ts";

const program = requirePeer("pgbouncer", "pgbouncer");

describe.skipIf(!program)("a database behind PgBouncer", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  /** Returns the address of the database through PgBouncer. */
  async function startPgBouncer(mode: "session" | "transaction"): Promise<string> {
    const databaseUrl = await newDatabase();
    ends.push(() => dropDatabase(databaseUrl));
    const { user, database } = connectionTo(databaseUrl);
    // PgBouncer does not run as root, and others may not reach the socket.
    const line = await openDatabaseLine(connectionTo(databaseUrl));
    ends.push(() => line.close());
    const directory = mkdtempSync(join(tmpdir(), "tandem-pgbouncer-"));
    chmodSync(directory, 0o755);
    ends.push(() => rmSync(directory, { recursive: true }));
    const own = await ownPort();
    writeFileSync(
      join(directory, "pgbouncer.ini"),
      `[databases]
${database} = host=127.0.0.1 port=${new URL(line.url).port} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
    );
    const asRoot = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const child: ChildProcess = spawn(program ?? "", ["-q", ...asRoot, join(directory, "pgbouncer.ini")]);
    ends.push(async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    });
    await vi.waitUntil(() => isOpen(own), { timeout: 120_000 });
    return `postgres://${user}@127.0.0.1:${own}/${database}`;
  }

  async function judge(mode: "session" | "transaction"): Promise<void> {
    const settings = { connectionString: await startPgBouncer(mode) };
    const client = new pg.Client(settings);
    await client.connect();
    try {
      await refuseTransactionPooler(client, settings);
    } finally {
      await client.end();
    }
  }

  test("is refused in transaction mode, with what to do", async () => {
    await expect(judge("transaction")).rejects.toThrow(/set pool_mode = session/);
  });

  test("is taken in session mode, with our settings in its sessions", async () => {
    await expect(judge("session")).resolves.toBeUndefined();
    const connectionString = await startPgBouncer("session");
    const db = new Database({ connectionString, waitMs: 5_000 }, silent, { parameters: { enable_seqscan: "off" } });
    ends.push(() => db.close());
    const settings = ["jit", "enable_seqscan", "statement_timeout", "idle_in_transaction_session_timeout"];
    const made = await db.query<{ name: string; setting: string }>(
      "select name, setting from pg_settings where name = any($1)",
      [settings],
    );
    expect(Object.fromEntries(made.map(({ name, setting }) => [name, setting]))).toEqual({
      jit: "off",
      enable_seqscan: "off",
      statement_timeout: "3000",
      idle_in_transaction_session_timeout: "5000",
    });
    expect(
      await db.query("select application_name as name from pg_stat_activity where pid = pg_backend_pid()"),
    ).toEqual([{ name: `tandem ${process.pid}` }]);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
