// What must hold of a migration whatever was killed meanwhile: its numbers are Active by the same three moves, each
// stored once and delivered to the receiver in order, nothing under two ids, and one event for the campaign.

import type { Database } from "../../src/adapters/store/engine/database.ts";
import type { Received } from "../journeys/listen-receiver.ts";

export const WAY = ["PendingPortIn", "PendingTcrCampaignAdd", "Active"] as const;

/** From the database: number or campaign → its events, in order. */
export async function storedOf(
  database: Database,
  accountSid: string,
  type: "PhoneNumberStatusChanged" | "TcrCampaignImported",
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await database.query<{ resource: string; told: string[] }>(
    `select resource_sid as resource, array_agg(coalesce(fields->>'Status', fields->>'LinkOutcome') order by sequence) as told
       from events where account_sid = $1 and type = $2 group by resource_sid`,
    [accountSid, type],
  );
  return new Map(rows.map(({ resource, told }) => [resource, told]));
}

/** Faults in the status events that a receiver got. A repeat under the same id is no fault. */
export function faultsIn(received: readonly Received[], numbers: readonly string[]): readonly string[] {
  const heard = new Map<string, { readonly id: string; readonly status: string; readonly sequence: number }[]>();
  const faults: string[] = [];
  for (const { id, event } of received) {
    const [number, status, sequence] = [String(event.Number), String(event.Status), Number(event.Sequence)];
    const before = heard.get(number) ?? [];
    const same = before.find((told) => told.status === status);
    if (same && same.id !== id) faults.push(`${number}: ${status} was told under two ids`);
    if (same) continue;
    const last = before.at(-1);
    if (last && last.sequence >= sequence) faults.push(`${number}: ${status} was told after ${last.status}`);
    heard.set(number, [...before, { id, status, sequence }]);
  }
  for (const number of numbers) {
    const told = (heard.get(number) ?? []).map(({ status }) => status).join(", ");
    if (told !== WAY.join(", ")) faults.push(`${number}: told were ${told || "none"}`);
  }
  return faults;
}
