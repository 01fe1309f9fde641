// What is in the database, by PostgreSQL's own catalogues: tables with the columns that are written, in an order in
// which they can be filled, and the values that sequences have reached.

import pg from "pg";

export interface TableShape {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
  readonly partitions: readonly string[];
}

export interface SequenceState {
  readonly name: string;
  readonly lastValue: string;
  readonly isCalled: boolean;
}

interface FoundTable extends TableShape {
  /** The tables that its rows refer to. */
  readonly parents: readonly string[];
}

/** SQL: excludes what extensions brought, which may be in the same schema. */
const OURS = `relnamespace = (select oid from pg_namespace where nspname = current_schema())
              and not exists (select from pg_depend
                               where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e')`;

/** Parents come before children. Without unlogged tables, which are transient, and the schema's own steps. */
export async function listTables(client: pg.ClientBase): Promise<readonly TableShape[]> {
  const { rows } = await client.query<FoundTable>(
    `select relname as name,
            array(select attname::text from pg_attribute
                   where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
            array(select child.relname::text from pg_inherits join pg_class as child on child.oid = inhrelid
                   where inhparent = class.oid order by child.relname) as partitions,
            array(select distinct parent.relname::text from pg_constraint join pg_class as parent on parent.oid = confrelid
                   where contype = 'f' and conrelid = class.oid and confrelid <> class.oid) as parents
       from pg_class as class
      where ${OURS} and relkind in ('r', 'p') and not relispartition and relpersistence = 'p' and relname <> 'schema_steps'
      order by relname`,
  );
  return parentsFirst(rows);
}

function parentsFirst(tables: readonly FoundTable[]): readonly TableShape[] {
  const placed = new Map<string, TableShape>();
  while (placed.size < tables.length) {
    const next = tables.filter(
      ({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)),
    );
    if (next.length === 0) throw new Error("tables refer to each other in a circle, and cannot be filled in any order");
    for (const { name, columns, partitions } of next) placed.set(name, { name, columns, partitions });
  }
  return [...placed.values()];
}

export async function listSequences(client: pg.ClientBase): Promise<readonly SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class as class where ${OURS} and relkind = 'S' order by relname`,
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<Omit<SequenceState, "name">>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    );
    states.push(...found.map((state) => ({ name, ...state })));
  }
  return states;
}

/** The names of some relations in the database; none when it is empty. */
export async function listContents(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    // Indexes and composite types do not belong to the extension that made them; an index has its table.
    `select relname as name from pg_class as class
      where ${OURS} and relkind not in ('i', 'I', 'c') order by relname limit 3`,
  );
  return rows.map(({ name }) => name);
}
