// The deadline that every statement carries: a parameter that its text does not use, of a type whose values must not
// have passed (the domain `statement_deadline`). PostgreSQL checks it when it binds the parameters, before it does
// anything else. A statement that lay in a socket while PostgreSQL hung, and whose caller has timed out, is therefore
// refused when PostgreSQL resumes, and so is a commit. The deadline is a time of PostgreSQL's own clock, which every
// session reads when it is opened.

import pg from "pg";
import type { NamedStatement } from "./named-statements.ts";
import { IS_READ_ONLY, type MayBeReadOnly, readOnlyFault } from "./read-only.ts";

interface Session {
  /** PostgreSQL's clock minus our monotonic one, or a little less. */
  readonly aheadMs: number;
  /** Number of other parameters → types of all of them, as PostgreSQL's PARSE message lists them. */
  readonly types: number[][];
  readonly type: number;
}

/** Of the time within which a statement has to begin: how exactly PostgreSQL's clock should be known. */
const INEXACT_SHARE = 0.1;
/** So often it is read by a process that is held up while it waits for the answer. */
const READS_MAX = 5;

/** PostgreSQL infers the type. */
const ANY_TYPE = 0;

const LEARN = `
select to_regtype('statement_deadline')::oid as type, (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
       ${IS_READ_ONLY}`;

interface Learnt extends MayBeReadOnly {
  readonly type: number | null;
  readonly nowMs: number;
}

export class SessionDeadlines {
  readonly beginMs: number;
  readonly #sessions = new WeakMap<pg.ClientBase, Session>();

  /** `beginMs`: the time within which a statement has to begin. */
  constructor(beginMs: number) {
    this.beginMs = beginMs;
  }

  /**
   * To be called before any other statement on a new session. A database without the type gets no deadlines; in a
   * session that is read-only it throws.
   */
  async learn(client: pg.ClientBase): Promise<void> {
    let aheadMs = Number.NEGATIVE_INFINITY;
    for (let reads = 1; reads <= READS_MAX; reads++) {
      const askedMs = performance.now();
      const { rows } = await client.query<Learnt>(LEARN);
      const answeredMs = performance.now();
      const [row] = rows;
      if (row?.isReadOnly) throw readOnlyFault();
      if (!row || row.type === null) return;
      // The clock was read a moment before, so deadlines are slightly too early rather than too late.
      aheadMs = Math.max(aheadMs, row.nowMs - answeredMs);
      this.#sessions.set(client, { type: row.type, types: [], aheadMs });
      if (answeredMs - askedMs <= this.beginMs * INEXACT_SHARE) return;
    }
  }

  query<Row extends object>(
    client: pg.ClientBase,
    statement: string | NamedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const session = this.#sessions.get(client);
    return new Promise((resolve, reject) => {
      const config = {
        ...(typeof statement === "string" ? { text: statement } : statement),
        values: session ? [...values, this.#deadlineOf(session)] : [...values],
      };
      client.query(
        new TypedQuery<Row>(config, session && typesOf(session, values.length), (fault, result) =>
          fault ? reject(fault) : resolve(result.rows),
        ),
      );
    });
  }

  commit(client: pg.ClientBase): string {
    const session = this.#sessions.get(client);
    return session ? `select '${this.#deadlineOf(session)}'::statement_deadline; commit` : "commit";
  }

  #deadlineOf({ aheadMs }: Session): string {
    return new Date(performance.now() + aheadMs + this.beginMs).toISOString();
  }
}

/** The statement was not executed. */
export function isDeadlinePassed(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && fault.code === "23514" && fault.dataType === "statement_deadline";
}

function typesOf({ types, type }: Session, count: number): readonly number[] {
  types[count] ??= [...Array<number>(count).fill(ANY_TYPE), type];
  return types[count];
}

/** The driver passes `types` on to PostgreSQL, but has no option for it. */
class TypedQuery<Row extends object> extends pg.Query<Row> {
  readonly types: readonly number[] | undefined;

  constructor(
    config: pg.QueryConfig,
    types: readonly number[] | undefined,
    done: (fault: Error | undefined, result: { readonly rows: Row[] }) => void,
  ) {
    super(config, done);
    this.types = types;
  }
}
