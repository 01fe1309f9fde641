import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { notify } from "./channels.ts";
import { type ListenerOrder, newListener } from "./listener.ts";

const UNTIL = { timeout: 120_000 };
const store = useWebhookStore();

async function listen(order: Partial<ListenerOrder> = {}) {
  const line = await openDatabaseLine(store.connection);
  let reloads = 0;
  const reload = async () => void reloads++;
  const settings = { connectionString: line.url, waitMs: 30_000 };
  const listener = newListener(settings, { channels: {}, reload, ...order }, silent);
  onTestFinished(async () => {
    line.release();
    await listener.close();
    await line.close();
  });
  await listener.open();
  return { line, listener, reloads: () => reloads };
}

test("while nothing is heard, what is held in memory is not current, and when it is heard again it is", async () => {
  const { line, listener, reloads } = await listen();
  expect(listener.isCurrent()).toBe(true);
  line.hold("tandem listener");
  await expect.poll(() => listener.isCurrent(), UNTIL).toBe(false);
  line.release();
  await expect.poll(() => listener.isCurrent(), UNTIL).toBe(true);
  expect(reloads(), "the session was only late").toBe(1);
});

test("a session that was lost loads everything again before it is current", async () => {
  const { listener, reloads } = await listen();
  const client = new pg.Client(store.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'tandem listener %'",
  );
  await expect.poll(() => listener.isCurrent() && reloads(), UNTIL).toBe(2);
});

test("a notification that is still being handled is not yet known", async () => {
  let finish: () => void = () => undefined;
  const news = () => new Promise<void>((resolve) => (finish = resolve));
  const { listener } = await listen({ channels: { news } });
  await notify(store.db, "news");
  await expect.poll(() => listener.isCurrent(), UNTIL).toBe(false);
  finish();
  await expect.poll(() => listener.isCurrent(), UNTIL).toBe(true);
});
