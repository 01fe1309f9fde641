// The calls that run now, however many have begun since.
//
// Guarantees: none is left out because newer calls fill a page. An account that has few calls is asked for them once.

import { CALL_STATUSES, type Call, type CallStatus } from "@tandem/sdk";

const RUNNING = CALL_STATUSES.filter((status) => status !== "Completed");

export interface CallSource {
  /** The newest calls; a `searchId` says that there are older ones. */
  readonly newest: () => Promise<{ readonly items: readonly Call[]; readonly searchId?: string }>;
  /** All calls of a status. */
  readonly withStatus: (status: CallStatus) => AsyncIterable<Call>;
}

export interface HomeCalls {
  readonly newest: readonly Call[];
  /** The newest first. */
  readonly running: readonly Call[];
}

export async function homeCalls({ newest, withStatus }: CallSource): Promise<HomeCalls> {
  const { items, searchId } = await newest();
  if (searchId === undefined) return { newest: items, running: items.filter(({ status }) => status !== "Completed") };
  const lists = await Promise.all(RUNNING.map((status) => collected(withStatus(status))));
  // One that has moved on between two answers is in both.
  const running = [...new Map(lists.flat().map((call) => [call.sid, call])).values()];
  return { newest: items, running: running.toSorted((one, other) => (one.sid < other.sid ? 1 : -1)) };
}

async function collected(calls: AsyncIterable<Call>): Promise<readonly Call[]> {
  const all: Call[] = [];
  for await (const call of calls) all.push(call);
  return all;
}
