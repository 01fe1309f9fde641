// Two servers on one database, of which one has live calls. If it is cut off from the database and comes back, it keeps
// them. If it is killed or frozen, the other one ends them: each event is reported once, and both parties of each call
// get their BYE. A server that was frozen finds out when it goes on.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { CALL_LOCKS } from "../../src/adapters/store/engine/locks.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { type DatabaseLine, openDatabaseLine } from "../fakes/database-line.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "../peers/peer.ts";
import { type Sipp, startSipp } from "../peers/sipp.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { countOf, expectToldOnce } from "./ended-calls.ts";
import { LONG_TIMEOUT_MS } from "./form.ts";

const program = requirePeer("sipp", "sip-tester");
const CALLS = 4;

describe.skipIf(!program)("two servers", () => {
  let scratch: string;
  let databaseUrl: string;
  let database: Database;
  /** Between the database and the server that has the calls. */
  let line: DatabaseLine;
  let environment: Readonly<Record<string, string>>;
  let carrierPort: number;
  /** Stays in order. */
  let other: Tandem;
  let account: TestAccount;
  let number: string;
  let holder: Tandem;
  let sipPort: number;
  const running: Sipp[] = [];

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), "tandem-two-"));
    databaseUrl = await newDatabase();
    database = databaseOf({ databaseUrl });
    line = await openDatabaseLine(connectionTo(databaseUrl));
    const common = { TANDEM_CONFIG: writeConfig(await ownPort()), TANDEM_DRAIN_SECONDS: "1" };
    other = await startTandem({ databaseUrl, environment: { ...common, TANDEM_SIP_PORT: String(await ownPort()) } });
    environment = {
      ...common,
      TANDEM_SECRET_KEY: readFileSync(join(other.dataDir, "secret.key"), "utf8").trim(),
      TANDEM_OPERATOR_TOKEN: other.operatorToken,
    };
    const limits = { read: WIDE, write: WIDE, concurrentCalls: WIDE };
    account = await newAccount(other, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(other);
    await take(account, number);
    const voice = json("PUT", { callsForwardedTo: "+14155550199" });
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, voice), 200);
  });
  afterAll(async () => {
    await other.stop();
    await line.close();
    await database.close();
    await dropDatabase(databaseUrl);
    rmSync(scratch, { recursive: true });
  });

  /** The carrier of each test has a port of its own: a BYE that is repeated late would reach the next one. */
  function writeConfig(port: number): string {
    const trunk = { name: "carrier", host: "127.0.0.1", port, sources: ["127.0.0.1"], optionsSeconds: 0 };
    const path = join(scratch, `${port}.json`);
    writeFileSync(path, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
    return path;
  }

  beforeEach(async () => {
    [sipPort, carrierPort] = [await ownPort(), await ownPort()];
    holder = await startTandem({
      databaseUrl: line.url,
      environment: { ...environment, TANDEM_CONFIG: writeConfig(carrierPort), TANDEM_SIP_PORT: String(sipPort) },
    });
  });
  afterEach(async () => {
    line.release();
    for (const sipp of running.splice(0)) await sipp.stop();
    await holder.stop();
  });

  /** Calls of the server, which stay up until they are ended. Both ends say whether each of them got its BYE. */
  async function beginCalls() {
    const begin = (order: Omit<Parameters<typeof startSipp>[0], "program" | "calls">) => {
      const sipp = startSipp({ program: program ?? "", calls: CALLS, ...order });
      running.push(sipp);
      return sipp;
    };
    const callee = begin({ scenario: "callee", port: carrierPort });
    await callee.listening();
    const remote = `127.0.0.2:${sipPort}`;
    const caller = begin({ scenario: "dropped-caller", port: await ownPort(), remote, service: number, rate: CALLS });
    await expect.poll(() => countOf(account, "Answered"), SOON).toBe(CALLS);
    return { caller, callee };
  }

  type Calls = Awaited<ReturnType<typeof beginCalls>>;

  async function areEndedByTheOther({ caller, callee }: Calls): Promise<void> {
    expect(await caller.exited, caller.report()).toBe(0);
    expect(await callee.exited, callee.report()).toBe(0);
    await expect.poll(() => countOf(account, "Answered"), SOON).toBe(0);
    await expectToldOnce(account);
  }

  const callsOf = async ({ url }: Tandem) => {
    const answer = await fetch(`${url}/readyz`);
    return ((await answer.json()) as { calls: number }).calls;
  };

  /** The sessions that hold leases of calls. */
  const leases = () =>
    database.query<{ id: number; pid: number }>(
      `select objid::bigint::int as id, pid from pg_locks
        where locktype = 'advisory' and granted and objsubid = 2 and classid = ${CALL_LOCKS}
          and database = (select oid from pg_database where datname = current_database()) order by id`,
    );

  test(
    "one that is cut off from the database and comes back keeps its calls, and one that is killed leaves them to the other",
    async () => {
      const calls = await beginCalls();
      const before = await leases();
      expect(before).toHaveLength(2);
      line.cut();
      await expect.poll(async () => (await leases()).length, SOON).toBe(1);
      line.release();
      await expect.poll(async () => (await leases()).map(({ id }) => id), SOON).toEqual(before.map(({ id }) => id));
      expect(await leases()).not.toEqual(before);
      expect(await callsOf(holder)).toBe(CALLS);
      expect(await countOf(account, "Answered")).toBe(CALLS);

      await holder.kill();
      await areEndedByTheOther(calls);
    },
    LONG_TIMEOUT_MS,
  );

  test(
    "one that is frozen leaves its calls to the other, and finds out when it goes on",
    async () => {
      const calls = await beginCalls();
      expect(await callsOf(holder)).toBe(CALLS);
      process.kill(holder.pid, "SIGSTOP");
      try {
        await areEndedByTheOther(calls);
      } finally {
        process.kill(holder.pid, "SIGCONT");
      }
      await expect.poll(() => callsOf(holder), SOON).toBe(0);
      await expect.poll(async () => (await leases()).length, SOON).toBe(2);
      await expectToldOnce(account);
    },
    LONG_TIMEOUT_MS,
  );
});
