// Events of one type that were stored together for one account are one row of `events`: the columns are those of the
// first, and `batch` has a line for each (schema/0006-event-batches.ts). The id of an event is that of its row and its
// place in it. Everything that writes or reads rows of events uses what is here, so that nothing else knows the lines.

import type { EventType } from "../../../domain/events.ts";

/**
 * Ids are taken by this many. The deliveries of one batch to a subscription are one, too: their places are the last two
 * digits of their sids.
 */
export const BATCH_MAX = 256;

/** As many events as usually fit in a row that PostgreSQL does not compress. */
export const IN_ROW_MAX = 16;

/** SQL: the position of the transaction in the log, computed once for a statement. */
export const STORING_XID = "(select event_position(pg_current_xact_id()))";

/** What the events of a statement consist of, where each is of another resource. */
export interface BatchedFields {
  /** The SQL of the value of each field, in the order of the fields. */
  readonly columns: Readonly<Record<string, string>>;
  /** Those columns that all events of a batch share. */
  readonly shared: readonly string[];
}

/** SQL: the same for the events that can be in one batch. */
export const kindOf = ({ shared }: BatchedFields) => `concat_ws(E'\\t', ${shared.join(", ")})`;

/** SQL: inserts each of the events, which have a place after an event_id, as a row. */
export function insertSingly(events: string, now: string): string {
  return `insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
  select event_id + place, account_sid, type, resource_sid, sequence, fields, ${now} from ${events}`;
}

/** SQL: inserts them by the batch. */
export function insertBatches(events: string, { columns, shared }: BatchedFields, now: string): string {
  const own = Object.values(columns).map((column) =>
    column === "resource_sid" || shared.includes(column) ? "''" : `coalesce(to_json(${column})::text, 'null')`,
  );
  const named = Object.entries(columns).map(([name, column]) => `${column} as "${name}"`);
  return `insert into events (id, account_sid, type, resource_sid, sequence, fields, batch, created_at) overriding system value
  select min(id), min(account_sid), min(type), min(resource_sid) filter (where fields is not null), min(sequence) filter (where fields is not null),
         min(fields)::json, case when count(*) > 1 then string_agg(line, E'\\n' order by id) end, ${now}
    from (select event_id + place as id, account_sid, type, resource_sid, sequence,
                 case when place % ${IN_ROW_MAX} = 0 then (select row_to_json(fields) from (select ${named.join(", ")}) as fields)::text end as fields,
                 concat_ws(E'\\t', resource_sid, sequence, ${own.join(", ")}) as line
            from ${events}) as told
   group by id / ${IN_ROW_MAX}`;
}

/** SQL: a line for each event; of a single one, any. */
const LINES = "coalesce(events.batch, '-')";

/** SQL: the columns of the event that has the line `told`. */
const OF_LINE = `events.account_sid, events.xid, events.type, events.created_at,
           case when batch is null then events.resource_sid else split_part(told, E'\\t', 1) end as resource_sid,
           coalesce(nullif(split_part(told, E'\\t', 2), '')::integer, events.sequence) as sequence,
           events.resource_sid as first_sid, events.fields::text as first_fields, case when batch is not null then told end as line`;

/**
 * SQL: all events, to select from. Conditions on account_sid, xid, row_id and created_at use indexes; in the order of
 * row_id and place they are in that of their ids.
 */
export const EACH_EVENT = `(
    select events.id + place - 1 as id, events.id as row_id, place, ${OF_LINE}
      from events cross join lateral string_to_table(${LINES}, E'\\n') with ordinality as each (told, place))`;

/** SQL: the event with the id, to be joined laterally. It is looked up by its key, whatever the planner assumes. */
export const eventAt = (id: string, createdAt: string) => `(
    select ${OF_LINE} from (
      select *, split_part(${LINES}, E'\\n', (${id} - id + 1)::integer) as told from events
       where id <= ${id} and id > ${id} - ${BATCH_MAX} and created_at = ${createdAt} order by id desc limit 1) as events
     where told <> '' offset 0)`;

/**
 * SQL: the events of a resource. Those of messages that are not the first of their row are found by the transactions
 * that the message names.
 */
export const eventsOf = (accountSid: string, resourceSid: string) => `(
    select each.* from (
      select id, created_at from events where resource_sid = ${resourceSid} and account_sid = ${accountSid}
      union
      select events.id, events.created_at
        from outbound_messages as message cross join lateral unnest(message.event_xids) as told (xid)
        join events on events.account_sid = message.account_sid and events.xid = told.xid
       where message.account_sid = ${accountSid} and message.sid = ${resourceSid} and strpos(events.batch, ${resourceSid}) > 0
    ) as found join ${EACH_EVENT} as each on each.row_id = found.id and each.created_at = found.created_at
     where each.resource_sid = ${resourceSid})`;

/** SQL: what `fieldsOf` needs of an event. */
export const FIELDS_COLUMNS = `first_sid as "firstSid", first_fields as "firstFields", line`;

export interface FieldsRow {
  readonly firstSid: string;
  readonly firstFields: string;
  /** Null: it is a row's only event. */
  readonly line: string | null;
}

/** The fields of an event, as JSON. */
export function fieldsTextOf({ firstSid, firstFields, line }: FieldsRow): string {
  return new FirstFields(firstSid, firstFields).of(line);
}

/** The fields of a row's first event, from which those of the others are made. */
class FirstFields {
  readonly #sid: string;
  readonly #text: string;
  /** Names and values, as JSON. */
  #parts: readonly (readonly [name: string, value: string])[] | undefined;

  constructor(sid: string, text: string) {
    this.#sid = sid;
    this.#text = text;
  }

  of(line: string | null): string {
    if (line === null || line === this.#sid) return this.#text;
    this.#parts ??= Object.entries(JSON.parse(this.#text) as object).map(([name, value]) => [
      JSON.stringify(name),
      value === this.#sid ? "" : JSON.stringify(value),
    ]);
    const [sid = "", , ...values] = line.split("\t");
    return `{${this.#parts.map(([name, value], at) => `${name}:${values[at] || value || JSON.stringify(sid)}`).join(",")}}`;
  }
}

/** SQL: a row of events as one text, for `readRows`; `from` is the id from which places count. */
export const rowText = (from: string) =>
  `string_agg(concat_ws(E'\\x1f', id - ${from}, type, sequence, fields::text, resource_sid, batch), E'\\x1e' order by id)`;

export interface PlacedEvent {
  readonly type: EventType;
  readonly resourceSid: string;
  readonly sequence: number;
  /** JSON. */
  readonly fields: string;
}

/** The events of rows that were read as text, of which `wanted` are made, by place. */
export function readRows(text: string, wanted: ReadonlySet<number>): ReadonlyMap<number, PlacedEvent> {
  const events = new Map<number, PlacedEvent>();
  for (const row of text.split("\x1e")) {
    const [start, type, firstSequence, firstFields = "", firstSid = "", batch] = row.split("\x1f");
    const first = new FirstFields(firstSid, firstFields);
    for (const [at, line] of (batch?.split("\n") ?? [null]).entries()) {
      const place = Number(start) + at;
      if (!wanted.has(place)) continue;
      const [resourceSid = "", sequence] = line?.split("\t", 2) ?? [firstSid];
      const fields = first.of(line);
      events.set(place, { type: type as EventType, resourceSid, sequence: Number(sequence || firstSequence), fields });
    }
  }
  return events;
}
