// Reads the facts of an account's migrations, for one campaign or a page of them, with the same few statements. Reads
// only rows of these campaigns, and of configs with very many numbers and orders no more than is shown.

import { configsTelling, hasInOtherCase, type NamingConfig } from "../../../domain/campaigns/index.ts";
import type { LinkOutcome, MigrationFacts, MigrationOrder, MigrationStore } from "../../../domain/migrations/index.ts";
import type { PortOrderNumber } from "../../../domain/porting/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { type AsJson, portNumbersOf, toPortNumber } from "../porting/port-orders.ts";
import { columnsOf, countsOf, numbersOf, PAIRS, type Pair, withTimelines } from "./migration-numbers.ts";

const ORDERS_MAX = 100;
const NUMBERS_MAX = 1_000;
/** Numbers per campaign in a list. */
const NUMBERS_LISTED_MAX = 100;

export function migrationFacts(db: Queryable): MigrationStore {
  return {
    async find(accountSid, tcrCampaignId) {
      const [facts] = await factsOf(db, accountSid, [tcrCampaignId], NUMBERS_MAX);
      if (!facts) return undefined;
      return { ...facts, numbers: await withTimelines(db, accountSid, facts.numbers) };
    },
    async list(accountSid, page) {
      const { items, ...rest } = await fetchPage<{ id: string }>(db, page, {
        of: { columns: "id", from: NAMED_IDS },
        values: [accountSid],
        key: ["id"],
      });
      const ids = items.map(({ id }) => id);
      return { ...rest, items: ids.length === 0 ? [] : await factsOf(db, accountSid, ids, NUMBERS_LISTED_MAX) };
    },
  };
}

/**
 * SQL: campaigns that are the account's or will be, and those that its configs name. Ordinary words may look like ids
 * (customer), so an id that is only named must be written in capitals or have a digit to be listed.
 */
const NAMED_IDS = `(
  select tcr_campaign_id collate "C" as id from tcr_campaigns where account_sid = $1
  union select tcr_campaign_id collate "C" from registry_campaigns where account_sid = $1
  union select upper(word collate "C")
    from messaging_configs, regexp_split_to_table(name, '[^A-Za-z0-9]+') as word
   where account_sid = $1 and upper(word collate "C") ~ '^C[A-Z0-9]{6,7}$'
     and (word ~ '[0-9]' or word = upper(word collate "C"))) as ids`;

/** In the order of the ids; campaigns that do not concern the account are left out. */
async function factsOf(
  db: Queryable,
  accountSid: string,
  ids: readonly string[],
  numbersMax: number,
): Promise<readonly MigrationFacts[]> {
  const known = await campaignsOf(db, accountSid, ids);
  const naming = grouped(await configsOf(db, ids));
  const own = new Map(
    ids.map((id) => [id, (naming.get(id) ?? []).filter((config) => isOwnConfig(config, id, accountSid))]),
  );
  const pairs = [...own].flatMap(([id, configs]) => configs.map(({ sid }) => ({ id, sid })));
  const orders = grouped(await ordersOf(db, accountSid, pairs));
  const numbers = grouped(await numbersOf(db, accountSid, pairs, numbersMax));
  return ids.flatMap((tcrCampaignId): readonly MigrationFacts[] => {
    const row = known.get(tcrCampaignId);
    const configs = own.get(tcrCampaignId) ?? [];
    const isRegistered = row !== undefined && (row.campaign !== null || row.registryAccountSid === accountSid);
    const otherCase = (naming.get(tcrCampaignId) ?? []).filter((it) => isOtherCase(it, tcrCampaignId, accountSid));
    if (!isRegistered && configs.length === 0 && otherCase.length === 0) return [];
    const isDisputed = !row?.campaign && isAnothers(accountSid, tcrCampaignId, row, naming.get(tcrCampaignId) ?? []);
    const counted = numbers.get(tcrCampaignId) ?? [];
    return [
      {
        tcrCampaignId,
        registry: isDisputed ? null : (row?.registry ?? null),
        isDisputed,
        campaign: row?.campaign ?? null,
        linkOutcome: row?.linkOutcome ?? null,
        configs: configs.map(({ sid, name, tcrCampaignId: linked }) => ({ sid, name, tcrCampaignId: linked })),
        otherCase: otherCase.map(({ sid }) => sid),
        orders: (orders.get(tcrCampaignId) ?? []).map(({ order }) => order),
        counts: countsOf(counted),
        numbers: counted.map(({ number }) => number),
      },
    ];
  });
}

interface KnownRow {
  readonly id: string;
  readonly registryAccountSid: string | null;
  readonly registry: MigrationFacts["registry"];
  readonly campaign: MigrationFacts["campaign"];
  readonly linkOutcome: LinkOutcome | null;
}

async function campaignsOf(
  db: Queryable,
  accountSid: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownRow>> {
  type Registry = NonNullable<KnownRow["registry"]>;
  type Known = NonNullable<KnownRow["campaign"]>;
  type Row = Omit<KnownRow, "registry" | "campaign"> &
    Omit<Registry, "standing"> &
    Omit<Known, "status"> & { readonly standing: Registry["standing"] | null; readonly status: Known["status"] | null };
  const rows = await db.query<Row>(
    `select wanted.id, followed.account_sid as "registryAccountSid", followed.standing, followed.reason,
            followed.standing_since as "standingSince", followed.seen_at as "seenOn", campaign.tcr_brand_id as "tcrBrandId",
            campaign.name, campaign.status, campaign.imported_at as "importedOn", config.sid as "messagingConfigSid",
            (select fields->>'LinkOutcome' from events
              where resource_sid = campaign.tcr_campaign_id and account_sid = $1 and type = 'TcrCampaignImported'
              order by sequence desc limit 1) as "linkOutcome"
       from unnest($2::text[]) as wanted (id)
       left join registry_campaigns as followed on followed.tcr_campaign_id = wanted.id
       left join tcr_campaigns as campaign on campaign.tcr_campaign_id = wanted.id and campaign.account_sid = $1
       left join messaging_configs as config on config.tcr_campaign_id = campaign.tcr_campaign_id`,
    [accountSid, ids],
  );
  return new Map(
    rows.map((row) => {
      const { id, registryAccountSid, linkOutcome, standing, reason, standingSince, seenOn, status, ...campaign } = row;
      const registry = standing && { standing, reason, standingSince, seenOn };
      return [id, { id, registryAccountSid, linkOutcome, registry, campaign: status && { ...campaign, status } }];
    }),
  );
}

interface ConfigRow extends NamingConfig {
  readonly id: string;
  readonly sid: string;
  readonly tcrCampaignId: string | null;
}

/** Configs of all accounts that name a campaign, in any case, or are linked to it. */
function configsOf(db: Queryable, ids: readonly string[]): Promise<ConfigRow[]> {
  return db.query<ConfigRow>(
    `select wanted.id, config.sid, config.account_sid as "accountSid", config.name, config.tcr_campaign_id as "tcrCampaignId",
            'campaignMigration' = any (account.features) as "mayMigrate"
       from unnest($1::text[]) as wanted (id)
       join lateral (
         select * from messaging_configs where campaign_ids_in(name) @> array[wanted.id]
         union select * from messaging_configs where tcr_campaign_id = wanted.id
       ) as config on true
       join accounts as account on account.sid = config.account_sid
      order by config.sid`,
    [ids],
  );
}

function isOwnConfig(config: ConfigRow, id: string, accountSid: string): boolean {
  return config.accountSid === accountSid && (config.tcrCampaignId === id || config.name.includes(id));
}

function isOtherCase(config: ConfigRow, id: string, accountSid: string): boolean {
  const { tcrCampaignId, name } = config;
  return config.accountSid === accountSid && tcrCampaignId === null && hasInOtherCase(name, id);
}

function isAnothers(
  accountSid: string,
  tcrCampaignId: string,
  row: KnownRow | undefined,
  naming: readonly ConfigRow[],
): boolean {
  if (row?.registryAccountSid != null) return row.registryAccountSid !== accountSid;
  const telling = configsTelling(tcrCampaignId, naming);
  const isNamedHere = telling.some((config) => config.accountSid === accountSid);
  return telling.some((config) => config.accountSid !== accountSid && (config.mayMigrate || !isNamedHere));
}

async function ordersOf(
  db: Queryable,
  accountSid: string,
  pairs: readonly Pair[],
): Promise<readonly { readonly id: string; readonly order: MigrationOrder }[]> {
  type Row = Pair & Omit<MigrationOrder, "numbers"> & { readonly numbers: readonly AsJson<PortOrderNumber>[] };
  if (pairs.length === 0) return [];
  const rows = await db.query<Row>(
    `select id, sid, status, "messagingConfigSid", "createdOn", numbers from (
       select wanted.id, orders.sid, orders.status, orders.messaging_config_sid as "messagingConfigSid",
              orders.created_at as "createdOn", row_number() over (partition by wanted.id order by orders.sid desc) as place,
              ${portNumbersOf("orders.sid")} as numbers
         from ${PAIRS} join port_orders as orders on orders.messaging_config_sid = wanted.config_sid and orders.account_sid = $1
     ) as ordered where place <= $4 order by sid`,
    [accountSid, ...columnsOf(pairs), ORDERS_MAX],
  );
  return rows.map(({ id, ...order }) => ({ id, order: { ...order, numbers: order.numbers.map(toPortNumber) } }));
}

function grouped<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.id);
    if (group) group.push(row);
    else groups.set(row.id, [row]);
  }
  return groups;
}
