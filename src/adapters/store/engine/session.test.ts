import { expect, onTestFinished, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { newDatabase } from "../../../../test/shared-database.ts";
import { Database } from "./database.ts";
import { HeldConnection } from "./held-connection.ts";
import { sessionSettings } from "./session.ts";

/** The setting and its source: PostgreSQL's own configuration, or the client when it connected. */
const JIT = "select setting, source from pg_settings where name = 'jit'";
const OFF_BY_US = { setting: "off", source: "client" };

const addresses = async () => {
  const url = await newDatabase();
  return [url, `${url}?options=${encodeURIComponent("-c jit=on -c search_path=public")}`];
};

test("sessions of a pool compile no plans, whatever the address or the pool sets beside that", async () => {
  for (const connectionString of await addresses()) {
    for (const options of [undefined, "-c enable_seqscan=off"]) {
      const db = new Database({ connectionString }, silent, { connectionsMax: 1, ...(options && { options }) });
      onTestFinished(() => db.close());
      expect(await db.query(JIT)).toEqual([OFF_BY_US]);
      expect(await db.query("show enable_seqscan")).toEqual([{ enable_seqscan: options ? "off" : "on" }]);
    }
  }
});

test("nor does a session that is held", async () => {
  for (const connectionString of await addresses()) {
    const seen: object[] = [];
    const held = new HeldConnection({
      settings: { connectionString },
      name: "test",
      log: silent,
      opened: async (client) => void seen.push(...(await client.query<object>(JIT)).rows),
    });
    onTestFinished(() => held.close());
    await held.open();
    expect(seen).toEqual([OFF_BY_US]);
  }
});

test("an address keeps everything else that it says", () => {
  const settings = {
    connectionString: "postgres://u:p%40ss@%2Frun%2Fpg:5432/db?sslmode=disable&options=-c%20a%3Db%3F",
  };
  const { connectionString = "" } = sessionSettings(settings, "-c c=d");
  expect(connectionString).toMatch(/^postgres:\/\/u:p%40ss@%2Frun%2Fpg:5432\/db\?/);
  expect(Object.fromEntries(new URL(connectionString).searchParams)).toEqual({
    sslmode: "disable",
    options: "-c a=b? -c jit=off -c c=d",
  });
});
