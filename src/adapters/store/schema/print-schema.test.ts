import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { printSchema } from "./print-schema.ts";

test("sql/schema.sql is the schema of a new database; npm run schema writes it", async () => {
  const url = await newDatabase();
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  const text = await printSchema(client);
  await client.end();
  await dropDatabase(url);
  expect(readFileSync(new URL("../../../../sql/schema.sql", import.meta.url), "utf8")).toBe(text);
});
