// What decides whether a number may send to somebody, asked for all messages that arrive together in one statement.

import type { SenderDirectory, SenderFacts, SenderStanding, SendingTimes } from "../../domain/messaging/index.ts";
import type { Database } from "./database.ts";
import { gather } from "./gather.ts";

interface Row {
  readonly status: SenderStanding["status"] | null;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly campaign_status: SenderStanding["campaignStatus"];
  readonly default_expiry_seconds: number | null;
  readonly sending_times: SendingTimes | null;
  readonly opted_out: string[] | null;
}

const FACTS = `
select phone.status, phone.messaging_config_sid, config.tcr_campaign_id, campaign.status as campaign_status,
       config.default_expiry_seconds, config.sending_times,
       (select array_agg(distinct opt_outs.number) from opt_outs
         where opt_outs.account_sid = asked.account_sid and opt_outs.number = any(string_to_array(asked.recipients, ','))
           and ((scope_type = 'SenderPhoneNumber' and scope = asked.from_number)
             or (scope_type = 'TcrCampaign' and scope = config.tcr_campaign_id))) as opted_out
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked (account_sid, from_number, recipients, place)
  left join phones as phone on phone.number = asked.from_number and phone.status <> 'Removed' and phone.account_sid = asked.account_sid
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
  left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id
 order by asked.place`;

interface Question {
  readonly accountSid: string;
  readonly from: string;
  readonly recipients: readonly string[];
}

export function senderDirectory(db: Database, countryOf: (number: string) => string | undefined): SenderDirectory {
  const questions = gather<Question, SenderFacts>(async (asked) => {
    const rows = await db.prepared<Row>("sender-facts", FACTS, [
      asked.map(({ accountSid }) => accountSid),
      asked.map(({ from }) => from),
      asked.map(({ recipients }) => recipients.join(",")),
    ]);
    return rows.map(toFacts);
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

function toFacts(row: Row): SenderFacts {
  const optedOut = row.opted_out ?? [];
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
