// A server that can be killed: owns the database of a data directory until it gets "close".
// argv[2]: JSON with the options. stdin: "start", then "close". stdout: one JSON value a line.

import { createInterface } from "node:readline";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/adapters/postgres/embedded-postgres.ts";
import { DataDirInUseError } from "../../src/adapters/postgres/postgres-owner.ts";

function say(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const log = {
  debug: () => undefined,
  info: (_fields: object, fact: string) => say({ kind: "log", fact }),
  warn: (_fields: object, fact: string) => say({ kind: "log", fact }),
  error: (_fields: object, fact: string) => say({ kind: "log", fact }),
};

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? "{}") as { dataDir: string };
  let server: EmbeddedPostgres | undefined;
  say({ kind: "loaded" });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "start") {
      server = await startEmbeddedPostgres({ ...options, log });
      say({ kind: "ready", pid: server.pid, connection: server.connection });
    }
    if (line === "close") {
      await server?.close();
      say({ kind: "closed" });
      return;
    }
  }
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    say({ kind: "refused", message: error.message, pid: error instanceof DataDirInUseError ? error.pid : undefined });
    process.exit(1);
  },
);
