import pg from "pg";
import { expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { listContents, listSequences, listTables } from "./catalogue.ts";

test("what extensions brought is not ours: a database that has nothing else is empty", async () => {
  const url = await newDatabase("empty");
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  await client.query("create extension pg_stat_statements");
  await client.query("create table samples (id bigserial primary key)");
  expect(await listContents(client)).toEqual(["samples", "samples_id_seq"]);
  await client.query("alter extension pg_stat_statements add table samples");
  await client.query("alter extension pg_stat_statements add sequence samples_id_seq");
  expect(await listContents(client)).toEqual([]);
  expect(await listTables(client)).toEqual([]);
  expect(await listSequences(client)).toEqual([]);
  await client.end();
  await dropDatabase(url);
});
