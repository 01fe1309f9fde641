import type { AccountEvent, OutboundMessage } from "@tandem/sdk";
import { QueryObserver } from "@tanstack/react-query";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { UNTIL } from "../contract/messages.ts";

const KEY = ["messages", "sent", "recent"];
const row = (sid: string, status: string) => ({ sid, status }) as OutboundMessage;
const event = (Sid: string, Status: string) =>
  ({ type: "OutboundMessageStatusChanged", createdOn: "", payload: { Sid, Status } }) as unknown as AccountEvent;

beforeAll(() => void vi.stubGlobal("window", globalThis));
afterAll(() => void vi.unstubAllGlobals());

/** They need the window. */
const load = async () => ({
  ...(await import("../../portal/src/api/freshness.ts")),
  ...(await import("../../portal/src/api/queries.ts")),
});

test("an answer that was read before an event does not put its row back", async () => {
  const { freshness, queries } = await load();
  const shown = () => queries.getQueryData<readonly OutboundMessage[]>(KEY)?.map(({ status }) => status);
  queries.setQueryData(KEY, [row("OM1", "Queued")]);
  let answer: (rows: readonly OutboundMessage[]) => void = () => undefined;
  const reading = queries.fetchQuery({
    queryKey: KEY,
    staleTime: 0,
    queryFn: () =>
      new Promise<readonly OutboundMessage[]>((resolve) => {
        answer = resolve;
      }),
  });
  freshness.take(event("OM1", "Delivered"), "Account");
  await vi.waitFor(() => expect(shown()).toEqual(["Delivered"]));
  answer([row("OM2", "Queued"), row("OM1", "Sent")]);
  await reading;
  await vi.waitFor(() => expect(shown()).toEqual(["Queued", "Delivered"]));
  queries.clear();
});

test("a message enters a list of one status, and leaves it, with each of its events", async () => {
  const { freshness, queries } = await load();
  let status = "Queued";
  const queryKey = ["messages", "sent", "list", "status:Sent"];
  const queryFn = () => [{ items: status === "Sent" ? [row("OM3", status)] : [] }];
  const observer = new QueryObserver(queries, { queryKey, queryFn });
  const leave = observer.subscribe(() => undefined);
  const shown = () => observer.getCurrentResult().data?.[0]?.items.map(({ sid }) => sid);
  await vi.waitFor(() => expect(shown()).toEqual([]));
  for (const [next, rows] of [
    ["Queued", []],
    ["Sent", ["OM3"]],
    ["Delivered", []],
  ] as const) {
    status = next;
    const readOn = observer.getCurrentResult().dataUpdatedAt;
    freshness.take(event("OM3", next), "Account");
    await vi.waitFor(() => expect(observer.getCurrentResult().dataUpdatedAt).toBeGreaterThan(readOn), UNTIL);
    expect(shown()).toEqual(rows);
  }
  leave();
  queries.clear();
});
