// The whole server on PostgreSQL as Debian ships it, which compiles expensive plans (JIT). That takes a second or more,
// and our plans have high cost estimates by design (store/engine/session.ts).

import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newMessenger, newSender, send } from "./contract/messages.ts";
import { startHealthy } from "./faults/webhook-receivers.ts";
import { connectionTo } from "./shared-database.ts";
import { useTandem } from "./use-tandem.ts";

const tandem = useTandem();

/** A session that has compiled a plan has loaded the compiler. One that has ended counts as not having done so. */
function hasCompiled({ pid }: { readonly pid: number }): boolean {
  try {
    return readFileSync(`/proc/${pid}/maps`, "utf8").includes("llvmjit");
  } catch {
    return false;
  }
}

test("a session that leaves PostgreSQL's settings alone compiles a plan that finds no index", async () => {
  const client = new pg.Client(connectionTo(tandem.databaseUrl));
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("set enable_seqscan = off");
  await client.query("select count(*) from sending_lease");
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  expect(rows.map(hasCompiled)).toEqual([true]);
});

test("no session of a server that sends messages and delivers events has compiled one", async () => {
  const account = await newMessenger(tandem);
  const sender = await newSender(tandem, tandem.database, account);
  const receiver = await startHealthy();
  onTestFinished(() => receiver.close());
  await send(account, { From: sender.number, To: "+12125550100", Text: "Hi", CallbackUrlOverride: receiver.url });
  await receiver.whenReceived(2);
  const sessions = await tandem.database.query<{ pid: number; name: string }>(
    `select pid, application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'tandem %' order by pid`,
  );
  expect(sessions.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringContaining("tandem sender")]));
  expect(sessions.filter(hasCompiled)).toEqual([]);
});
