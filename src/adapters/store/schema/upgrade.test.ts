// Databases of earlier versions, as dumps/*.sql, are brought up to date with their rows.

import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { listTables } from "../backup/catalogue.ts";
import { applySchema, listSteps, stepsUpTo } from "./apply-schema.ts";
import { SCHEMA } from "./index.ts";
import { printSchema } from "./print-schema.ts";

const DUMPS = new URL("dumps/", import.meta.url);

async function withDatabase<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function countRows(client: pg.Client): Promise<Readonly<Record<string, number>>> {
  const counts: [string, number][] = [];
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::integer as count from ${name}`);
    counts.push([name, rows[0]?.count ?? 0]);
  }
  return Object.fromEntries(counts);
}

test.each(readdirSync(DUMPS))("a database like %s gets the schema of a new one, and keeps its rows", async (dump) => {
  const url = await newDatabase("empty");
  const fresh = await newDatabase();
  await withDatabase(url, (client) => client.query(readFileSync(new URL(dump, DUMPS), "utf8")));
  await withDatabase(url, async (client) => {
    const applied = stepsUpTo(await listSteps(client), SCHEMA);
    expect(`${applied.at(-1)?.name}.sql`).toBe(dump);
    const before = await countRows(client);
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    const told: string[] = [];
    const missing = SCHEMA.slice(applied.length).map(({ name }) => name);
    expect(await applySchema(client, SCHEMA, (name) => told.push(name))).toEqual(missing);
    expect(told).toEqual(missing);
    expect(await countRows(client)).toMatchObject(before);
    expect(await printSchema(client)).toBe(await withDatabase(fresh, printSchema));
  });
  await dropDatabase(url);
  await dropDatabase(fresh);
});
