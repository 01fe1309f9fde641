// The demo account of the sandbox.

import { digestOfToken, tokenMaker } from "../../adapters/secrets.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import { systemClock } from "../../base/clock.ts";
import { makeIds } from "../../base/ids.ts";
import { createAccount, FEATURES } from "../../domain/accounts/index.ts";
import { readDemoEnv } from "./demo-env.ts";
import { seedDemoNumbers } from "./demo-numbers.ts";

export interface DemoAccount {
  readonly sid: string;
  readonly token: string;
  /** The first of its numbers; undefined when it has none left. */
  readonly number: string | undefined;
}

/** The account of the last start if it still signs in, else a new one. An account that never had numbers gets some. */
export async function demoAccount(store: OpenStore, dataDir: string, now: Date): Promise<DemoAccount> {
  const known = readDemoEnv(dataDir);
  const kept = { sid: known.get("TANDEM_ACCOUNT_SID") ?? "", token: known.get("TANDEM_TOKEN") ?? "" };
  const { sid, token } = (await store.directory.account(kept.sid, kept.token)) ? kept : await newAccount(store, now);
  if (!(await firstNumber(store, sid)) && !(await firstNumber(store, sid, "Removed"))) {
    await store.transaction((unit) => seedDemoNumbers(unit, sid, now));
  }
  return { sid, token, number: await firstNumber(store, sid) };
}

const TICKET_MS = 24 * 3_600_000;

/** For a link that signs in once. */
export async function newTicket(store: OpenStore, { sid, token }: DemoAccount, now: Date): Promise<string> {
  const { text, digest } = tokenMaker.make();
  const expiresOn = new Date(now.getTime() + TICKET_MS);
  await store.sessions.addTicket({ digest, expiresOn }, sid, digestOfToken(token));
  return text;
}

async function newAccount(store: OpenStore, now: Date): Promise<{ readonly sid: string; readonly token: string }> {
  const { account, token } = await store.transaction((unit) =>
    createAccount(
      { accounts: unit.accounts, tokens: tokenMaker, ids: makeIds(systemClock), now },
      { name: "Demo", features: FEATURES, limitChanges: {}, allowedCountries: null },
    ),
  );
  return { sid: account.sid, token };
}

async function firstNumber(store: OpenStore, sid: string, status?: "Removed"): Promise<string | undefined> {
  const page = await store.phones.list(sid, { size: 1, direction: "Ascending" }, { status });
  return page.items[0]?.number;
}
