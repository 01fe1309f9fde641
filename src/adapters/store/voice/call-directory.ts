// What is known about a number of ours when it is called; many are looked up by one statement.

import type { CallDirectory, CalledNumber, CallerIdFacts } from "../../../domain/voice/index.ts";
import { type AccountRow, countryOf as countryBy, oldestOf } from "../accounts/accounts.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { countOf, first } from "../engine/statements.ts";
import type { CallLease } from "./call-lease.ts";

// The calls of this process, which are most of them, are passed over by the index: it knows how many it has.
const FIND = named(
  "called-numbers",
  `
select phone.number, phone.account_sid as "accountSid", phone.messaging_config_sid as "messagingConfigSid",
       'VOICE' = any (phone.features) as "hasVoice", phone.calls_forwarded_to as "callsForwardedTo",
       phone.record_inbound_calls as "recordInboundCalls",
       json_build_object('status', account.status, 'features', account.features, 'allowedCountries', account.allowed_countries,
                         'limitChanges', account.limit_changes, 'country', account.country) as account,
       ${oldestOf("account")} as oldest,
       ${["is null", "< $3", "> $3"]
         .map(
           (process) =>
             `(select count(*)::int from calls where calls.account_sid = phone.account_sid and calls.status <> 'Completed' and process ${process})`,
         )
         .join("\n       + ")} as "callsElsewhere",
       asked.caller, (
         select json_build_object('callSid', sid, 'chain', forwarding_chain) from (
           select sid, forwarding_chain from calls
            where forwarding_to = phone.number and forwarding_from = asked.caller and status <> 'Completed'
           union all
           select sid, forwarding_chain from calls
            where forwarding_others @> array[phone.number] and forwarding_from = asked.caller and status <> 'Completed') as forwarded
          order by cardinality(forwarding_chain) desc limit 1) as continued
  from unnest($1::text[], $2::text[]) as asked (number, caller) join phones as phone on phone.number = asked.number
  join accounts as account on account.sid = phone.account_sid
 where phone.number = any ($1) and phone.status <> 'Removed'`,
);

/** The most in a statement, and under load the shortest time from the start of one to that of the next. */
const BATCH_MAX = 500;
const PACE_MS = 20;

/** The calls, and of the parties that one calls at the same time each further one. */
export const COUNTED_CALLS = `(count(*) + coalesce(sum(greatest((
  select count(*) from call_legs where call_sid = calls.sid and leg = 'Second' and call_legs.status <> 'Completed') - 1, 0)), 0))::int as count`;

interface CalledRow extends CalledNumber, Pick<AccountRow, "oldest"> {
  readonly caller: string;
}

function toCalled({ oldest, account, ...called }: Omit<CalledRow, "caller">): CalledNumber {
  return { ...called, account: { ...account, country: account.country ?? countryBy(oldest) } };
}

interface Question {
  readonly numbers: readonly string[];
  readonly caller: string;
}

export function callDirectory(
  db: Database,
  lease: Pick<CallLease, "id">,
  countryOf: (number: string) => string | undefined,
): CallDirectory {
  const finds = gather<Question, CalledNumber | undefined>(
    async (questions) => {
      const asked = new Map(
        questions.flatMap(({ numbers, caller }) =>
          numbers.map((number) => [keyOf(number, caller), { number, caller }]),
        ),
      );
      const pairs = [...asked.values()];
      const lists = [pairs.map(({ number }) => number), pairs.map(({ caller }) => caller)];
      const rows = await db.query<CalledRow>(FIND, [...lists, lease.id]);
      const known = new Map(rows.map(({ caller, ...row }) => [keyOf(row.number, caller), toCalled(row)]));
      return questions.map(({ numbers, caller }) =>
        numbers.map((number) => known.get(keyOf(number, caller))).find((found) => found !== undefined),
      );
    },
    BATCH_MAX,
    PACE_MS,
  );
  return {
    findCalled: (numbers, caller) => finds.ask({ numbers, caller }),
    async countriesOf(accountSid) {
      const countries = (await numbersOf(db, accountSid)).map(countryOf).filter((country) => country !== undefined);
      return [...new Set(countries)].sort();
    },
    callsElsewhere: (accountSid) =>
      countOf(
        db,
        `select ${COUNTED_CALLS} from calls where account_sid = $1 and status <> 'Completed' and process is distinct from $2`,
        [accountSid, lease.id],
      ),
    mayShow: async (accountSid, number) => (await callerIdOf(db, accountSid, number)) !== undefined,
  };
}

function keyOf(number: string, caller: string): string {
  return `${number} ${caller}`;
}

/** The wanted number, if it is one of the account's with VOICE; if none is wanted, the oldest such number. */
export function callerIdOf(
  db: Queryable,
  accountSid: string,
  wanted: string | null,
): Promise<CallerIdFacts | undefined> {
  return first<CallerIdFacts>(
    db,
    `select number, messaging_config_sid as "messagingConfigSid" from phones
      where account_sid = $1 and status <> 'Removed' and 'VOICE' = any (features) and ($2::text is null or number = $2)
      order by created_at, number limit 1`,
    [accountSid, wanted],
  );
}

/** The numbers of the account that are not removed. */
export async function numbersOf(db: Queryable, accountSid: string): Promise<readonly string[]> {
  const rows = await db.query<{ number: string }>(
    "select number from phones where account_sid = $1 and status <> 'Removed'",
    [accountSid],
  );
  return rows.map(({ number }) => number);
}
