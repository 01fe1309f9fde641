// Polls a call until it has ended, and writes the progress of each leg.

import { setTimeout as delay } from "node:timers/promises";
import type { Call, TandemClient } from "../../../../sdk/src/index.ts";

const POLL_MS = 250;

export interface FollowOrder {
  readonly client: TandemClient;
  readonly call: Call;
  readonly signal: AbortSignal;
  readonly write: (line: string) => void;
}

/** Returns the call when it has ended. */
export async function followCall({ client, call: placed, signal, write }: FollowOrder): Promise<Call> {
  const shown = new Set<string>();
  for (let call = placed; ; call = (await client.calls.get(placed.sid, { signal })).data) {
    for (const line of timelineOf(call)) {
      if (!shown.has(line)) write(line);
      shown.add(line);
    }
    if (call.status === "Completed") return call;
    await delay(POLL_MS, undefined, { signal });
  }
}

/** What has happened so far, in order: `09:30:01.250  First leg rings (+14155550100)`. */
export function timelineOf(call: Call): readonly string[] {
  const facts: { readonly at: string | null; readonly fact: string }[] = [
    { at: call.createdOn, fact: `${call.sid} was placed` },
  ];
  for (const { leg, to, rangOn, answeredOn } of call.legs) {
    facts.push({ at: rangOn, fact: `${leg} leg rings (${to})` }, { at: answeredOn, fact: `${leg} leg answers` });
  }
  facts.push({ at: call.answeredOn, fact: "the parties are connected" });
  const happened = facts.flatMap(({ at, fact }) => (at === null ? [] : [{ at, fact }]));
  if (call.completedOn !== null) {
    happened.push({ at: call.completedOn, fact: `ended: ${call.endReason}, by ${call.endedBy}` });
  }
  return happened
    .map(({ at, fact }, place) => ({ at, fact, place }))
    .sort((one, other) => one.at.localeCompare(other.at) || one.place - other.place)
    .map(({ at, fact }) => `${at.slice(11, 23)}  ${fact}`);
}
