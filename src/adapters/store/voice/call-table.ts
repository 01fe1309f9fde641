// The columns of calls and legs, each described once, and how rows become records.

import type { Call, Leg } from "../../../domain/voice/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";

export type CallRow = Omit<Call, "legs">;
export type LegRow = Leg & { readonly callSid: string };

export const CALLS = table<CallRow>("calls", {
  sid: "sid",
  accountSid: "account_sid",
  direction: "direction",
  from: "from_party",
  to: "to_party",
  callerId: "caller_id",
  status: "status",
  endReason: "end_reason",
  endedBy: "ended_by",
  createdOn: "created_at timestamptz",
  answeredOn: "answered_at timestamptz",
  completedOn: "completed_at timestamptz",
});

export const LEGS = table<LegRow>("call_legs", {
  sid: "sid",
  callSid: "call_sid",
  leg: "leg",
  direction: "direction",
  from: "from_party",
  to: "to_party",
  status: "status",
  rangOn: "rang_at timestamptz",
  answeredOn: "answered_at timestamptz",
  completedOn: "completed_at timestamptz",
  endReason: "end_reason",
  sipCode: "sip_code smallint",
  media: "media json",
});

/** The calls with their legs, in the same order. */
export async function withLegs<Row extends CallRow>(
  db: Queryable,
  rows: readonly Row[],
): Promise<readonly (Row & Pick<Call, "legs">)[]> {
  if (rows.length === 0) return [];
  const found = await db.query<LegRow>(`${LEGS.select} where call_sid = any ($1) order by leg`, [
    rows.map(({ sid }) => sid),
  ]);
  const legs = new Map<string, Leg[]>(rows.map(({ sid }) => [sid, []]));
  for (const { callSid, ...leg } of found) legs.get(callSid)?.push(leg);
  return rows.map((row) => ({ ...row, legs: legs.get(row.sid) ?? [] }));
}
