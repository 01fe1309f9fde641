import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { applySchema } from "../schema/apply-schema.ts";
import { SCHEMA } from "../schema/index.ts";
import type { AppliedStep, SchemaStep } from "../schema/schema-step.ts";
import { listTables } from "./catalogue.ts";
import { TableRestore } from "./restore-tables.ts";

const FILE = `ME${"0".repeat(32)}`;
const DIGEST = "ab".repeat(32);

let urls: string[] = [];
let client: pg.Client;
beforeEach(open);
afterEach(async () => {
  await client.end();
  for (const url of urls) await dropDatabase(url);
  urls = [];
});

async function open(): Promise<void> {
  const url = await newDatabase("empty");
  urls.push(url);
  client = new pg.Client(connectionTo(url));
  await client.connect();
}

/** Begins to restore a backup of a database with these steps. */
async function restoreOf(steps: readonly SchemaStep[]) {
  await applySchema(client, steps);
  const { rows } = await client.query<AppliedStep>("select name, checksum from schema_steps order by name");
  const shapes = await listTables(client);
  await client.end();
  await open();
  return { shapes, restore: await TableRestore.begin(client, { steps: rows, nextPosition: 1n, sequences: [] }) };
}

test.each([
  ["a data directory", "here"],
  ["S3", null],
])("the files of a backup belong to where they are restored: %s", async (_where, host) => {
  const { shapes, restore } = await restoreOf(SCHEMA);
  const shape = shapes.find(({ name }) => name === "stored_media");
  if (!shape) throw new Error("the table is missing");
  const copy = await restore.fill({ ...shape, columns: ["file", "host", "uses", "due_at"] });
  const rows = [`${FILE}1\tthere`, `${FILE}2\telsewhere`, `${FILE}3\t\\N`, `${DIGEST}\t\\N`];
  await copy.write(Buffer.from(rows.map((row) => `${row}\t0\t2026-11-18 07:00:00+00\n`).join("")));
  await copy.end();
  await restore.moveRawFiles("there", "here");
  await restore.moveMedia(host);
  await restore.finish();
  await restore.commit();
  const stored = await client.query<{ host: string | null }>("select host from stored_media order by file like 'ME%'");
  expect(stored.rows.map((row) => row.host)).toEqual([null, host, host, host]);
});

test("a backup from before files of media were noted is restored in another data directory", async () => {
  const { restore } = await restoreOf(SCHEMA.slice(0, 1));
  await restore.moveRawFiles("there", "here");
  await restore.moveMedia("here");
  await restore.finish();
  await restore.commit();
});
