// Numbers that serve accounts, and those that did. A number serves one account at a time (`phones_served`); its row stays when it is
// removed, and taking it again makes a new one.

import type {
  Phone,
  PhoneChange,
  PhoneScope,
  PhoneStatus,
  PhoneStore,
  ServedStanding,
} from "../../../domain/numbers/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly id: string;
  readonly number: string;
  readonly account_sid: string;
  readonly name: string | null;
  readonly status: PhoneStatus;
  readonly status_reason: string | null;
  readonly messaging_config_sid: string | null;
  readonly port_order_sid: string | null;
  readonly features: Phone["features"];
  readonly calls_forwarded_to: string | null;
  readonly record_inbound_calls: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `id, number, account_sid, name, status, status_reason, messaging_config_sid, port_order_sid, features,
  calls_forwarded_to, record_inbound_calls, created_at, updated_at`;
const SELECT = `select ${COLUMNS} from phones`;

const toPhone = (row: Row): Phone => ({
  number: row.number,
  accountSid: row.account_sid,
  name: row.name,
  status: row.status,
  statusReason: row.status_reason,
  messagingConfigSid: row.messaging_config_sid,
  portOrderSid: row.port_order_sid,
  features: row.features,
  voice: { callsForwardedTo: row.calls_forwarded_to, recordInboundCalls: row.record_inbound_calls },
  createdOn: row.created_at,
  updatedOn: row.updated_at,
});

interface StandingRow {
  readonly number: string;
  readonly status: PhoneStatus;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly registered_campaign_id: string | null;
  readonly activating_campaign_id: string | null;
  readonly activate_at: Date | null;
  readonly port_order_sid: string | null;
  readonly messaging_moved: boolean;
}

const toStanding = (row: StandingRow): ServedStanding => ({
  number: row.number,
  status: row.status,
  messagingConfigSid: row.messaging_config_sid,
  tcrCampaignId: row.tcr_campaign_id,
  registeredCampaignId: row.registered_campaign_id,
  activation:
    row.activating_campaign_id === null || row.activate_at === null
      ? null
      : { campaignId: row.activating_campaign_id, on: row.activate_at },
  portOrderSid: row.port_order_sid,
  messagingMoved: row.messaging_moved,
});

/** `known` hears of every number that comes to serve an account. */
export function phoneStore(db: Queryable, known: (numbers: readonly string[]) => Promise<void>): PhoneStore {
  return {
    async lockAccount(accountSid) {
      await db.query("select pg_advisory_xact_lock(hashtext($1))", [`${accountSid} numbers`]);
    },
    async insert(phone, registeredCampaignId, activation) {
      const rows = await db.query(
        `insert into phones (number, account_sid, name, status, status_reason, messaging_config_sid, port_order_sid, features,
           registered_campaign_id, calls_forwarded_to, record_inbound_calls, created_at, updated_at, activating_campaign_id, activate_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         on conflict (number) where status <> 'Removed' do nothing returning id`,
        [
          phone.number,
          phone.accountSid,
          phone.name,
          phone.status,
          phone.statusReason,
          phone.messagingConfigSid,
          phone.portOrderSid,
          phone.features,
          registeredCampaignId,
          phone.voice.callsForwardedTo,
          phone.voice.recordInboundCalls,
          phone.createdOn,
          phone.updatedOn,
          activation?.campaignId ?? null,
          activation?.on ?? null,
        ],
      );
      if (rows.length > 0) await known([phone.number]);
      return rows.length > 0;
    },
    async find(accountSid, number) {
      const [row] = await db.query<Row>(`${SELECT} where account_sid = $1 and number = $2 order by id desc limit 1`, [
        accountSid,
        number,
      ]);
      return row && toPhone(row);
    },
    list: (accountSid, page, { status, messagingConfigSid }) =>
      fetchPage(db, page, {
        select: SELECT,
        where: {
          account_sid: accountSid,
          status,
          "(status <> 'Removed')": status === undefined ? true : undefined,
          messaging_config_sid: messagingConfigSid,
        },
        key: "id",
        keyType: "bigint",
        show: toPhone,
      }),
    async change(accountSid, number, change, now) {
      const { sets, values } = assignments(change);
      const [row] = await db.query<Row>(
        `update phones set ${[...sets, "updated_at = $3"].join(", ")}
          where account_sid = $1 and number = $2 and status <> 'Removed' returning ${COLUMNS}`,
        [accountSid, number, now, ...values],
      );
      return row && toPhone(row);
    },
    async assign(accountSid, numbers, messagingConfigSid, now) {
      const rows = await db.query<{ number: string }>(
        `update phones set messaging_config_sid = $3, updated_at = $4
          where account_sid = $1 and number = any($2) and status <> 'Removed' and messaging_config_sid is distinct from $3
          returning number`,
        [accountSid, numbers, messagingConfigSid, now],
      );
      return rows.map((row) => row.number);
    },
    async isConfigUsed(messagingConfigSid) {
      const rows = await db.query("select 1 from phones where messaging_config_sid = $1 limit 1", [messagingConfigSid]);
      return rows.length > 0;
    },
    async campaignOf(accountSid, messagingConfigSid) {
      const [row] = await db.query<{ id: string | null }>(
        "select tcr_campaign_id as id from messaging_configs where account_sid = $1 and sid = $2",
        [accountSid, messagingConfigSid],
      );
      return row;
    },
    async standings(accountSid, scope) {
      const [column, values] = narrowing(scope);
      const rows = await db.query<StandingRow>(
        `select phones.number, phones.status, phones.messaging_config_sid, config.tcr_campaign_id,
                phones.registered_campaign_id, phones.activating_campaign_id, phones.activate_at, phones.port_order_sid,
                'SMS' = any (phones.features) as messaging_moved
           from phones left join messaging_configs as config on config.sid = phones.messaging_config_sid
          where phones.account_sid = $1 and phones.${column} = any($2) and phones.status <> 'Removed'
          order by phones.id`,
        [accountSid, values],
      );
      return rows.map(toStanding);
    },
    async move(accountSid, changes, now) {
      const rows = await db.query(
        `update phones set status = given.to_status, status_reason = given.reason,
                registered_campaign_id = given.registered_campaign_id, activating_campaign_id = given.activating_campaign_id,
                activate_at = given.activate_at, updated_at = $9
           from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
             as given (number, from_status, to_status, reason, registered_campaign_id, activating_campaign_id, activate_at)
          where phones.account_sid = $1 and phones.number = given.number and phones.status = given.from_status
          returning phones.id`,
        [
          accountSid,
          changes.map((change) => change.number),
          changes.map((change) => change.from),
          changes.map((change) => change.to),
          changes.map((change) => change.reason),
          changes.map((change) => change.registeredCampaignId),
          changes.map((change) => change.activation?.campaignId ?? null),
          changes.map((change) => change.activation?.on ?? null),
          now,
        ],
      );
      if (rows.length !== changes.length) throw new Error("a number's status was moved by two at once");
    },
    activated: (now, countMax) =>
      db.query<{ accountSid: string; number: string }>(
        `select account_sid as "accountSid", number from phones where activate_at <= $1 order by activate_at limit $2`,
        [now, countMax],
      ),
  };
}

function narrowing(scope: PhoneScope): readonly [column: string, values: readonly string[]] {
  return "numbers" in scope ? ["number", scope.numbers] : ["messaging_config_sid", scope.messagingConfigSids];
}

function assignments(change: PhoneChange): { readonly sets: readonly string[]; readonly values: readonly unknown[] } {
  const columns: readonly [string, unknown][] = [
    ["name", change.name],
    ["messaging_config_sid", change.messagingConfigSid],
    ["calls_forwarded_to", change.voice?.callsForwardedTo],
    ["record_inbound_calls", change.voice?.recordInboundCalls],
    ["features", change.features],
    ["status_reason", change.statusReason],
  ];
  const given = columns.filter(([, value]) => value !== undefined);
  return {
    sets: given.map(([column], index) => `${column} = $${index + 4}`),
    values: given.map(([, value]) => value),
  };
}
