// Numbers of accounts, including removed ones. A number serves one account at a time (`phones_served`); its row stays
// when it is removed, and taking it again creates a new row.

import type {
  Phone,
  PhoneCampaignStatus,
  PhoneScope,
  PhoneStore,
  ServedPhone,
  StatusChange,
} from "../../../domain/numbers/index.ts";
import { table } from "../engine/columns.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { hasDue } from "../engine/due-rows.ts";
import { lock } from "../engine/locks.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";

type Row = Omit<Phone, "voice"> & Phone["voice"];

/** Holds when numbers are due to become Active. */
export const areActivated = (now: () => Date): Condition => hasDue({ table: "phones", dueAt: "activate_at" }, now);

const PHONES = table<Row>("phones", {
  number: "number",
  accountSid: "account_sid",
  name: "name",
  status: "status",
  statusReason: "status_reason",
  messagingConfigSid: "messaging_config_sid",
  portOrderSid: "port_order_sid",
  features: "features text[]",
  callsForwardedTo: "calls_forwarded_to",
  recordInboundCalls: "record_inbound_calls boolean",
  createdOn: "created_at timestamptz",
  updatedOn: "updated_at timestamptz",
});

const toPhone = ({ callsForwardedTo, recordInboundCalls, ...phone }: Row): Phone => ({
  ...phone,
  voice: { callsForwardedTo, recordInboundCalls },
});

interface Activating {
  readonly activatingCampaignId: string | null;
  readonly activatesOn: Date | null;
}

const STORED = table<Row & Activating & { readonly registeredCampaignId: string | null }>("phones", {
  ...PHONES.fields,
  registeredCampaignId: "registered_campaign_id",
  activatingCampaignId: "activating_campaign_id",
  activatesOn: "activate_at timestamptz",
});

type ServedRow = Omit<ServedPhone, "activation"> & Activating;

const toServed = ({ activatingCampaignId, activatesOn, ...phone }: ServedRow): ServedPhone => ({
  ...phone,
  activation:
    activatingCampaignId === null || activatesOn === null
      ? null
      : { campaignId: activatingCampaignId, on: activatesOn },
});

const MOVES = table<Omit<StatusChange, "activation"> & Activating>("moves", {
  number: "number",
  from: "from_status",
  to: "to_status",
  reason: "reason",
  registeredCampaignId: "registered_campaign_id",
  activatingCampaignId: "activating_campaign_id",
  activatesOn: "activate_at timestamptz",
});

export interface PhoneNews {
  /** Called with every number that an account gets. */
  readonly known: (numbers: readonly string[]) => Promise<void>;
  /** Called when the oldest number of the account may change. */
  readonly oldestMayChange: (accountSid: string) => Promise<void>;
  /** Called when numbers of the account, which may be sending, have changed. */
  readonly sendersChanged: (accountSid: string) => Promise<void>;
}

export function phoneStore(db: Queryable, { known, oldestMayChange, sendersChanged }: PhoneNews): PhoneStore {
  return {
    lockAccount: (accountSid) => lock(db, `${accountSid} numbers`),
    async holderOf(number) {
      const [row] = await db.query<{ accountSid: string }>(
        `select account_sid as "accountSid" from phones where number = $1 and status <> 'Removed'`,
        [number],
      );
      return row?.accountSid;
    },
    async insert(phone, registeredCampaignId, activation) {
      const rows = await db.query(
        `${STORED.insert} on conflict (number) where status <> 'Removed' do nothing returning 1`,
        [STORED.rows([{ ...phone, ...phone.voice, registeredCampaignId, ...activating(activation) }])],
      );
      if (rows.length > 0) {
        await known([phone.number]);
        await oldestMayChange(phone.accountSid);
      }
      return rows.length > 0;
    },
    async find(accountSid, number) {
      const [row] = await db.query<Row>(
        `${PHONES.select} where account_sid = $1 and number = $2 order by id desc limit 1`,
        [accountSid, number],
      );
      return row && toPhone(row);
    },
    async list(accountSid, page, { status, messagingConfigSid }) {
      const found = await fetchPage<Row>(db, page, {
        of: PHONES,
        sources: [
          {
            where: { account_sid: accountSid },
            ...(messagingConfigSid !== undefined && { few: { messaging_config_sid: messagingConfigSid } }),
          },
        ],
        filter: { status, "status <> 'Removed'": status === undefined ? true : undefined },
        key: ["id bigint"],
      });
      return { ...found, items: found.items.map(toPhone) };
    },
    async change(accountSid, number, { voice, ...change }, now) {
      const { sets, values } = PHONES.set({ ...change, ...voice, updatedOn: now }, 3);
      const [row] = await db.query<Row>(
        `update phones set ${sets.join(", ")}
          where account_sid = $1 and number = $2 and status <> 'Removed' returning ${PHONES.columns}`,
        [accountSid, number, ...values],
      );
      await sendersChanged(accountSid);
      return row && toPhone(row);
    },
    async assign(accountSid, numbers, messagingConfigSid, now) {
      const rows = await db.query<{ number: string }>(
        `update phones set messaging_config_sid = $3, updated_at = $4
          where account_sid = $1 and number = any($2) and status <> 'Removed' and messaging_config_sid is distinct from $3
          returning number`,
        [accountSid, numbers, messagingConfigSid, now],
      );
      await sendersChanged(accountSid);
      return rows.map((row) => row.number);
    },
    isConfigUsed: (messagingConfigSid) =>
      hasRow(db, "select 1 from phones where messaging_config_sid = $1 limit 1", [messagingConfigSid]),
    campaignOf: (accountSid, messagingConfigSid) =>
      first<{ id: string | null; status: PhoneCampaignStatus }>(
        db,
        `select config.tcr_campaign_id as id, campaign.status from messaging_configs as config
           left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id
          where config.account_sid = $1 and config.sid = $2`,
        [accountSid, messagingConfigSid],
      ),
    async states(accountSid, scope) {
      const [column, values] = narrowing(scope);
      const rows = await db.query<ServedRow>(
        `select phones.number, phones.status, phones.status_reason as "statusReason", campaign.status as "campaignStatus",
                phones.messaging_config_sid as "messagingConfigSid",
                config.tcr_campaign_id as "tcrCampaignId", phones.registered_campaign_id as "registeredCampaignId",
                phones.activating_campaign_id as "activatingCampaignId", phones.activate_at as "activatesOn",
                phones.port_order_sid as "portOrderSid", 'SMS' = any (phones.features) as "messagingMoved"
           from phones left join messaging_configs as config on config.sid = phones.messaging_config_sid
           left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id
          where phones.account_sid = $1 and phones.${column} = any($2) and phones.status <> 'Removed'
          order by phones.id`,
        [accountSid, values],
      );
      return rows.map(toServed);
    },
    async move(accountSid, changes, now) {
      const rows = await db.query(
        `update phones set status = given.to_status, status_reason = given.reason,
                registered_campaign_id = given.registered_campaign_id, activating_campaign_id = given.activating_campaign_id,
                activate_at = given.activate_at, updated_at = $3
           from ${MOVES.given}
          where phones.account_sid = $2 and phones.number = any($4) and phones.number = given.number
            and phones.status = given.from_status
          returning phones.id`,
        [
          MOVES.rows(changes.map((change) => ({ ...change, ...activating(change.activation) }))),
          accountSid,
          now,
          // The planner assumes a hundred rows for JSON and would read all of an account's numbers.
          changes.map(({ number }) => number),
        ],
      );
      if (rows.length !== changes.length) throw new Error("a number's status was moved by two at once");
      await sendersChanged(accountSid);
      if (changes.some(({ to }) => to === "Removed")) await oldestMayChange(accountSid);
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

function activating(activation: StatusChange["activation"]): Activating {
  return { activatingCampaignId: activation?.campaignId ?? null, activatesOn: activation?.on ?? null };
}
