// The demo account of the sandbox.

import { digestOfToken, tokenMaker } from "../../adapters/secrets.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import { systemClock } from "../../base/clock.ts";
import { makeIds } from "../../base/ids.ts";
import { addToken, createAccount, FEATURES, type TokenRights } from "../../domain/accounts/index.ts";
import { readDemoEnv } from "./demo-env.ts";
import { seedDemoNumbers } from "./demo-numbers.ts";

export interface DemoAccount {
  readonly sid: string;
  /** Undefined when both of its tokens were made elsewhere. */
  readonly token: string | undefined;
  /** The first of its numbers; undefined when it has none left. */
  readonly number: string | undefined;
}

/** A program written for Twilio verifies signatures with the same token that it signs in with. */
const RIGHTS: TokenRights = { signs: true, toolWrites: false };

type Access = Pick<DemoAccount, "sid" | "token">;

/** The account of the last start while it exists, otherwise a new one. An account that never had numbers gets some. */
export async function demoAccount(store: OpenStore, dataDir: string, now: Date): Promise<DemoAccount> {
  const { sid, token } = (await keptAccount(store, dataDir, now)) ?? (await newAccount(store, now));
  if (!(await firstNumber(store, sid)) && !(await firstNumber(store, sid, "Removed"))) {
    await store.transaction((unit) => seedDemoNumbers(unit, sid, now));
  }
  return { sid, token, number: await firstNumber(store, sid) };
}

/**
 * With a new token if the last one was deleted and the account may have another. The token of the last start is known,
 * so it is made a signing token if it was not one, or if its sealed text can no longer be opened.
 */
async function keptAccount(store: OpenStore, dataDir: string, now: Date): Promise<Access | undefined> {
  const known = readDemoEnv(dataDir);
  const sid = known.get("TANDEM_ACCOUNT_SID") ?? "";
  const token = known.get("TANDEM_TOKEN") ?? "";
  if (await store.directory.account(sid, token)) {
    await store.accounts.keepSigningText(sid, { text: token, digest: digestOfToken(token) });
    return { sid, token };
  }
  if (!(await store.accounts.find(sid))) return undefined;
  const added = await store.transaction(({ accounts }) => addToken({ accounts, tokens: tokenMaker, now }, sid, RIGHTS));
  return { sid, token: added.ok ? added.value.token : undefined };
}

const TICKET_MS = 24 * 3_600_000;

/** For a link that signs in once. Undefined without a token, because the session belongs to the token. */
export async function newTicket(store: OpenStore, { sid, token }: DemoAccount, now: Date): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const { text, digest } = tokenMaker.make();
  const expiresOn = new Date(now.getTime() + TICKET_MS);
  await store.sessions.addTicket({ digest, expiresOn }, sid, digestOfToken(token));
  return text;
}

async function newAccount(store: OpenStore, now: Date): Promise<Access> {
  const { account, token } = await store.transaction((unit) =>
    createAccount(
      { accounts: unit.accounts, tokens: tokenMaker, ids: makeIds(systemClock), now },
      { name: "Demo", features: FEATURES, limitChanges: {}, allowedCountries: null, country: null },
      RIGHTS,
    ),
  );
  return { sid: account.sid, token };
}

async function firstNumber(store: OpenStore, sid: string, status?: "Removed"): Promise<string | undefined> {
  const page = await store.phones.list(sid, { size: 1, direction: "Ascending" }, { status });
  return page.items[0]?.number;
}
