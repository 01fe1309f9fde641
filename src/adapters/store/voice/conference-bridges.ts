// Lets calls of one process into conferences of another one: a ticket is stored by the process of the call, and used up
// by the process that has the conference.

import type { Clock } from "../../../base/clock.ts";
import type { PayloadShape } from "../../../domain/events.ts";
import type { AdmittedParty, BridgeLedger, ConferenceOrder, Invitation } from "../../../domain/voice/index.ts";
import type { ConferenceTicket } from "../../conference-tickets.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Database } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { first } from "../engine/statements.ts";
import type { CallLease } from "./call-lease.ts";

type Watched = Parameters<BridgeLedger["over"]>[0];

interface StoredEntry {
  readonly order: ConferenceOrder;
  readonly shape: PayloadShape;
}

/** What was not used is removed by the next. A process of an earlier version has no place, and gets no ticket. */
const INVITE = `
with owner as (
  select sid, process, place from conferences
   where account_sid = $2 and name = $3 and status <> 'Completed' and process <> $4
), swept as (
  delete from conference_tickets where expires_at < $5
), issued as (
  insert into conference_tickets (id, conference_sid, account_sid, call_sid, process, entry, expires_at)
  select $1, sid, $2, $6, process, $7::json, $8 from owner where place is not null
)
select sid as "conferenceSid", place from owner`;

const ADMIT = `
delete from conference_tickets where id = $1 and process = $2 and expires_at >= $3
returning conference_sid as "conferenceSid", account_sid as "accountSid", call_sid as "callSid", entry`;

const OVER = `
select sid from conferences where status = 'Completed' and sid = any ($1::text[])
union all
select sid from calls where status = 'Completed' and sid = any ($2::text[])`;

export class StoredBridges implements BridgeLedger {
  readonly #db: Database;
  readonly #lease: Pick<CallLease, "id">;
  readonly #clock: Clock;
  readonly #makeTicket: () => ConferenceTicket;

  constructor(db: Database, lease: Pick<CallLease, "id">, clock: Clock, makeTicket: () => ConferenceTicket) {
    this.#db = db;
    this.#lease = lease;
    this.#clock = clock;
    this.#makeTicket = makeTicket;
  }

  async invite({
    accountSid,
    callSid,
    order,
    shape,
  }: Parameters<BridgeLedger["invite"]>[0]): ReturnType<BridgeLedger["invite"]> {
    const { id, text, expiresOn } = this.#makeTicket();
    const entry: StoredEntry = { order, shape };
    const owner = await first<Omit<Invitation, "ticket">>(this.#db, INVITE, [
      ...[id, accountSid, order.name, this.#lease.id, this.#clock.now(), callSid],
      ...[jsonText(entry), expiresOn],
    ]);
    return owner && { ...owner, ticket: text };
  }

  async admit(ticket: string): Promise<AdmittedParty | undefined> {
    const row = await first<Omit<AdmittedParty, keyof StoredEntry> & { readonly entry: StoredEntry }>(this.#db, ADMIT, [
      ...[ticket, this.#lease.id, this.#clock.now()],
    ]);
    if (!row) return undefined;
    const { entry, ...party } = row;
    return { ...party, ...entry };
  }

  async over({ conferenceSids, callSids }: Watched): Promise<ReadonlySet<string>> {
    if (conferenceSids.length + callSids.length === 0) return new Set();
    const rows = await this.#db.query<{ sid: string }>(OVER, [conferenceSids, callSids]);
    return new Set(rows.map(({ sid }) => sid));
  }
}

/** Holds when conferences or calls are over that legs between nodes depend on. */
export function areBridgesOver(watched: () => Watched): Condition {
  return (bind) => {
    const { conferenceSids, callSids } = watched();
    return `(select count(*) from conferences where status = 'Completed' and sid = any (${bind(conferenceSids)}::text[]))
      + (select count(*) from calls where status = 'Completed' and sid = any (${bind(callSids)}::text[])) > 0`;
  };
}
