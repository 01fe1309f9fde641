// Databases of the PostgreSQL that all files of a test run share. Each is new, belongs to its caller, and has the
// current schema.

import { inject } from "vitest";
import type { PostgresConnection } from "../src/adapters/postgres/postgres-owner.ts";
import type { TandemApi } from "./tandem.ts";

/** Returns its URL. */
export function newDatabase(kind: "schema" | "empty" = "schema"): Promise<string> {
  return askRun("POST", `/databases?${kind}`);
}

/** The same, for tests that connect by themselves. */
export function connectionTo(url: string): PostgresConnection {
  const { hostname, port, username, pathname } = new URL(url);
  return {
    host: decodeURIComponent(hostname),
    port: Number(port),
    user: username,
    database: pathname.slice(1),
    ssl: false,
  };
}

/** Disconnects all of its clients. */
export function dropDatabase(url: string): Promise<void> {
  return askRun("DELETE", `/databases?database=${encodeURIComponent(url)}`);
}

/** The server that the test files of this process share. */
export function sharedTandem(): Promise<Omit<TandemApi, "get" | "operator">> {
  return askRun("POST", `/tandem?worker=${process.pid}`);
}

async function askRun<Answer>(method: string, path: string): Promise<Answer> {
  const response = await fetch(inject("testRunUrl") + path, { method });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}
