// What decides whether a number may send to somebody, asked for all messages that arrive together in one statement.

import type { SenderDirectory, SenderFacts, SenderStanding, SendingTimes } from "../../../domain/messaging/index.ts";
import type { Database } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";

interface Row {
  readonly account_sid: string;
  readonly from_number: string;
  readonly status: SenderStanding["status"] | null;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly campaign_status: SenderStanding["campaignStatus"];
  readonly default_expiry_seconds: number | null;
  readonly sending_times: SendingTimes | null;
  readonly opted_out: string[] | null;
}

// Asked in JSON: of an array the planner looks at the length, and for a short one makes a plan of its own every time.
const FACTS = `
select asked.account_sid, asked.from_number, phone.status, phone.messaging_config_sid, config.tcr_campaign_id, campaign.status as campaign_status,
       config.default_expiry_seconds, config.sending_times,
       (select array_agg(distinct opt_outs.number) from opt_outs
         where opt_outs.account_sid = asked.account_sid and opt_outs.number = any(asked.recipients)
           and ((scope_type = 'SenderPhoneNumber' and scope = asked.from_number)
             or (scope_type = 'TcrCampaign' and scope = config.tcr_campaign_id))) as opted_out
  from json_to_recordset($1) as asked (account_sid text, from_number text, recipients text[])
  left join phones as phone on phone.number = asked.from_number and phone.status <> 'Removed' and phone.account_sid = asked.account_sid
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
  left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id`;

interface AskedSender {
  readonly account_sid: string;
  readonly from_number: string;
  readonly recipients: string[];
}

interface Question {
  readonly accountSid: string;
  readonly from: string;
  readonly recipients: readonly string[];
}

export function senderDirectory(db: Database, countryOf: (number: string) => string | undefined): SenderDirectory {
  const questions = gather<Question, SenderFacts>(async (asked) => {
    const senders = sendersOf(asked);
    const rows = await db.query<Row>(FACTS, [JSON.stringify([...senders.values()])], "sender-facts");
    const known = new Map(rows.map((row) => [keyOf(row.account_sid, row.from_number), standingOf(row)]));
    return asked.map((question) => {
      const { sender, optedOut } = known.get(keyOf(question.accountSid, question.from)) as Standing;
      return {
        sender,
        optedOut: optedOut.size === 0 ? [] : question.recipients.filter((number) => optedOut.has(number)),
      };
    });
  });
  return {
    factsOf: (question) => questions.ask(question),
    async countriesOf(accountSid) {
      const rows = await db.query<{ number: string }>(
        "select number from phones where account_sid = $1 and status <> 'Removed'",
        [accountSid],
      );
      const countries = rows.map(({ number }) => countryOf(number)).filter((country) => country !== undefined);
      return [...new Set(countries)].sort();
    },
  };
}

const keyOf = (accountSid: string, from: string) => `${accountSid} ${from}`;

/** Messages of one number often arrive together: it is looked up once, for the recipients of all of them. */
function sendersOf(asked: readonly Question[]): ReadonlyMap<string, AskedSender> {
  const senders = new Map<string, AskedSender>();
  for (const { accountSid, from, recipients } of asked) {
    const key = keyOf(accountSid, from);
    const sender = senders.get(key);
    if (sender) sender.recipients.push(...recipients);
    else senders.set(key, { account_sid: accountSid, from_number: from, recipients: [...recipients] });
  }
  return senders;
}

interface Standing {
  readonly sender: SenderStanding | undefined;
  readonly optedOut: ReadonlySet<string>;
}

function standingOf(row: Row): Standing {
  const optedOut = new Set(row.opted_out);
  if (row.status === null) return { sender: undefined, optedOut };
  return {
    sender: {
      status: row.status,
      messagingConfigSid: row.messaging_config_sid,
      tcrCampaignId: row.tcr_campaign_id,
      campaignStatus: row.campaign_status,
      defaultExpirySeconds: row.default_expiry_seconds,
      sendingTimes: row.sending_times,
    },
    optedOut,
  };
}
