// Port orders with their numbers. An order is changed by whoever has the turn of its account (`phones.lockAccount`), so it is read without
// a lock of its own; `save` looks all the same.

import {
  isOpen,
  type KeptDocument,
  type PortDetails,
  type PortOrder,
  type PortOrderNumber,
  type PortOrderStore,
  type PortPins,
  type RefusedRequest,
  type StoredPortOrder,
} from "../../../domain/porting/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly sid: string;
  readonly account_sid: string;
  readonly messaging_config_sid: string;
  readonly status: PortOrder["status"];
  readonly sequence: number;
  readonly details: Omit<PortDetails, "requestedOn"> & { readonly requestedOn: string | null };
  readonly refused_request: RefusedRequest | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly numbers: readonly NumberRow[];
  readonly documents: readonly (Omit<KeptDocument, "createdOn"> & { readonly createdOn: string })[];
  readonly requests: readonly {
    readonly kind: StoredPortOrder["requests"][number]["kind"];
    readonly askedOn: string;
  }[];
}

interface NumberRow {
  readonly number: string;
  readonly status: PortOrderNumber["status"];
  readonly phase: { readonly kind: string; readonly on?: string };
  readonly voiceMovedOn: string | null;
  readonly messagingMovedOn: string | null;
  readonly refusal: PortOrderNumber["refusal"];
}

// As one table, so that a page's conditions name its columns plainly.
const SELECT = `select * from (
  select sid, account_sid, messaging_config_sid, status, sequence, details, refused_request, created_at, updated_at,
         (select json_agg(json_build_object('number', number, 'status', numbers.status, 'phase', phase, 'voiceMovedOn', voice_moved_at,
                    'messagingMovedOn', messaging_moved_at, 'refusal', refusal) order by place)
            from port_order_numbers as numbers where order_sid = port_orders.sid) as numbers,
         (select coalesce(json_agg(json_build_object('place', place, 'name', name, 'contentType', content_type, 'sha256', sha256,
                    'pageCount', page_count, 'sizeBytes', octet_length(content), 'createdOn', created_at) order by place), '[]')
            from port_documents where order_sid = port_orders.sid) as documents,
         (select coalesce(json_agg(json_build_object('kind', kind, 'askedOn', asked_at) order by id), '[]')
            from port_requests where order_sid = port_orders.sid) as requests
    from port_orders) as orders`;

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

const toOrder = (row: Row): StoredPortOrder => ({
  sid: row.sid,
  accountSid: row.account_sid,
  messagingConfigSid: row.messaging_config_sid,
  status: row.status,
  sequence: row.sequence,
  details: { ...row.details, requestedOn: dateOf(row.details.requestedOn) },
  numbers: row.numbers.map(toPortNumber),
  createdOn: row.created_at,
  updatedOn: row.updated_at,
  documents: row.documents.map((document) => ({ ...document, createdOn: new Date(document.createdOn) })),
  requests: row.requests.map(({ kind, askedOn }) => ({ kind, askedOn: new Date(askedOn) })),
  refusedRequest: row.refused_request,
});

export const toPortNumber = ({ phase, voiceMovedOn, messagingMovedOn, ...row }: NumberRow): PortOrderNumber => ({
  ...row,
  phase: (phase.on === undefined ? phase : { ...phase, on: new Date(phase.on) }) as PortOrderNumber["phase"],
  voiceMovedOn: dateOf(voiceMovedOn),
  messagingMovedOn: dateOf(messagingMovedOn),
});

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
    async campaignOf(accountSid, messagingConfigSid) {
      const [row] = await db.query<NonNullable<Awaited<ReturnType<PortOrderStore["campaignOf"]>>>>(
        `select campaign.status from messaging_configs as config left join tcr_campaigns as campaign using (tcr_campaign_id)
          where config.account_sid = $1 and config.sid = $2`,
        [accountSid, messagingConfigSid],
      );
      return row;
    },
    async insert(order, pins) {
      await db.query(
        `insert into port_orders (sid, account_sid, messaging_config_sid, status, sequence, details, pins, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [
          order.sid,
          order.accountSid,
          order.messagingConfigSid,
          order.status,
          order.sequence,
          jsonText(order.details),
          sealPins(box, pins),
          order.createdOn,
        ],
      );
      await db.query(
        `insert into port_order_numbers (order_sid, place, number, status, phase, voice_moved_at, messaging_moved_at, refusal)
         select $1, place, number, status, phase, voice_moved_at, messaging_moved_at, refusal from ${GIVEN_NUMBERS}`,
        [order.sid, ...numberColumns(order.numbers)],
      );
    },
    async find(sid) {
      const [row] = await db.query<Row>(`${SELECT} where sid = $1`, [sid]);
      return row && toOrder(row);
    },
    list: ({ accountSid, status }, page) =>
      fetchPage(db, page, { select: SELECT, where: { account_sid: accountSid, status }, key: "sid", show: toOrder }),
    ownersOf: (sids) =>
      db.query(`select sid, account_sid as "accountSid" from port_orders where sid = any($1) order by sid`, [sids]),
    async save(before, after, now) {
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
           from ${GIVEN_NUMBERS} where numbers.order_sid = $1 and numbers.place = given.place`,
        [before.sid, ...numberColumns(after.numbers)],
      );
    },
    async changePins(sid, pins) {
      const merged = new Map([...(await pinsOf(db, box, sid)), ...pins]);
      await db.query("update port_orders set pins = $2 where sid = $1", [sid, sealPins(box, merged)]);
    },
    async noteRefusedRequest(sid, refused) {
      await db.query("update port_orders set refused_request = $2 where sid = $1", [sid, refused && jsonText(refused)]);
    },
    async addRequest(sid, kind, now) {
      await db.query("insert into port_requests (order_sid, kind, due_at, asked_at) values ($1, $2, $3, $3)", [
        sid,
        kind,
        now,
      ]);
    },
    async endRequest(id) {
      return (await db.query("delete from port_requests where id = $1 returning id", [id])).length > 0;
    },
    async keepCursor(cursor) {
      await db.query("update port_updates set cursor = $1", [cursor]);
    },
  };
}

const GIVEN_NUMBERS = `unnest($2::smallint[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::timestamptz[], $8::jsonb[])
  as given (place, number, status, phase, voice_moved_at, messaging_moved_at, refusal)`;

function numberColumns(numbers: readonly PortOrderNumber[]): readonly unknown[] {
  return [
    numbers.map((_, at) => at + 1),
    numbers.map(({ number }) => number),
    numbers.map(({ status }) => status),
    numbers.map(({ phase }) => jsonText(phase)),
    numbers.map(({ voiceMovedOn }) => voiceMovedOn),
    numbers.map(({ messagingMovedOn }) => messagingMovedOn),
    numbers.map(({ refusal }) => refusal && jsonText(refusal)),
  ];
}

function sealPins(box: SecretBox, pins: PortPins): Buffer | null {
  return pins.size === 0 ? null : box.seal(JSON.stringify([...pins]));
}

export async function pinsOf(db: Queryable, box: SecretBox, sid: string): Promise<PortPins> {
  const [row] = await db.query<{ pins: Buffer | null }>("select pins from port_orders where sid = $1", [sid]);
  return new Map(row?.pins ? (JSON.parse(box.open(row.pins)) as [string, string][]) : []);
}
