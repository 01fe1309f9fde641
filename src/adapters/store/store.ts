// The store as the rest of the program sees it: everything readable, everything writable in one transaction, and after a commit
// the directory of who may sign in is up to date in this process before the caller is answered.

import type { Log } from "../../base/log.ts";
import type { SecretBox } from "../secrets.ts";
import { accountStore } from "./accounts.ts";
import { auditLog } from "./audit-log.ts";
import { type ConnectionSettings, Database, type Queryable } from "./database.ts";
import { featureRequestStore } from "./feature-requests.ts";
import { inventoryStore } from "./inventory.ts";
import { claimAnswer, keepAnswer, releaseClaim } from "./kept-answers.ts";
import { Listener } from "./listener.ts";
import { operatorTokenStore } from "./operator-tokens.ts";
import { overrideStore } from "./overrides.ts";
import { ACCOUNT_CHANGED, OPERATORS_CHANGED, SignInDirectory } from "./sign-in-directory.ts";

export interface StoreDeps {
  readonly settings: ConnectionSettings;
  readonly box: SecretBox;
  readonly log: Log;
}

export async function openStore({ settings, box, log }: StoreDeps) {
  const db = new Database(settings, log);
  const directory = new SignInDirectory(db);
  const listener = new Listener(
    settings,
    {
      channels: {
        [ACCOUNT_CHANGED]: (sid) => directory.loadAccount(sid),
        [OPERATORS_CHANGED]: () => directory.loadOperators(),
      },
      connected: () => directory.loadAll(),
    },
    log,
  );
  await listener.open();

  const unitOver = (queryable: Queryable, touched: Set<string>) => ({
    accounts: accountStore(queryable, async (sid) => {
      touched.add(sid);
      await queryable.query("select pg_notify($1, $2)", [ACCOUNT_CHANGED, sid]);
    }),
    featureRequests: featureRequestStore(queryable),
    operatorTokens: operatorTokenStore(queryable, async () => {
      touched.add(OPERATORS_CHANGED);
      await queryable.query("select pg_notify($1, '')", [OPERATORS_CHANGED]);
    }),
    inventory: inventoryStore(queryable),
    overrides: overrideStore(queryable),
    audit: auditLog(queryable),
    keepAnswer: (claim: Parameters<typeof keepAnswer>[2], answer: Parameters<typeof keepAnswer>[3]) =>
      keepAnswer(queryable, box, claim, answer),
  });

  return {
    ...unitOver(db, new Set()),
    db,
    directory,
    async transaction<Value>(work: (unit: ReturnType<typeof unitOver>) => Promise<Value>): Promise<Value> {
      const touched = new Set<string>();
      const value = await db.transaction((queryable) => work(unitOver(queryable, touched)));
      for (const sid of touched) {
        if (sid === OPERATORS_CHANGED) await directory.loadOperators();
        else await directory.loadAccount(sid);
      }
      return value;
    },
    claimAnswer: (order: Parameters<typeof claimAnswer>[2]) => claimAnswer(db, box, order),
    releaseClaim: (claim: Parameters<typeof releaseClaim>[1]) => releaseClaim(db, claim),
    async close(): Promise<void> {
      await listener.close();
      await db.close();
    },
  };
}

export type OpenStore = Awaited<ReturnType<typeof openStore>>;
