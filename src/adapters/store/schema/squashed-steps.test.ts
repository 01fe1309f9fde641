import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { listTables } from "../backup/catalogue.ts";
import { TableRestore } from "../backup/restore-tables.ts";
import { outdatedFault, schemaFault } from "../backup/snapshot.ts";
import { applySchema, inspectSchema } from "./apply-schema.ts";
import { SCHEMA } from "./index.ts";
import type { AppliedStep, SchemaStep } from "./schema-step.ts";
import { SQUASHED_STEPS } from "./squashed-steps.ts";

const ADVICE =
  /earlier build.*Run the build of commit \w+ on it once.*move the data directory away.*TANDEM_DATABASE_URL/;
const later: SchemaStep = { name: "9999-later", sql: "create table later (value int)" };
const changed = SQUASHED_STEPS.map((step) =>
  step.name === "0301-callbacks" ? { ...step, checksum: "0".repeat(64) } : step,
);

let url: string;
let client: pg.Client;

async function open(): Promise<void> {
  url = await newDatabase("empty");
  client = new pg.Client(connectionTo(url));
  await client.connect();
}

/** Makes the database look as if the squashed steps had made it. */
async function haveSteps(steps: readonly AppliedStep[]): Promise<void> {
  await client.query("delete from schema_steps");
  for (const { name, checksum } of steps) {
    await client.query("insert into schema_steps (name, checksum) values ($1, $2)", [name, checksum]);
  }
  await client.query("insert into stopped_links values ('north', '2026-11-18T07:00Z')");
}

const stepNames = async () =>
  (await client.query<{ name: string }>("select name from schema_steps order by name")).rows.map(({ name }) => name);
const stoppedLinks = async () =>
  (await client.query<{ name: string }>("select name from stopped_links")).rows.map(({ name }) => name);

const FIRST = SCHEMA.slice(0, 1);

beforeEach(async () => {
  await open();
  await applySchema(client, FIRST);
});

afterEach(async () => {
  await client.end();
  await dropDatabase(url);
});

test("a database that all squashed steps have made is taken over with its data, and later steps follow", async () => {
  await haveSteps(SQUASHED_STEPS);
  expect(outdatedFault(SQUASHED_STEPS)).toContain("has not the schema");
  expect(await inspectSchema(client, [...SCHEMA, later])).toEqual({ appliedCount: 1, next: SCHEMA[1] ?? later });
  expect(await applySchema(client, [...SCHEMA, later])).toEqual([...SCHEMA.slice(1), later].map(({ name }) => name));
  expect(await stepNames()).toEqual([...SCHEMA, later].map(({ name }) => name));
  expect(await stoppedLinks()).toEqual(["north"]);
  expect(await applySchema(client, [...SCHEMA, later])).toEqual([]);
});

test.each([
  ["lacks one of them", SQUASHED_STEPS.slice(0, -1)],
  ["has one that was changed", changed],
])("a database that %s is refused, with what to do, and left as it is", async (_, steps) => {
  await haveSteps(steps);
  await expect(applySchema(client, SCHEMA)).rejects.toThrow(ADVICE);
  await expect(inspectSchema(client, SCHEMA)).rejects.toThrow(ADVICE);
  expect(schemaFault(steps)).toMatch(ADVICE);
  expect(await stepNames()).toEqual(steps.map(({ name }) => name));
  expect(await stoppedLinks()).toEqual(["north"]);
});

test("a backup whose manifest lists the squashed steps is restored as one of the first step", async () => {
  const shape = (await listTables(client)).find(({ name }) => name === "stopped_links");
  await client.end();
  await dropDatabase(url);
  await open();
  const restore = await TableRestore.begin(client, { steps: SQUASHED_STEPS, nextPosition: 1n, sequences: [] });
  if (!shape) throw new Error("the table is missing");
  const copy = await restore.fill(shape);
  await copy.write(Buffer.from("north\t2026-11-18 07:00:00+00\n"));
  await copy.end();
  await restore.finish();
  await restore.commit();
  expect(await stepNames()).toEqual([SCHEMA[0]?.name]);
  expect(await stoppedLinks()).toEqual(["north"]);
  await applySchema(client, SCHEMA);
  expect(await stepNames()).toEqual(SCHEMA.map(({ name }) => name));
});
