import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";

const FOLDER = new URL("../../../../sql/statements/", import.meta.url);

test("every printed statement can be prepared as it stands", async () => {
  const url = await newDatabase();
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  const files = readdirSync(FOLDER);
  for (const file of files) {
    await client.query(`prepare "${file}" as ${readFileSync(new URL(file, FOLDER), "utf8")}`);
  }
  const { rows } = await client.query("select name from pg_prepared_statements");
  await client.end();
  await dropDatabase(url);
  expect(rows).toHaveLength(files.length);
});
