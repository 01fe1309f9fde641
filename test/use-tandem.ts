// The server that a test file uses, started before its tests and stopped after them, with a database on the shared
// PostgreSQL.
//
// `useTandem()` is for tests that need no settings of their own: they share a running server with the files before and
// after them, and call it as an account of the file's own. `useTandem({ … })` starts a server for the file alone.

import { afterAll, beforeAll } from "vitest";
import type { Database } from "../src/adapters/store/engine/database.ts";
import { newAccount } from "./contract/account.ts";
import { dropDatabase, newDatabase, sharedTandem } from "./shared-database.ts";
import { callsTo, startTandem, type Tandem, type TandemApi, type TandemOrder } from "./tandem.ts";
import { databaseOf } from "./tandem-database.ts";

/** Filled by a `beforeAll`, so that later hooks and all tests can use it. */
export type UsedTandem<Parts extends TandemApi = TandemApi> = Parts & {
  /** The server's own database, behind the API. */
  readonly database: Database;
};

interface UseOrder extends TandemOrder {
  /** For tests of the server's built-in PostgreSQL. */
  readonly hasOwnPostgres?: boolean;
}
type Order = UseOrder | (() => UseOrder | Promise<UseOrder>);

export function useTandem(): UsedTandem;
export function useTandem(order: Order): UsedTandem<Tandem>;
export function useTandem(order?: Order): UsedTandem {
  const used = {} as UsedTandem;
  let own: Tandem | undefined;
  beforeAll(async () => {
    own = order && (await startOnShared(typeof order === "function" ? await order() : order));
    Object.assign(used, own ?? (await asNewAccount()));
    Object.assign(used, { database: databaseOf(used) });
  });
  afterAll(async () => {
    await used.database?.close();
    await own?.stop();
  });
  return used;
}

/** A server with its own database, which is dropped when it is stopped unless it was given. */
export async function startOnShared({ hasOwnPostgres = false, ...order }: UseOrder = {}): Promise<Tandem> {
  if (hasOwnPostgres || order.databaseUrl !== undefined) return startTandem(order);
  const databaseUrl = await newDatabase();
  const tandem = await startTandem({ ...order, databaseUrl });
  return {
    ...tandem,
    async stop() {
      const code = await tandem.stop();
      await dropDatabase(databaseUrl);
      return code;
    },
  };
}

async function asNewAccount(): Promise<TandemApi> {
  const shared = await sharedTandem();
  const { sid: accountSid, token } = await newAccount({ ...shared, ...callsTo(shared) });
  const own = { ...shared, accountSid, token };
  return { ...own, ...callsTo(own) };
}
