// The contacts of trunks that register with us. A contact belongs to the process that received its REGISTER; when that
// process is dead, a contact over a connection is deleted (call-lease.ts), and one over UDP waits for a process that
// receives at the same place, which after a restart is the same server.
//
// Guarantees: there are as many rows at most as the trunks may have contacts at each place. Every change is notified.

import type { ContactStore, RegisteredContact, StoredContact } from "../../../domain/voice/index.ts";
import { REGISTRATIONS_CHANGED } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { run } from "../engine/statements.ts";
import type { CallLease } from "./call-lease.ts";

const CONTACTS = table<RegisteredContact>("registrations", {
  trunk: "trunk",
  uri: "uri",
  instance: "instance",
  q: "q float8",
  callId: "call_id",
  cseq: "cseq integer",
  transport: "transport",
  address: "address",
  port: "port integer",
  place: "place",
  expiresOn: "expires_at timestamptz",
});

const NOTIFY = `select pg_notify('${REGISTRATIONS_CHANGED}', trunk) from`;

const LIST = `
select ${CONTACTS.columns},
       case when process is null then 'nobody' when process = $1 then 'us' else 'another' end as holder
  from registrations where expires_at > $2 and ($3::text[] is null or trunk = any ($3))`;

const names = CONTACTS.names.join(", ");
const WRITE = `
with unbound as (
  delete from registrations using ${CONTACTS.only(["trunk", "uri", "place"]).given.replace("$1", "$2")}
   where (registrations.trunk, registrations.uri, registrations.place) = (given.trunk, given.uri, given.place)
  returning registrations.trunk
), bound as (
  insert into registrations (process, ${names}) select $3, ${names} from ${CONTACTS.given}
  on conflict (trunk, uri, place) do update set process = excluded.process, ${CONTACTS.excluded}
  returning trunk
)
${NOTIFY} (select trunk from unbound union select trunk from bound) as changed`;

const ADOPT = `
with adopted as (
  update registrations set process = $1
   where process is null and transport = 'UDP' and place = any ($2) returning trunk
)
${NOTIFY} (select distinct trunk from adopted) as changed`;

const RELEASE = `
with gone as (
  delete from registrations where process = $1 and transport <> 'UDP' returning trunk
), left_behind as (
  update registrations set process = null where process = $1 and transport = 'UDP' returning trunk
)
${NOTIFY} (select trunk from gone union select trunk from left_behind) as changed`;

export class Registrations implements ContactStore {
  readonly #db: Queryable;
  readonly #lease: Pick<CallLease, "id">;
  readonly #now: () => Date;

  constructor(db: Queryable, lease: Pick<CallLease, "id">, now: () => Date) {
    this.#db = db;
    this.#lease = lease;
    this.#now = now;
  }

  list(trunks: readonly string[] | "all"): Promise<readonly StoredContact[]> {
    return this.#db.query<StoredContact>(LIST, [this.#lease.id, this.#now(), trunks === "all" ? null : trunks]);
  }

  async write(bound: readonly RegisteredContact[], unbound: readonly RegisteredContact[]): Promise<void> {
    await this.#db.query(WRITE, [CONTACTS.rows(bound), CONTACTS.rows(unbound), this.#lease.id]);
  }

  async adopt(places: readonly string[]): Promise<void> {
    await this.#db.query(ADOPT, [this.#lease.id, places]);
  }

  /** Gives up what this process holds. If that fails, others find that it has ended. */
  async close(): Promise<void> {
    await this.#db.query(RELEASE, [this.#lease.id]).catch(() => undefined);
  }

  /** Contacts of processes that ended, and of trunks that are not configured any more, expire unseen. */
  async sweep(): Promise<void> {
    await run(this.#db, "delete from registrations where expires_at < $1", [this.#now()]);
  }
}
