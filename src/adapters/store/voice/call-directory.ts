// What is known of a number of ours when it is called; many are looked up by one statement.

import type { CallDirectory, CalledNumber } from "../../../domain/voice/index.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";

const FIND = `
select phone.number, phone.account_sid as "accountSid", phone.messaging_config_sid as "messagingConfigSid",
       'VOICE' = any (phone.features) as "hasVoice", phone.calls_forwarded_to as "callsForwardedTo",
       phone.record_inbound_calls as "recordInboundCalls",
       json_build_object('status', account.status, 'features', account.features, 'allowedCountries', account.allowed_countries,
                         'limitChanges', account.limit_changes) as account,
       (select count(*)::int from calls where calls.account_sid = phone.account_sid and calls.status <> 'Completed') as "activeCalls"
  from phones as phone join accounts as account on account.sid = phone.account_sid
 where phone.number = any ($1) and phone.status <> 'Removed'`;

export function callDirectory(db: Database, countryOf: (number: string) => string | undefined): CallDirectory {
  const finds = gather<readonly string[], CalledNumber | undefined>(async (asked) => {
    const rows = await db.query<CalledNumber>(FIND, [[...new Set(asked.flat())]], "called-numbers");
    const known = new Map(rows.map((row) => [row.number, row]));
    return asked.map((numbers) => numbers.map((number) => known.get(number)).find((found) => found !== undefined));
  });
  return {
    findCalled: (numbers) => finds.ask(numbers),
    async countriesOf(accountSid) {
      const countries = (await numbersOf(db, accountSid)).map(countryOf).filter((country) => country !== undefined);
      return [...new Set(countries)].sort();
    },
  };
}

/** The numbers that serve the account. */
export async function numbersOf(db: Queryable, accountSid: string): Promise<readonly string[]> {
  const rows = await db.query<{ number: string }>(
    "select number from phones where account_sid = $1 and status <> 'Removed'",
    [accountSid],
  );
  return rows.map(({ number }) => number);
}
