// kill -9 of the server under writes: what was acknowledged exists after the restart, and what was not acknowledged is
// done once, not twice, when it is repeated under the same Idempotency-Key.

import { randomInt } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const WRITERS = 8;
const ACKNOWLEDGED_BEFORE_KILL_MAX = 300;

interface MadeAccount {
  readonly sid: string;
  readonly name: string;
  readonly token: string;
}

interface Ledger {
  readonly accounts: MadeAccount[];
  /** Number → carrier name. */
  readonly overrides: Map<string, string>;
  /** Names of accounts whose creation was requested and not answered. */
  readonly unanswered: Set<string>;
}

test(
  "nothing acknowledged is lost and nothing is done twice when the server is killed under writes",
  async () => {
    const rounds = roundsOf({ quick: 3, long: 20 });
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-restart-"));
    const ledger: Ledger = { accounts: [], overrides: new Map(), unanswered: new Set() };
    const readyMs: number[] = [];
    let tandem = await startTandem({ dataDir });
    try {
      for (let round = 1; round <= rounds; round++) {
        await writeUntilKilled(tandem, ledger, round);
        const startMs = performance.now();
        tandem = await startTandem({ dataDir });
        readyMs.push(Math.round(performance.now() - startMs));
        await expectEverything(tandem, ledger);
        console.log(
          `round ${round}/${rounds}: ${ledger.accounts.length} accounts, ready again after ${readyMs.at(-1)} ms`,
        );
      }
      expect(ledger.accounts.length).toBeGreaterThan(rounds * 10);
    } finally {
      await tandem.stop();
      forgetTandem(dataDir);
    }
    readyMs.sort((a, b) => a - b);
    console.log(`restart to ready: median ${readyMs[readyMs.length >> 1]} ms, worst ${readyMs.at(-1)} ms`);
  },
  LONG_TIMEOUT_MS,
);

async function writeUntilKilled(tandem: Tandem, ledger: Ledger, round: number): Promise<void> {
  const killAfter = randomInt(20, ACKNOWLEDGED_BEFORE_KILL_MAX);
  let acknowledged = 0;
  let killed: Promise<void> | undefined;
  const write = async (writer: number) => {
    for (let at = 0; ; at++) {
      try {
        await (at % 2 === 0
          ? makeAccount(tandem, ledger, `r${round}w${writer}n${at}`)
          : putOverride(
              tandem,
              ledger,
              `+1415${String(2_000_000 + round * 10_000 + writer * 1000 + at)}`,
              `Carrier ${round}.${at}`,
            ));
      } catch (error) {
        if (killed) return;
        throw error;
      }
      if (++acknowledged === killAfter) killed = tandem.kill();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  await killed;
}

async function makeAccount(tandem: Tandem, ledger: Ledger, name: string): Promise<void> {
  ledger.unanswered.add(name);
  const order = json("POST", { name });
  const answer = await tandem.operator("/operator/v1/Accounts", {
    ...order,
    headers: { ...order.headers, "Idempotency-Key": name },
  });
  const made = (await answer.json()) as MadeAccount;
  expect(answer.status).toBe(201);
  ledger.accounts.push(made);
  ledger.unanswered.delete(name);
}

async function putOverride(tandem: Tandem, ledger: Ledger, number: string, carrierName: string): Promise<void> {
  const body = { type: "Wireless", status: "Active", carrierName };
  const answer = await tandem.operator(`/operator/v1/LookupOverrides/${number}`, json("PUT", body));
  expect(answer.status).toBe(200);
  ledger.overrides.set(number, carrierName);
}

async function expectEverything(tandem: Tandem, ledger: Ledger): Promise<void> {
  for (const name of [...ledger.unanswered]) {
    // A claim of the killed process lasts for its minute. If the process did commit, the response is replayed.
    const known = await listAccounts(tandem);
    const count = known.filter((account) => account.name === name).length;
    expect(count, `${name} was made ${count} times`).toBeLessThanOrEqual(1);
    if (count === 1) await makeAccount(tandem, ledger, name);
    else ledger.unanswered.delete(name);
  }
  const names = (await listAccounts(tandem)).map((account) => account.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { sid, token, name } of ledger.accounts) {
    const answer = await fetch(`${tandem.url}/v1/Account`, { headers: basic(sid, token) });
    expect(answer.status, `${name} cannot sign in any more`).toBe(200);
    expect(((await answer.json()) as MadeAccount).name).toBe(name);
  }
  const overrides = new Map(
    (await listAll(tandem, "/operator/v1/LookupOverrides")).map((entry) => [entry.number, entry.carrierName]),
  );
  for (const [number, carrierName] of ledger.overrides) expect(overrides.get(number)).toBe(carrierName);
}

const listAccounts = (tandem: Tandem) => listAll(tandem, "/operator/v1/Accounts");

async function listAll(tandem: Tandem, path: string): Promise<Record<string, string>[]> {
  const items: Record<string, string>[] = [];
  for (let searchId = ""; ; ) {
    const answer = await tandem.operator(`${path}?PageSize=1000${searchId && `&SearchId=${searchId}`}`);
    const page = (await answer.json()) as { items: Record<string, string>[]; searchId?: string };
    items.push(...page.items);
    if (page.searchId === undefined) return items;
    searchId = page.searchId;
  }
}
