import { expect, test, vi } from "vitest";
import { ActiveAccounts } from "../../../../base/active-accounts.ts";
import { type Clock, systemClock } from "../../../../base/clock.ts";
import type { LoggedEvent } from "../../../../domain/webhooks/index.ts";
import { LiveTap } from "../../core/live-tap.ts";
import type { AccountOperation } from "../../core/operation.ts";
import { type EventRouteDeps, eventOperations, newStreamLimit, operatorEventOperations } from "./events.ts";

const STREAMS_MAX = 20;
/** Reads take no time here, so their places do not rest. */
const RESTLESS: Clock = { ...systemClock, elapsedMs: () => 0 };

/** A log that the test fills, and a notifier that notifies only when the test says so or a reader leaves. */
function open() {
  const log: LoggedEvent[] = [];
  const hearing = new Set<() => void>();
  const asked = { count: 0, answer: true };
  const reads = { wait: async (_account: string): Promise<void> => undefined };
  const deps: EventRouteDeps = {
    mayGoOn: async () => {
      asked.count++;
      return asked.answer;
    },
    live: new LiveTap(),
    streams: newStreamLimit({ clock: RESTLESS, active: new ActiveAccounts(RESTLESS) }),
    clock: { ...systemClock, after: vi.fn(systemClock.after) },
    notifier: {
      isClosed: false,
      waitForEvents: (_account, _ms, left) =>
        new Promise((resolve) => {
          hearing.add(() => resolve(true));
          left.addEventListener("abort", () => resolve(false));
        }),
    },
    eventLog: {
      async after(account, position, limit) {
        await reads.wait(account);
        return log.slice(Number(position?.split("-")[1])).slice(0, limit);
      },
      list: async () => ({ items: [] }),
      end: async () => `1-${log.length}`,
      ofAllAfter: async (position, limit) => log.slice(Number(position.split("-")[1])).slice(0, limit),
      listAll: async () => ({ items: [] }),
      endOfAll: async () => "0-0",
    },
  };
  const stream = eventOperations.find(({ id }) => id === "streamEvents") as unknown as AccountOperation<
    never,
    never,
    never,
    EventRouteDeps
  >;
  return {
    log,
    ring: () => {
      for (const hear of hearing) hear();
      hearing.clear();
    },
    hearing,
    /** What a read of an account's log awaits. */
    readBy(read: typeof reads.wait) {
      reads.wait = read;
    },
    asked,
    live: deps.live,
    after: vi.mocked(deps.clock.after),
    async startForOperator(Include: string) {
      const [, all] = operatorEventOperations as unknown as readonly AccountOperation<
        never,
        never,
        never,
        EventRouteDeps
      >[];
      const outcome = await all?.handle({ query: { Include }, headers: {} } as never, undefined as never, deps);
      if (!outcome?.ok) throw new Error("the stream was not opened");
      return (outcome.value.stream as AsyncIterable<string>)[Symbol.asyncIterator]();
    },
    async start(query: { LastEventId?: string } = {}, headers: Record<string, string> = {}, sid = "AC1") {
      const outcome = await stream.handle({ account: { sid }, query, headers } as never, undefined as never, deps);
      return outcome.ok ? (outcome.value.stream as AsyncIterable<string>)[Symbol.asyncIterator]() : outcome.refusal;
    },
  };
}

type Lines = AsyncIterator<string>;

const event = (place: number): LoggedEvent => ({
  position: `1-${place}`,
  accountSid: "AC1",
  type: "OptOutChanged",
  resourceSid: `OO${place}`,
  sequence: 1,
  fields: {},
  createdOn: new Date(0),
});

const idOf = (line: string | undefined) => /^id: (\S+)\n/.exec(line ?? "")?.[1];

test("so many streams may be open at a time, even when they are opened in the same moment", async () => {
  const events = open();
  const opened = await Promise.all(Array.from({ length: STREAMS_MAX + 3 }, () => events.start()));
  const refused = opened.filter((one) => "code" in one);
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ code: "conflict", detail: expect.stringContaining("20 streams") });
  expect(await events.start({}, {}, "AC2")).toHaveProperty("next");
});

test("a reader who leaves makes room at once, though nothing happens in the account", async () => {
  const events = open();
  const opened = (await Promise.all(Array.from({ length: STREAMS_MAX }, () => events.start()))) as Lines[];
  for (const lines of opened) await lines.next();
  const waiting = opened.map((lines) => lines.next());
  await Promise.all(opened.map((lines) => lines.return?.()));
  await Promise.all(waiting);
  for (let at = 0; at < STREAMS_MAX; at++) expect(await events.start()).toHaveProperty("next");
});

test("a reader who leaves before the first line and one who leaves twice free one stream each", async () => {
  const events = open();
  const opened = (await Promise.all(Array.from({ length: STREAMS_MAX }, () => events.start()))) as Lines[];
  await opened[0]?.return?.();
  await opened[0]?.return?.();
  expect(await events.start()).toHaveProperty("next");
  expect(await events.start()).toMatchObject({ code: "conflict" });
});

test("what a browser says last counts before the URL it began with", async () => {
  const events = open();
  events.log.push(event(1), event(2), event(3));
  const lines = (await events.start({ LastEventId: "1-0" }, { "last-event-id": "1-2" })) as Lines;
  await lines.next();
  expect(idOf((await lines.next()).value)).toBe("1-3");
});

test("a reader far behind waits for one notifier, not for one per page", async () => {
  const events = open();
  for (let place = 1; place <= 1000; place++) events.log.push(event(place));
  const lines = (await events.start({ LastEventId: "1-0" })) as Lines;
  await lines.next();
  for (let place = 1; place <= 1000; place++) expect(idOf((await lines.next()).value)).toBe(`1-${place}`);
  expect(events.hearing.size).toBe(1);
});

test("a stream of all accounts rests after each read, also when it is far behind", async () => {
  const events = open();
  for (let place = 1; place <= 600; place++) events.log.push(event(place));
  const lines = await events.startForOperator("requests");
  await lines.next();
  events.after.mockClear();
  const rests: number[] = [];
  for (let place = 1; place <= 600; place++) {
    expect(idOf((await lines.next()).value)).toBe(`1-${place}`);
    if (place % 200 === 1) rests.push(events.after.mock.calls.filter(([ms]) => ms === 100).length);
  }
  expect(rests).toEqual([0, 1, 2]);
  await lines.return?.();
});

/** Streams of accounts whose reads end when the test says so, and the accounts that read just now. */
async function openReading(accounts: readonly string[]) {
  const events = open();
  const reading: { readonly account: string; readonly end: () => void }[] = [];
  events.readBy((account) => new Promise((end) => void reading.push({ account, end })));
  const start = async (account: string) => {
    const lines = (await events.start({ LastEventId: "1-0" }, {}, account)) as Lines;
    await lines.next();
    void lines.next();
    return lines;
  };
  const streams: Lines[] = [];
  for (const account of accounts) streams.push(await start(account));
  await settled();
  return {
    ...{ events, streams, start },
    readers: () => reading.map(({ account }) => account).join(" "),
    endFirst: async () => {
      reading.shift()?.end();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("the streams of one account read one at a time, and those of others beside them and before the rest", async () => {
  const { start, readers, endFirst } = await openReading(Array(10).fill("AC1"));
  expect(readers()).toBe("AC1");
  for (const account of ["AC2", "AC3", "AC4"]) await start(account);
  await settled();
  expect(readers()).toBe("AC1 AC2 AC3");
  await endFirst();
  expect(readers()).toBe("AC2 AC3 AC4");
  await endFirst();
  expect(readers()).toBe("AC3 AC4 AC1");
});

test("a stream that was left while it waited for its turn reads nothing", async () => {
  const { streams, readers, endFirst } = await openReading(["AC1", "AC1", "AC1"]);
  await streams[1]?.return?.();
  await endFirst();
  expect(readers()).toBe("AC1");
  await endFirst();
  expect(readers()).toBe("");
});

test("a read that fails frees its place", async () => {
  const events = open();
  events.readBy(() => Promise.reject(new Error("out of reach")));
  for (let tried = 0; tried < 5; tried++) {
    const lines = (await events.start({ LastEventId: "1-0" })) as Lines;
    await lines.next();
    await expect(lines.next()).rejects.toThrow("out of reach");
    await lines.return?.();
  }
});

test("an event that is stored while the reader is busy with others is read without another notifier", async () => {
  const events = open();
  events.log.push(event(1));
  const lines = (await events.start({ LastEventId: "1-0" })) as Lines;
  await lines.next();
  expect(idOf((await lines.next()).value)).toBe("1-1");
  events.log.push(event(2));
  events.ring();
  expect(idOf((await lines.next()).value)).toBe("1-2");
});

test("credentials are asked for with the first event, and not again with each that follows", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const events = open();
  const lines = (await events.start()) as Lines;
  await lines.next();
  for (let place = 1; place <= 5; place++) {
    const next = lines.next();
    await expect.poll(() => events.hearing.size).toBe(1);
    events.log.push(event(place));
    events.ring();
    expect(idOf((await next).value)).toBe(`1-${place}`);
  }
  clock.mockRestore();
  expect(events.asked.count).toBe(1);
});

test("a stream ends with the first event after its credentials", async () => {
  const events = open();
  const lines = (await events.start()) as Lines;
  await lines.next();
  events.asked.answer = false;
  const next = lines.next();
  await expect.poll(() => events.hearing.size).toBe(1);
  events.log.push(event(1));
  events.ring();
  expect((await next).done).toBe(true);
});

test("operators see what happens just now without signatures, and PDUs without their octets", async () => {
  const events = open();
  const lines = await events.startForOperator("requests,protocol");
  await lines.next();
  const signature = "s".repeat(43);
  const pdu = { command: "submit_sm", status: 0, sequence: 7, length: 60 };
  events.live.publish({ kind: "SmppPdu", accountSid: "AC1", data: { ...pdu, hex: "00ff" } }, 0);
  events.live.publish({ kind: "ApiRequest", accountSid: "AC1", data: { path: `/m?signature=${signature}` } }, 0);
  const shown = [(await lines.next()).value, (await lines.next()).value].map((line: string) =>
    JSON.parse(line.slice(line.indexOf("data: ") + 6)),
  );
  expect(shown).toStrictEqual([
    { ...pdu, accountSid: "AC1", skipped: 0 },
    { path: "/m?signature=hidden", accountSid: "AC1", skipped: 0 },
  ]);
  await lines.return?.();
});
