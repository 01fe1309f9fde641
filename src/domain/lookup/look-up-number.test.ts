import { describe, expect, it, vi } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { systemClock } from "../../base/clock.ts";
import { newAnswerCache } from "./answer-cache.ts";
import type { GuardedFinding, GuardedProvider } from "./guarded-provider.ts";
import { type LookupDeps, lookUpNumber } from "./look-up-number.ts";
import { lookUpNumbers } from "./look-up-numbers.ts";
import type { LookupAnswer } from "./number-info.ts";
import type { BlockHolder, KnownAnswer, KnownAnswers } from "./ports.ts";

const NUMBER = "+12127361234";
const NOW = new Date("2026-11-15T12:00:00Z");
const DAY_MS = 24 * 3600 * 1000;
const DEAD: GuardedFinding = { kind: "unavailable", why: "failed", detail: "dead" };
const later = (ms: number) => new Date(NOW.getTime() + ms);

const BLOCKS: Readonly<Record<string, BlockHolder>> = {
  [NUMBER]: { carrierName: "Old Bell", lineType: "Landline", asOf: new Date("2014-02-01") },
  "+13125550000": { carrierName: "New Mobile", lineType: "Wireless", asOf: new Date("2026-09-03") },
};

const byTable: LookupAnswer = {
  info: { number: NUMBER, status: "Inactive", type: "Landline", carrierName: "Old Bell" },
  source: "table",
  asOf: new Date("2014-02-01"),
};

function answer(source: LookupAnswer["source"], asOf = NOW): LookupAnswer {
  return { info: { number: NUMBER, status: "Active", type: "VoIP", carrierName: source }, source, asOf };
}

function provider(finding: GuardedFinding, changes: Partial<GuardedProvider> = {}) {
  return {
    name: "dip",
    source: "enum" as const,
    callingCodes: [] as string[],
    cacheSeconds: 3600,
    negativeCacheSeconds: 60,
    state: () => "closed" as const,
    ask: vi.fn(async (_number: string) => finding),
    ...changes,
  };
}

function setUp(given: { known?: KnownAnswer; providers?: readonly GuardedProvider[]; store?: Partial<KnownAnswers> }) {
  const store = { find: vi.fn(async () => given.known), remember: vi.fn(async () => {}), ...given.store };
  const onFault = vi.fn();
  const deps: LookupDeps = {
    clock: new VirtualClock(NOW),
    known: store,
    table: { asOf: new Date("2026-09-03"), holderOf: (number) => BLOCKS[number] },
    providers: given.providers ?? [],
    recent: newAnswerCache(10),
    onFault,
  };
  const ask = async (input = NUMBER) => {
    const result = await lookUpNumber(deps, input);
    return result.ok ? result.value : result.refusal;
  };
  return { deps, store, onFault, ask };
}

describe("looking a number up", () => {
  it("refuses what is no number, and asks nobody", async () => {
    const { store, ask } = setUp({});
    expect(await ask("abc")).toEqual({ reason: expect.stringContaining("letters") });
    expect(store.find).not.toHaveBeenCalled();
  });

  it("answers from the table when nothing else knows, with the age of that layer", async () => {
    expect(await setUp({}).ask()).toEqual(byTable);
    expect(await setUp({}).ask("+12127369999")).toMatchObject({ source: "table", asOf: new Date("2026-09-03") });
  });

  it.each(["override", "own"] as const)("lets an answer of kind %s win over every provider", async (kind) => {
    const live = provider({ kind: "found" });
    const { ask } = setUp({ known: { kind, answer: answer(kind) }, providers: [live] });
    expect(await ask()).toEqual(answer(kind));
    expect(live.ask).not.toHaveBeenCalled();
  });

  it("uses a remembered answer while it is fresh, and asks again when it is not", async () => {
    const live = provider({ kind: "found", type: "Wireless" });
    const fresh = { kind: "cached", answer: answer("http"), expiresAt: later(1) } as const;
    expect(await setUp({ known: fresh, providers: [live] }).ask()).toEqual(answer("http"));
    const expired = { ...fresh, expiresAt: later(0) };
    expect(await setUp({ known: expired, providers: [live] }).ask()).toMatchObject({ source: "enum" });
  });

  it("follows the routing number that a provider found, and remembers the answer", async () => {
    const { store, ask } = setUp({ providers: [provider({ kind: "found", routingNumber: "+13125550000" })] });
    const expected: LookupAnswer = {
      info: { number: NUMBER, status: "Active", type: "Wireless", carrierName: "New Mobile" },
      source: "enum",
      asOf: NOW,
      ported: true,
    };
    expect(await ask()).toEqual(expected);
    expect(store.remember).toHaveBeenCalledExactlyOnceWith(expected, later(3600_000));
  });

  it.each([
    ["a routing number of its own", "enum", { routingNumber: NUMBER }, false],
    ["no routing number of a database that was asked", "sip", {}, false],
    ["a carrier alone", "enum", { carrierName: "New Mobile" }, undefined],
    ["a type, by a service", "http", { type: "VoIP" }, undefined],
  ] as const)("says what is known of its being ported: %s", async (_what, source, finding, ported) => {
    const found = await setUp({ providers: [provider({ kind: "found", ...finding }, { source })] }).ask();
    expect(found).toMatchObject({ source });
    expect((found as LookupAnswer).ported).toBe(ported);
  });

  it("asks only providers that serve the calling code, in order, until one finds it", async () => {
    const british = provider({ kind: "found" }, { callingCodes: ["44"] });
    const empty = provider({ kind: "notFound" }, { callingCodes: ["1"] });
    const finds = provider({ kind: "found", carrierName: "Cloud" }, { source: "http" });
    const last = provider({ kind: "found" });
    const { ask } = setUp({ providers: [british, empty, finds, last] });
    expect(await ask()).toMatchObject({ source: "http", info: { carrierName: "Cloud" } });
    const timesAsked = [british, empty, finds, last].map(({ ask }) => vi.mocked(ask).mock.calls.length);
    expect(timesAsked).toEqual([0, 1, 1, 0]);
  });

  it("remembers that no one found it, for the shortest time any of them asks for", async () => {
    const providers = [provider({ kind: "notFound" }), provider({ kind: "notFound" }, { negativeCacheSeconds: 30 })];
    const { store, ask } = setUp({ providers });
    expect(await ask()).toEqual(byTable);
    expect(store.remember).toHaveBeenCalledExactlyOnceWith(byTable, later(30_000));
  });

  it("answers from the table when a provider fails, tells of it and remembers nothing", async () => {
    const { store, onFault, ask } = setUp({ providers: [provider(DEAD), provider({ kind: "notFound" })] });
    expect(await ask()).toEqual(byTable);
    expect(onFault).toHaveBeenCalledExactlyOnceWith({
      kind: "provider",
      provider: "dip",
      why: "failed",
      detail: "dead",
    });
    expect(store.remember).not.toHaveBeenCalled();
  });

  it.each([
    ["younger than a week", answer("http", later(1 - 7 * DAY_MS)), "http"],
    ["a week old", answer("http", later(-7 * DAY_MS)), "table"],
    ["only the table's", { ...byTable, asOf: NOW }, "table"],
  ])("when a provider fails and an expired answer is %s", async (_, stale, source) => {
    const known = { kind: "cached", answer: stale, expiresAt: later(-1) } as const;
    expect(await setUp({ known, providers: [provider(DEAD)] }).ask()).toMatchObject({ source });
  });

  it("goes on without a store that fails, and keeps its own memory meanwhile", async () => {
    const broken = () => Promise.reject(new Error("store down"));
    const live = provider({ kind: "found", type: "VoIP" });
    const { onFault, ask } = setUp({ providers: [live], store: { find: broken, remember: broken } });
    expect(await ask()).toMatchObject({ source: "enum" });
    expect(await ask()).toMatchObject({ source: "enum" });
    expect(live.ask).toHaveBeenCalledTimes(1);
    expect(onFault.mock.calls.map(([fault]) => fault.action)).toEqual(["find", "remember", "find"]);
  });

  it("does not wait for the store to remember, nor stumble when it throws at once", async () => {
    const providers = [provider({ kind: "found" })];
    const hanging = setUp({ providers, store: { remember: () => new Promise(() => {}) } });
    expect(await hanging.ask()).toMatchObject({ source: "enum" });
    const throwing = setUp({
      providers,
      store: {
        remember: () => {
          throw new Error("no");
        },
      },
    });
    expect(await throwing.ask()).toMatchObject({ source: "enum" });
    await vi.waitFor(() => expect(throwing.onFault).toHaveBeenCalledOnce());
  });

  it("keeps nothing when a provider's answers are not to be kept", async () => {
    const { store, deps, ask } = setUp({ providers: [provider({ kind: "found" }, { cacheSeconds: 0 })] });
    await ask();
    expect(store.remember).not.toHaveBeenCalled();
    expect(deps.recent.size).toBe(0);
  });

  it("lets an override set a moment ago win over its own memory", async () => {
    const { store, ask } = setUp({ providers: [provider({ kind: "found" })] });
    await ask();
    vi.mocked(store.find).mockResolvedValue({ kind: "override", answer: answer("override") });
    expect(await ask()).toEqual(answer("override"));
  });
});

describe("looking many numbers up", () => {
  it("answers in order, a bad one in its place, each number asked once", async () => {
    const { deps, store } = setUp({});
    const items = await lookUpNumbers(deps, [NUMBER, "abc", "1 (212) 736-1234", "+442071838750", ""], null);
    expect(items.map((item) => (item.kind === "answered" ? item.answer.info.number : item.number))).toEqual([
      NUMBER,
      "abc",
      NUMBER,
      "+442071838750",
      "",
    ]);
    expect(items[1]).toMatchObject({ kind: "refused", error: expect.stringContaining("letters") });
    expect(store.find).toHaveBeenCalledTimes(2);
  });

  it("has a bounded number of questions under way", async () => {
    let underWay = 0;
    let most = 0;
    const find = async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return undefined;
    };
    const { deps } = setUp({ store: { find } });
    const numbers = Array.from({ length: 300 }, (_, at) => `+1212736${String(at).padStart(4, "0")}`);
    const items = await lookUpNumbers({ ...deps, clock: systemClock }, numbers, null);
    expect(items.map((item) => item.kind === "answered" && item.answer.info.number)).toEqual(numbers);
    expect(most).toBe(32);
  });

  it("gives way to other requests after each hundred numbers, also when it waits for nothing", async () => {
    const { deps } = setUp({ store: { find: () => undefined } });
    const clock = deps.clock as VirtualClock;
    const numbers = Array.from({ length: 350 }, (_, at) => `+1212736${String(at).padStart(4, "0")}`);
    let found = 0;
    const holderOf = () => {
      found++;
      return undefined;
    };
    const stretches: number[] = [];
    const soon = (run: () => void) => {
      stretches.push(found);
      clock.soon(run);
    };
    const pausing = { now: clock.now, isRight: true, elapsedMs: () => 0, after: clock.after.bind(clock), soon };
    const table = { ...deps.table, holderOf };
    const items = await clock.until(lookUpNumbers({ ...deps, table, clock: pausing }, numbers, null));
    expect(items).toHaveLength(350);
    expect(stretches).toHaveLength(3);
    const lengths = stretches.map((count, at) => count - (stretches[at - 1] ?? 0));
    expect(Math.max(...lengths), "and those under way").toBeLessThanOrEqual(100 + 32);
  });

  it("of none is none", async () => {
    expect(await lookUpNumbers(setUp({}).deps, [], null)).toEqual([]);
  });
});
