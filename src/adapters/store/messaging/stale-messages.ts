// Messages that have waited, judged once more before they leave: some are refused after all, some are too early.

import { FAILURES, nextSendingTime, type Outgoing, type SendingTimes } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";

// What was checked when it was accepted, once more: its number may have been taken away, its campaign or account stopped, its recipient
// gone. And it may be night by now.
const NO_LONGER = `
select message.sid, config.sending_times,
       case when phone.status is distinct from 'Active' then 'sender'
            when campaign.status = 'Suspended' then 'campaignSuspended'
            when campaign.status <> 'Active' then 'campaignExpired'
            when opted_out.is_so then 'optedOut'
            when account.status <> 'Active' then 'account' end as why
  from outbound_messages as message
  join accounts as account on account.sid = message.account_sid
  left join phones as phone on phone.number = message.from_number and phone.status <> 'Removed' and phone.account_sid = message.account_sid
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
  left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id
  cross join lateral (
    select not message.is_reply and exists (select from opt_outs where opt_outs.account_sid = message.account_sid
                    and opt_outs.number = any(coalesce(message.recipients, array[message.to_number]))
                    and ((scope_type = 'SenderPhoneNumber' and scope = message.from_number)
                      or (scope_type = 'TcrCampaign' and scope = config.tcr_campaign_id))) as is_so) as opted_out
 where (message.account_sid, message.sid) in (select * from unnest($1::text[], $2::text[]))
   and (phone.status is distinct from 'Active' or campaign.status <> 'Active' or opted_out.is_so or account.status <> 'Active'
        or config.sending_times is not null and not message.is_reply)`;

const POSTPONE = `
with given as (
  select * from unnest($1::text[], $2::text[], $3::timestamptz[]) as given (account_sid, sid, until)
), queued as (
  update outbound_queue as queued set due_at = coalesce(given.until, queued.expires_at), claimed_by = null
    from given where queued.sid = given.sid and queued.claimed_by = $4 and queued.submitting is null
  returning queued.sid, queued.account_sid, queued.due_at
)
update outbound_messages as message set send_at = queued.due_at
  from queued where message.account_sid = queued.account_sid and message.sid = queued.sid`;

export interface EarlyMessage {
  readonly accountSid: string;
  readonly sid: string;
  /** Null when its hour does not come before it expires. */
  readonly until: Date | null;
}

export async function judgeAgain(db: Queryable, waited: readonly Outgoing[], now: Date) {
  const rows = await db.query<StaleRow>(NO_LONGER, [
    waited.map(({ accountSid }) => accountSid),
    waited.map(({ sid }) => sid),
  ]);
  const accounts = new Map(waited.map(({ sid, accountSid }) => [sid, accountSid]));
  const refused = rows.flatMap(({ sid, why }) =>
    why === null ? [] : [{ ...STALE[why], account_sid: accounts.get(sid) as string, sid }],
  );
  const openings = new Map<string, Date | undefined>();
  const openingOf = (times: SendingTimes | null) => {
    const key = JSON.stringify(times);
    if (!openings.has(key)) openings.set(key, nextSendingTime(times, now));
    return openings.get(key);
  };
  const early = rows.flatMap(({ sid, why, sending_times }): readonly EarlyMessage[] => {
    const until = why === null ? openingOf(sending_times) : now;
    return until === now ? [] : [{ accountSid: accounts.get(sid) as string, sid, until: until ?? null }];
  });
  return { refused, early };
}

/** Gives them back until their hour comes. */
export async function postpone(db: Queryable, early: readonly EarlyMessage[], term: number): Promise<void> {
  await db.query(POSTPONE, [
    early.map(({ accountSid }) => accountSid),
    early.map(({ sid }) => sid),
    early.map(({ until }) => until),
    term,
  ]);
}

interface StaleRow {
  readonly sid: string;
  /** Null when only the hour may be wrong. */
  readonly why: keyof typeof STALE | null;
  readonly sending_times: SendingTimes | null;
}

const REFUSED_LATER = { status: "Failed", link: null, carrier: "", carrier_ids: [] } as const;
const STALE = {
  optedOut: {
    ...REFUSED_LATER,
    status_reason: "The recipient opted out while it waited",
    error_code: FAILURES.optedOut.code,
    error_description: FAILURES.optedOut.description,
  },
  account: {
    ...REFUSED_LATER,
    status_reason: "The account was suspended when it was due",
    error_code: 3019,
    error_description: "The account is suspended.",
  },
  sender: {
    ...REFUSED_LATER,
    status_reason: "The sender was no longer active when it was due",
    error_code: 4,
    error_description: "The sender is not active.",
  },
  campaignSuspended: {
    ...REFUSED_LATER,
    status_reason: "The sender's campaign was no longer active when it was due",
    error_code: 3015,
    error_description: "The sender's campaign is suspended.",
  },
  campaignExpired: {
    ...REFUSED_LATER,
    status_reason: "The sender's campaign was no longer active when it was due",
    error_code: 3017,
    error_description: "The sender's campaign has expired.",
  },
} as const;
