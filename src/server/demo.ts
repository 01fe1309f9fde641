// The demo account of the sandbox and data/demo.env, where its credentials are kept from one start to the next.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenMaker } from "../adapters/secrets.ts";
import type { OpenStore } from "../adapters/store/store.ts";
import { systemClock } from "../base/clock.ts";
import { makeIds } from "../base/ids.ts";
import { createAccount, FEATURES } from "../domain/accounts/index.ts";

export interface DemoAccount {
  readonly sid: string;
  readonly token: string;
}

const FILE = "demo.env";

export function readDemoEnv(dataDir: string): ReadonlyMap<string, string> {
  try {
    const lines = readFileSync(join(dataDir, FILE), "utf8").split("\n");
    return new Map(
      lines.flatMap((line) => {
        const match = /^([A-Z_]+)=(.*)$/.exec(line);
        return match ? [[match[1] as string, match[2] as string]] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

export function writeDemoEnv(dataDir: string, values: Readonly<Record<string, string>>): void {
  const text = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  const path = join(dataDir, FILE);
  writeFileSync(`${path}.new`, text.join(""), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The account of the last start if it still signs in, else a new one. */
export async function demoAccount(store: OpenStore, dataDir: string, now: Date): Promise<DemoAccount> {
  const known = readDemoEnv(dataDir);
  const sid = known.get("TANDEM_ACCOUNT_SID") ?? "";
  const token = known.get("TANDEM_TOKEN") ?? "";
  if (await store.directory.account(sid, token)) return { sid, token };
  const made = await store.transaction((unit) =>
    createAccount(
      { accounts: unit.accounts, tokens: tokenMaker, ids: makeIds(systemClock), now },
      { name: "Demo", features: FEATURES, limitChanges: {}, allowedCountries: null },
    ),
  );
  return { sid: made.account.sid, token: made.token };
}
