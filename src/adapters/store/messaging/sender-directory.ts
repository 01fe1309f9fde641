// The facts that decide whether a number may send to a recipient: of a number that sends often, to a recipient that has
// certainly not opted out, from memory; else read for many messages by one statement.

import type {
  Outgoing,
  SenderDirectory,
  SenderFacts,
  SenderState,
  WaitingMessage,
} from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";
import type { KeyFilter } from "../engine/key-filter.ts";
import { named } from "../engine/named-statements.ts";
import { isOptOutFrom, optOutKey } from "../numbers/opt-outs.ts";
import type { KnownSenders } from "./known-senders.ts";

type Row = (SenderState | { readonly status: null }) & {
  readonly accountSid: string;
  readonly from: string;
  readonly optedOut: string[] | null;
};

interface WaitingRow {
  readonly accountStatus: WaitingMessage["account"]["status"];
}

type Question = Pick<Outgoing, "accountSid" | "from" | "recipients">;

// The parameter is JSON: for an array the planner estimates by its length and would make a new plan every time.
const facts = (more: string) => `
select asked."accountSid", asked."from", phone.status, phone.messaging_config_sid as "messagingConfigSid",
       config.tcr_campaign_id as "tcrCampaignId", campaign.status as "campaignStatus",
       config.default_expiry_seconds as "defaultExpirySeconds", config.sending_times as "sendingTimes",
       'SMS' = any (phone.features) as "sendsSms", 'MMS' = any (phone.features) as "sendsMms",
       (select array_agg(distinct opt_outs.number) from opt_outs where opt_outs.number = any(asked.recipients)
           and ${isOptOutFrom('asked."accountSid"', 'asked."from"', "config.tcr_campaign_id")}) as "optedOut"${more}
  from json_to_recordset($1) as asked ("accountSid" text, "from" text, recipients text[])
  left join phones as phone on phone.number = asked."from" and phone.status <> 'Removed' and phone.account_sid = asked."accountSid"
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
  left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id`;

// For a new message the account is already known.
const FACTS = named("sender-facts", facts(""));
const WAITING_FACTS = named(
  "waiting-facts",
  facts(`, (select status from accounts where sid = asked."accountSid") as "accountStatus"`),
);

const NONE: readonly string[] = [];

export interface SenderDirectoryDeps {
  readonly senders: Pick<KnownSenders, "find" | "holder">;
  readonly optOutFilter: Pick<KeyFilter, "mayHave">;
  /** The country of a number in E.164. */
  readonly countryOf: (number: string) => string | undefined;
  readonly callingCodeOf: (country: string) => string | undefined;
}

export function senderDirectory(db: Queryable, deps: SenderDirectoryDeps): SenderDirectory {
  const { senders, optOutFilter, countryOf, callingCodeOf } = deps;
  const questions = gather<Question, SenderFacts>(async (asked) => {
    const hold = senders.holder();
    const rows = await db.query<Row>(FACTS, [sendersOf(asked)]);
    for (const { accountSid, from, optedOut: _, ...sender } of rows) {
      if (sender.status !== null) hold(accountSid, from, sender);
    }
    const factsOf = factsAmong(rows);
    return asked.map((question) => factsOf(question).facts);
  });
  return {
    factsOf(question) {
      const { accountSid, from, recipients } = question;
      const sender = senders.find(accountSid, from);
      const isClear = sender && !recipients.some((number) => optOutFilter.mayHave(optOutKey(accountSid, number)));
      return isClear ? { sender, optedOut: NONE } : questions.ask(question);
    },
    async shortCodeOf(accountSid, digits) {
      const [row] = await db.query<{ country: string }>(
        `select stock.country from phones join inventory_numbers as stock on stock.number = phones.number
          where phones.number = $2 and phones.account_sid = $1 and phones.status <> 'Removed'`,
        [accountSid, digits],
      );
      return row && { e164: digits, callingCode: callingCodeOf(row.country) ?? "", country: row.country };
    },
    async countriesOf(accountSid) {
      // Only the inventory knows the country of a short code.
      const rows = await db.query<{ number: string; country: string | null }>(
        `select phones.number, stock.country from phones left join inventory_numbers as stock on stock.number = phones.number
          where phones.account_sid = $1 and phones.status <> 'Removed'`,
        [accountSid],
      );
      const countries = rows
        .map(({ number, country }) => country ?? countryOf(number))
        .filter((country) => country !== undefined);
      return [...new Set(countries)].sort();
    },
  };
}

export async function withFacts(db: Queryable, waiting: readonly Outgoing[]): Promise<readonly WaitingMessage[]> {
  const factsOf = factsAmong(await db.query<Row & WaitingRow>(WAITING_FACTS, [sendersOf(waiting)]));
  return waiting.map((message) => {
    const { row, facts } = factsOf(message);
    return { message, account: { status: row.accountStatus }, facts };
  });
}

const keyOf = ({ accountSid, from }: Pick<Question, "accountSid" | "from">) => `${accountSid} ${from}`;

/** Messages from one number often arrive together: it is looked up once, for the recipients of all of them. */
function sendersOf(asked: readonly Question[]): string {
  const senders = new Map<string, { accountSid: string; from: string; recipients: string[] }>();
  for (const question of asked) {
    const { accountSid, from, recipients } = question;
    const key = keyOf(question);
    const sender = senders.get(key);
    if (sender) sender.recipients.push(...recipients);
    else senders.set(key, { accountSid, from, recipients: [...recipients] });
  }
  return JSON.stringify([...senders.values()]);
}

function factsAmong<Found extends Row>(rows: readonly Found[]) {
  const known = new Map(rows.map((row) => [keyOf(row), { row, optedOut: new Set(row.optedOut) }]));
  return (question: Question): { readonly row: Found; readonly facts: SenderFacts } => {
    const { row, optedOut } = known.get(keyOf(question)) as { row: Found; optedOut: ReadonlySet<string> };
    return {
      row,
      facts: {
        sender: row.status === null ? undefined : row,
        optedOut: optedOut.size === 0 ? [] : question.recipients.filter((number) => optedOut.has(number)),
      },
    };
  };
}
