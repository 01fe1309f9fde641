// Port orders with their numbers. An order is changed only under the lock of its account (`phones.lockAccount`), so it
// needs no lock of its own; `save` nevertheless checks that it has not changed.

import {
  isOpen,
  mayBecome,
  type PortOrderNumber,
  type PortOrderStore,
  type PortPins,
  type StoredPortOrder,
} from "../../../domain/porting/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { fetchPage } from "../engine/pages.ts";
import { hasRow, run } from "../engine/statements.ts";

/** A value that was read as JSON. */
export type AsJson<Value> = Value extends Date
  ? string
  : Value extends object
    ? { readonly [Field in keyof Value]: AsJson<Value[Field]> }
    : Value;

type OrderColumns = Omit<StoredPortOrder, "numbers" | "documents" | "requests">;

type Row = Omit<OrderColumns, "details"> &
  AsJson<Pick<StoredPortOrder, "details" | "numbers" | "documents" | "requests">>;

const ORDERS = table<OrderColumns>("port_orders", {
  sid: "sid",
  accountSid: "account_sid",
  messagingConfigSid: "messaging_config_sid",
  status: "status",
  sequence: "sequence integer",
  details: "details jsonb",
  refusedRequest: "refused_request jsonb",
  createdOn: "created_at timestamptz",
  updatedOn: "updated_at timestamptz",
});

const STORED = table<OrderColumns & { readonly pins: Buffer | null }>("port_orders", {
  ...ORDERS.fields,
  pins: "pins bytea",
});

const NUMBERS = table<PortOrderNumber>("port_order_numbers", {
  number: "number",
  status: "status",
  phase: "phase jsonb",
  voiceMovedOn: "voice_moved_at timestamptz",
  messagingMovedOn: "messaging_moved_at timestamptz",
  refusal: "refusal jsonb",
});

const PLACED = table<PortOrderNumber & { readonly orderSid: string; readonly place: number }>("port_order_numbers", {
  ...NUMBERS.fields,
  orderSid: "order_sid",
  place: "place smallint",
});

const listOf = (select: string) => `(select coalesce(json_agg(entry), '[]') from (${select}) as entry)`;

/** SQL: the numbers of the order with this sid expression. */
export const portNumbersOf = (orderSid: string) =>
  listOf(`${NUMBERS.select} where order_sid = ${orderSid} order by place`);

const SHOWN = {
  columns: `${ORDERS.columns}, ${portNumbersOf("port_orders.sid")} as numbers,
    ${listOf(
      `select place, name, content_type as "contentType", sha256, page_count as "pageCount", octet_length(content) as "sizeBytes",
              created_at as "createdOn" from port_documents where order_sid = port_orders.sid order by place`,
    )} as documents,
    ${listOf(
      `select kind, asked_at as "askedOn" from port_requests where order_sid = port_orders.sid order by id`,
    )} as requests`,
  from: "port_orders",
};

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

const toOrder = (row: Row): StoredPortOrder => ({
  ...row,
  details: { ...row.details, requestedOn: dateOf(row.details.requestedOn) },
  numbers: row.numbers.map(toPortNumber),
  documents: row.documents.map((document) => ({ ...document, createdOn: new Date(document.createdOn) })),
  requests: row.requests.map(({ kind, askedOn }) => ({ kind, askedOn: new Date(askedOn) })),
});

export const toPortNumber = ({
  phase,
  voiceMovedOn,
  messagingMovedOn,
  ...row
}: AsJson<PortOrderNumber>): PortOrderNumber => ({
  ...row,
  phase: ("on" in phase ? { ...phase, on: new Date(phase.on) } : phase) as PortOrderNumber["phase"],
  voiceMovedOn: dateOf(voiceMovedOn),
  messagingMovedOn: dateOf(messagingMovedOn),
});

const placed = (orderSid: string, numbers: readonly PortOrderNumber[]) =>
  PLACED.rows(numbers.map((number, at) => ({ ...number, orderSid, place: at + 1 })));

export function portOrderStore(db: Queryable, box: SecretBox): PortOrderStore {
  return {
    holders: (numbers) =>
      db.query(
        `select wanted.number, phones.account_sid as "accountSid", phones.port_order_sid as "portOrderSid"
           from unnest($1::text[]) as wanted (number)
           left join phones on phones.number = wanted.number and phones.status <> 'Removed'
          where phones.id is not null or exists (select 1 from inventory_numbers as stock where stock.number = wanted.number)`,
        [numbers],
      ),
    async insert(order, pins) {
      const sealed = { ...order, updatedOn: order.createdOn, pins: sealPins(box, pins) };
      await db.query(STORED.insert, [STORED.rows([sealed])]);
      await db.query(PLACED.insert, [placed(order.sid, order.numbers)]);
    },
    async find(sid) {
      const [row] = await db.query<Row>(`select ${SHOWN.columns} from port_orders where sid = $1`, [sid]);
      return row && toOrder(row);
    },
    async list({ accountSid, status }, page) {
      const found = await fetchPage<Row>(db, page, {
        of: SHOWN,
        where: accountSid === undefined ? { status } : { account_sid: accountSid },
        filter: { status: accountSid && status },
        key: ["sid"],
      });
      return { ...found, items: found.items.map(toOrder) };
    },
    ownersOf: (sids) =>
      db.query(`select sid, account_sid as "accountSid" from port_orders where sid = any($1) order by sid`, [sids]),
    async save(before, after, now) {
      if (!mayBecome(before, after))
        throw new Error(`a port order may not go from ${before.status} to ${after.status}`);
      const saved = await db.query(
        `update port_orders set status = $3, sequence = $4, details = $5, pins = case when $6 then pins end, updated_at = $7
          where sid = $1 and status = $2 and sequence = $8 returning sid`,
        [
          before.sid,
          before.status,
          after.status,
          after.sequence,
          jsonText(after.details),
          isOpen(after),
          now,
          before.sequence,
        ],
      );
      if (saved.length === 0) throw new Error("a port order was changed by two at once");
      await db.query(
        `update port_order_numbers as numbers set status = given.status, phase = given.phase, voice_moved_at = given.voice_moved_at,
                messaging_moved_at = given.messaging_moved_at, refusal = given.refusal
           from ${PLACED.given} where numbers.order_sid = $2 and numbers.place = given.place`,
        [placed(before.sid, after.numbers), before.sid],
      );
    },
    pins: (sid) => readPins(db, box, sid),
    async changePins(sid, pins) {
      const merged = new Map([...(await pinsOf(db, box, sid)), ...pins]);
      await db.query("update port_orders set pins = $2 where sid = $1", [sid, sealPins(box, merged)]);
    },
    noteRefusedRequest: (sid, refused) =>
      run(db, "update port_orders set refused_request = $2 where sid = $1", [sid, refused && jsonText(refused)]),
    addRequest: (sid, kind, now) =>
      run(db, "insert into port_requests (order_sid, kind, due_at, asked_at) values ($1, $2, $3, $3)", [
        sid,
        kind,
        now,
      ]),
    endRequest: (id) => hasRow(db, "delete from port_requests where id = $1 returning id", [id]),
    saveCursor: (cursor) => run(db, "update port_updates set cursor = $1", [cursor]),
  };
}

function sealPins(box: SecretBox, pins: PortPins): Buffer | null {
  return pins.size === 0 ? null : box.seal(JSON.stringify([...pins]));
}

/** PINs sealed with another key count as absent: the losing carrier reports them missing, and the account is asked. */
export async function pinsOf(db: Queryable, box: SecretBox, sid: string): Promise<PortPins> {
  return (await readPins(db, box, sid)) ?? new Map();
}

/** Undefined when they were sealed with another key. */
async function readPins(db: Queryable, box: SecretBox, sid: string): Promise<PortPins | undefined> {
  const [row] = await db.query<{ pins: Buffer | null }>("select pins from port_orders where sid = $1", [sid]);
  if (!row?.pins) return new Map();
  try {
    return new Map(JSON.parse(box.open(row.pins)) as [string, string][]);
  } catch {
    return undefined;
  }
}
