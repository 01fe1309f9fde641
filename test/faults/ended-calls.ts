// The calls of an account whose server died: how many have a status, and whether all of them were ended and reported.

import { expect } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { answerOf, type List, whenListed } from "../contract/numbers.ts";

const SIX = [
  "First Ringing",
  "First Answered",
  "Second Ringing",
  "Second Answered",
  "First Completed",
  "Second Completed",
];

type Callable = Pick<TestAccount, "call">;

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly endedBy: string | null;
}

interface CallEvent {
  readonly resourceSid: string;
  readonly payload: { readonly Leg: string; readonly Status: string };
}

export async function countOf({ call }: Callable, status: string): Promise<number> {
  const { items } = await answerOf<List<CallBody>>(await call(`/v1/Calls?Status=${status}&PageSize=1000`), 200);
  return items.length;
}

/** Every call of the account has failed, and each of its events was stored once and in order. */
export async function expectToldOnce(account: Callable): Promise<void> {
  const { items: calls } = await answerOf<List<CallBody>>(await account.call("/v1/Calls?PageSize=1000"), 200);
  for (const call of calls)
    expect(call).toMatchObject({ status: "Completed", endReason: "Failed", endedBy: "Service" });
  await whenListed(account);
  const told = new Map<string, string[]>(calls.map(({ sid }) => [sid, []]));
  for (let path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending&Type=CallStatusChangedWebhook"; path !== ""; ) {
    const { items, searchId } = await answerOf<List<CallEvent>>(await account.call(path), 200);
    for (const { resourceSid, payload } of items) told.get(resourceSid)?.push(`${payload.Leg} ${payload.Status}`);
    path =
      searchId === undefined
        ? ""
        : `/v1/Events?PageSize=1000&OrderByDirection=Ascending&Type=CallStatusChangedWebhook&SearchId=${searchId}`;
  }
  for (const [sid, events] of told) expect(events, sid).toStrictEqual(SIX);
}
