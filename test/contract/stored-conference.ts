// A conference that has ended, in the database: one under way needs calls.

import { randomUUID } from "node:crypto";
import type { UsedTandem } from "../use-tandem.ts";

interface ConferenceOrder {
  readonly name?: string;
  /** Is in its record. */
  readonly callSid?: string;
  /** Becomes its recording. */
  readonly recordingSid?: string;
}

/** Returns its sid. */
export async function storedConference(
  { database }: Pick<UsedTandem, "database">,
  accountSid: string,
  { name = "fuzzed", callSid, recordingSid }: ConferenceOrder = {},
): Promise<string> {
  const joinedOn = new Date().toISOString();
  const part = { label: null, muted: false, hold: false, startsOnEnter: true, endsOnExit: false, joinedOn };
  const participants = JSON.stringify(callSid === undefined ? [] : [{ callSid, ...part }]);
  const sid = `CF${randomUUID().replaceAll("-", "")}`;
  await database.query(
    `insert into conferences (sid, account_sid, name, status, process, created_at, completed_at, end_reason, participants,
                              recording_sid)
     values ($1, $2, $3, 'Completed', 0, now(), now(), 'Api', $4, $5)`,
    [sid, accountSid, name, participants, recordingSid],
  );
  await database.query("update call_recordings set conference_sid = $1 where sid = $2", [sid, recordingSid]);
  return sid;
}
