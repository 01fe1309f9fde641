// Which server owns the built-in database. Guarantees: one server per cluster. The server that holds the session
// advisory lock, on a connection named `tandem server <pid>`, owns the cluster and its postmaster, even if another
// process started that. PostgreSQL releases the lock with the connection, so a killed server owns nothing.

import pg from "pg";
import { isAlive, startedAt } from "./process-facts.ts";

// The first number spells "TAND". Changes of the schema lock the pair (…, 2).
const lockClass = 0x54414e44;
const lockObject = 1;
const connectMsMax = 5_000;
const endLeftoversMsMax = 1_000;
// Clocks of the kernel and of PostgreSQL agree to about a second.
const startSlackMs = 2_000;

export interface PostgresConnection {
  /** The directory of the unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

export interface Ownership {
  readonly client: pg.Client;
  readonly postmasterPid: number;
}

export type Claim =
  | { readonly kind: "owned"; readonly ownership: Ownership }
  /** `living` is false while the connection of a dead server is still being cleared away. */
  | { readonly kind: "held"; readonly pid: number | undefined; readonly living: boolean }
  /** PostgreSQL runs but accepts no connections: it starts, stops or recovers. */
  | { readonly kind: "busy" }
  | { readonly kind: "absent" };

export class DataDirInUseError extends Error {
  readonly pid: number | undefined;

  constructor(dataDir: string, pid: number | undefined) {
    super(
      pid === undefined
        ? `Another Tandem server is using the data directory ${dataDir}.`
        : `Another Tandem server (pid ${pid}) is using the data directory ${dataDir}.`,
    );
    this.name = "DataDirInUseError";
    this.pid = pid;
  }
}

export async function claim(connection: PostgresConnection): Promise<Claim> {
  const client = new pg.Client({
    ...connection,
    application_name: `tandem server ${process.pid}`,
    connectionTimeoutMillis: connectMsMax,
  });
  // Without a listener, losing an idle connection would end the process; `end` follows in every case.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const taken = await client.query<{ owned: boolean; postmaster: string }>(
      `select pg_try_advisory_lock($1, $2) as owned, split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as postmaster`,
      [lockClass, lockObject],
    );
    const [row] = taken.rows;
    if (row?.owned) return { kind: "owned", ownership: { client, postmasterPid: Number(row.postmaster) } };
    const holder = await findHolder(client);
    await client.end();
    return holder;
  } catch (error) {
    await client.end().catch(() => undefined);
    return judge(error as NodeJS.ErrnoException);
  }
}

/** Ends the sessions of a killed server, so that none of them writes while its successor runs. */
export async function endLeftovers(client: pg.Client): Promise<number> {
  const ended = await client.query(
    `select pg_terminate_backend(pid, $1) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and application_name not like 'tandem server %'`,
    [endLeftoversMsMax],
  );
  return ended.rowCount ?? 0;
}

async function findHolder(client: pg.Client): Promise<Claim> {
  const found = await client.query<{ application_name: string; backend_start: Date }>(
    `select application_name, backend_start from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and classid = $1 and objid = $2 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())`,
    [lockClass, lockObject],
  );
  const [holder] = found.rows;
  const pid = Number(/^tandem server (\d+)$/.exec(holder?.application_name ?? "")?.[1]) || undefined;
  const living = pid !== undefined && holder !== undefined && (await isHolder(pid, holder.backend_start));
  return { kind: "held", pid, living };
}

/** A process that started after the connection is not its holder: it reuses the pid of a dead server. */
async function isHolder(pid: number, connectedAt: Date): Promise<boolean> {
  // Our own pid: a broken connection of ours, or one of an earlier server with the same pid.
  if (pid === process.pid || !(await isAlive(pid))) return false;
  const started = await startedAt(pid);
  return started !== undefined && started.getTime() <= connectedAt.getTime() + startSlackMs;
}

function judge(error: NodeJS.ErrnoException): Claim {
  const code = error.code ?? "";
  if (code === "ENOENT" || code === "ECONNREFUSED") return { kind: "absent" };
  // 57P01..57P03: shutting down or starting; 53300: the connections of a killed server still count.
  if (/^57P0[1-3]$/.test(code) || code === "53300") return { kind: "busy" };
  // Disconnected, or no answer in time: PostgreSQL is starting or stopping.
  if (code === "ECONNRESET" || code === "EPIPE") return { kind: "busy" };
  if (code === "" && /timeout|terminated|not queryable/i.test(error.message)) return { kind: "busy" };
  throw error;
}
