import type { AccountEvent, OutboundMessage } from "@tandem/sdk";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { UNTIL } from "../contract/messages.ts";

const KEY = ["messages", "sent", "recent"];
const row = (sid: string, status: string) => ({ sid, status }) as OutboundMessage;
const event = (Sid: string, Status: string) =>
  ({ type: "OutboundMessageStatusChanged", createdOn: "", payload: { Sid, Status } }) as unknown as AccountEvent;

beforeAll(() => void vi.stubGlobal("window", globalThis));
afterAll(() => void vi.unstubAllGlobals());

interface Observer<Data> {
  subscribe(listener: () => void): () => void;
  getCurrentResult(): { readonly data?: Data; readonly dataUpdatedAt: number };
}

interface Queries {
  getQueryData<Data>(key: readonly string[]): Data | undefined;
  setQueryData(key: readonly string[], data: unknown): void;
  fetchQuery(query: object): Promise<unknown>;
  getQueryState(key: readonly string[]): { readonly isInvalidated: boolean } | undefined;
  mount(): void;
  unmount(): void;
  clear(): void;
}

interface Loaded {
  readonly freshness: { take(event: AccountEvent, kind: "Account"): void };
  readonly queries: Queries;
  readonly focusManager: { setFocused(isFocused?: boolean): void };
  readonly QueryObserver: new <Data>(
    queries: Queries,
    query: { readonly queryKey: readonly string[]; readonly queryFn: () => Data | Promise<Data> },
  ) => Observer<Data>;
}

/** They need the window, and the types of a page, which tests do not have. */
async function load(): Promise<Loaded> {
  const names = ["../../portal/src/api/freshness.ts", "../../portal/src/api/queries.ts"];
  const modules = [...names.map((name) => new URL(name, import.meta.url).href), "@tanstack/react-query"];
  return Object.assign({}, ...(await Promise.all(modules.map((name) => import(name))))) as Loaded;
}

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
  await vi.waitFor(() => expect(shown()).toEqual(["Delivered"]), UNTIL);
  answer([row("OM2", "Queued"), row("OM1", "Sent")]);
  await reading;
  await vi.waitFor(() => expect(shown()).toEqual(["Queued", "Delivered"]), UNTIL);
  queries.clear();
});

test("a message enters a list of one status, and leaves it, with each of its events", async () => {
  const { freshness, queries, QueryObserver } = await load();
  let status = "Queued";
  const queryKey = ["messages", "sent", "list", "status:Sent"];
  const queryFn = () => [{ items: status === "Sent" ? [row("OM3", status)] : [] }];
  const observer = new QueryObserver(queries, { queryKey, queryFn });
  const leave = observer.subscribe(() => undefined);
  const shown = () => observer.getCurrentResult().data?.[0]?.items.map(({ sid }) => sid);
  await vi.waitFor(() => expect(shown()).toEqual([]), UNTIL);
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

test("a first answer that was read before an event is asked for again", async () => {
  const { freshness, queries, QueryObserver } = await load();
  const answers: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const first = new QueryObserver(queries, { queryKey: ["messages", "thread", "+14155550100"], queryFn });
  let rounds = 0;
  const other = new QueryObserver(queries, {
    queryKey: ["messages", "thread", "+14155550101"],
    queryFn: () => ++rounds,
  });
  const leaving = [first, other].map((observer) => observer.subscribe(() => undefined));
  await vi.waitFor(() => expect({ rounds, asked: answers.length }).toEqual({ rounds: 1, asked: 1 }), UNTIL);
  freshness.take(event("OM4", "Delivered"), "Account");
  await vi.waitFor(() => expect(rounds).toBe(2), UNTIL);
  answers[0]?.("before");
  await vi.waitFor(() => expect(answers).toHaveLength(2), UNTIL);
  answers[1]?.("after");
  await vi.waitFor(() => expect(first.getCurrentResult().data).toBe("after"), UNTIL);
  for (const leave of leaving) leave();
  queries.clear();
});

test("a tab that is not in sight reads nothing again until it is looked at", async () => {
  const { freshness, queries, QueryObserver, focusManager } = await load();
  let reads = 0;
  const queryKey = ["calls", "home"];
  const observer = new QueryObserver(queries, { queryKey, queryFn: () => ++reads });
  queries.mount();
  const leave = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(1), UNTIL);
  focusManager.setFocused(false);
  freshness.take({ ...event("CA1", "Answered"), type: "CallStatusChangedWebhook" } as AccountEvent, "Account");
  await vi.waitFor(() => expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true), UNTIL);
  expect(reads).toBe(1);
  focusManager.setFocused(true);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2), UNTIL);
  focusManager.setFocused(undefined);
  leave();
  queries.unmount();
  queries.clear();
});
