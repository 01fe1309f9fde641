// A conference that has ended, in the database: one under way needs calls.

import { randomUUID } from "node:crypto";
import type { UsedTandem } from "../use-tandem.ts";

/** Returns its sid. */
export async function storedConference(
  { database }: Pick<UsedTandem, "database">,
  accountSid: string,
  name = "fuzzed",
): Promise<string> {
  const sid = `CF${randomUUID().replaceAll("-", "")}`;
  await database.query(
    `insert into conferences (sid, account_sid, name, status, process, created_at, completed_at, end_reason, participants)
     values ($1, $2, $3, 'Completed', 0, now(), now(), 'Api', '[]')`,
    [sid, accountSid, name],
  );
  return sid;
}
