import { expect, onTestFinished, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { newDatabase } from "../../../../test/shared-database.ts";
import { Database } from "./database.ts";
import { HeldConnection } from "./held-connection.ts";

const addresses = async () => {
  const url = await newDatabase();
  return [url, `${url}?options=${encodeURIComponent("-c jit=on -c search_path=public")}`];
};

test("sessions of a pool compile no plans, and have its settings, whatever the address sets", async () => {
  for (const connectionString of await addresses()) {
    for (const parameters of [{}, { enable_seqscan: "off" }]) {
      const db = new Database({ connectionString, waitMs: 5_000 }, silent, { connectionsMax: 1, parameters });
      onTestFinished(() => db.close());
      expect(await db.query("show jit")).toEqual([{ jit: "off" }]);
      expect(await db.query("show enable_seqscan")).toEqual([{ enable_seqscan: "on", ...parameters }]);
      expect(await db.query("show statement_timeout")).toEqual([{ statement_timeout: "3s" }]);
      expect(await db.query("show idle_in_transaction_session_timeout")).toEqual([
        { idle_in_transaction_session_timeout: "5s" },
      ]);
    }
  }
});

test("a session that is held compiles no plans either", async () => {
  for (const connectionString of await addresses()) {
    const seen: object[] = [];
    const held = new HeldConnection({
      settings: { connectionString },
      name: "test",
      log: silent,
      opened: async (client) => void seen.push(...(await client.query<object>("show jit")).rows),
    });
    onTestFinished(() => held.close());
    await held.open();
    expect(seen).toEqual([{ jit: "off" }]);
  }
});
