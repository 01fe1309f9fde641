// Fills an empty database from a backup, in one transaction: all of it or nothing.

import pg from "pg";
import { type CopyIn, copyIn } from "../engine/copy.ts";
import { queryableOver } from "../engine/database.ts";
import { SCHEMA_LOCK } from "../engine/locks.ts";
import { makeNamedPartitions } from "../engine/partitions.ts";
import { repeatSteps } from "../schema/apply-schema.ts";
import { SCHEMA } from "../schema/index.ts";
import { listContents, listTables, type SequenceState, type TableShape } from "./catalogue.ts";
import { goOnFrom } from "./event-positions.ts";
import { ourSession } from "./session.ts";
import type { SnapshotFacts } from "./snapshot.ts";

/** The facts of a snapshot that are not in its tables. */
export type RestoredFacts = Omit<SnapshotFacts, "tables" | "keyCheck">;

/** The database is not empty, or the backup does not match the schema that it names. */
export class UnfitDatabase extends Error {
  override readonly name = "UnfitDatabase";
}

export class TableRestore {
  readonly #client: pg.ClientBase;
  readonly #facts: RestoredFacts;
  readonly #shapes: ReadonlyMap<string, TableShape>;

  /** Begins the transaction and creates the tables. A server that starts meanwhile waits until it ends. */
  static async begin(client: pg.ClientBase, facts: RestoredFacts): Promise<TableRestore> {
    await ourSession(client);
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
    const contents = await listContents(client);
    if (contents.length > 0) throw new UnfitDatabase(`The database is not empty: it has ${contents.join(", ")}.`);
    await repeatSteps(client, facts.steps, SCHEMA);
    const tables = await listTables(client);
    // Some steps of the schema insert rows.
    if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => identifier(name)).join(", ")}`);
    return new TableRestore(client, facts, new Map(tables.map((table) => [table.name, table])));
  }

  private constructor(client: pg.ClientBase, facts: RestoredFacts, shapes: ReadonlyMap<string, TableShape>) {
    this.#client = client;
    this.#facts = facts;
    this.#shapes = shapes;
  }

  /** Begins to fill a table; its rows are written as PostgreSQL's COPY produced them. */
  async fill({ name, columns, partitions }: TableShape): Promise<CopyIn> {
    const shape = this.#shapes.get(name);
    if (!shape || [...shape.columns].sort().join() !== [...columns].sort().join()) {
      throw new UnfitDatabase(`The backup's table ${name} is not the one of its schema.`);
    }
    await makeNamedPartitions(queryableOver(this.#client), name, partitions);
    return copyIn(this.#client, `copy ${identifier(name)} (${columns.map(identifier).join(", ")}) from stdin`);
  }

  /** Assigns recordings whose raw files have moved to another data directory. */
  async moveRawFiles(from: string, to: string): Promise<void> {
    if (from === to) return;
    await this.#client.query("update recording_segments set raw_host = $2 where raw_host = $1", [from, to]);
    await this.#client.query("update removed_segments set raw_host = $2 where raw_host = $1", [from, to]);
  }

  /** Assigns the files of media to where they are now: a data directory, or null for S3. */
  async moveMedia(to: string | null): Promise<void> {
    // Backups of earlier builds lack the table.
    if (!this.#shapes.has("stored_media")) return;
    await this.#client.query("update stored_media set host = $1 where file like 'ME%'", [to]);
  }

  /** Does everything that remains before the commit. */
  async finish(): Promise<void> {
    const { sequences, nextPosition } = this.#facts;
    for (const sequence of sequences) await setSequence(this.#client, sequence);
    await goOnFrom(this.#client, nextPosition);
    const names = [...this.#shapes.keys()];
    if (names.length > 0) await this.#client.query(`analyze ${names.map(identifier).join(", ")}`);
  }

  async commit(): Promise<void> {
    await this.#client.query("commit");
  }
}

async function setSequence(client: pg.ClientBase, { name, lastValue, isCalled }: SequenceState): Promise<void> {
  await client.query("select setval($1::regclass, $2::bigint, $3)", [identifier(name), lastValue, isCalled]);
}

const identifier = (name: string) => pg.escapeIdentifier(name);
