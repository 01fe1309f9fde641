import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { guardProvider } from "./guarded-provider.ts";
import type { LiveFinding, LiveProvider } from "./ports.ts";

const NOT_FOUND: LiveFinding = { kind: "notFound" };
const never = () => new Promise<LiveFinding>(() => {});
const dead = () => Promise.reject(new Error("dead"));

let clock: VirtualClock;

function guarded(ask: LiveProvider["ask"], changes: Partial<LiveProvider> = {}) {
  const provider: LiveProvider = {
    name: "dip",
    source: "enum",
    callingCodes: [],
    deadlineMs: 500,
    concurrencyMax: 2,
    cacheSeconds: 60,
    negativeCacheSeconds: 5,
    ask,
    ...changes,
  };
  return guardProvider(provider, { clock, failuresMax: 3, coolDownMs: 10_000 });
}

beforeEach(() => {
  clock = new VirtualClock();
});
afterEach(() => {
  expect(clock.waiting).toBe(0);
});

describe("a guarded provider", () => {
  it("hands on what the provider found", async () => {
    const found: LiveFinding = { kind: "found", type: "Wireless" };
    expect(await guarded(async () => found).ask("+1")).toEqual(found);
    expect(await guarded(async () => NOT_FOUND).ask("+1")).toEqual(NOT_FOUND);
  });

  it.each<[string, LiveProvider["ask"]]>([
    ["rejects", dead],
    [
      "throws at once",
      () => {
        throw new Error("dead");
      },
    ],
    ["rejects with something that cannot be printed", () => Promise.reject(Object.create(null))],
    ["answers nonsense", async () => undefined as never],
    ["returns no promise", () => 7 as never],
  ])("turns a provider that %s into a value", async (_, ask) => {
    expect(await guarded(ask).ask("+1")).toMatchObject({ kind: "unavailable", why: "failed" });
  });

  it("answers at the deadline when the provider never does, and tells it to stop", async () => {
    let signal: AbortSignal | undefined;
    const asked = guarded((_, given) => {
      signal = given;
      return never();
    }).ask("+1");
    let answer: unknown;
    asked.then((finding) => {
      answer = finding;
    });
    await clock.advance(499);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    expect(answer).toMatchObject({ kind: "unavailable", why: "deadline" });
    expect(signal?.aborted).toBe(true);
  });

  it("drops an answer or failure that comes after the deadline", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    let fail: (error: Error) => void = () => {};
    const provider = guarded(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const asked = provider.ask("+1");
    await clock.advance(500);
    expect(await asked).toMatchObject({ why: "deadline" });
    fail(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("turns away at once what exceeds its concurrency, and frees the place at the deadline", async () => {
    const ask = vi.fn(never);
    const provider = guarded(ask);
    const first = [provider.ask("+1"), provider.ask("+2")];
    expect(await provider.ask("+3")).toMatchObject({ why: "busy" });
    await clock.advance(500);
    await Promise.all(first);
    const later = provider.ask("+4");
    expect(ask).toHaveBeenCalledTimes(3);
    await clock.advance(500);
    await later;
  });
});

describe("the breaker", () => {
  async function opened(ask: LiveProvider["ask"], changes?: Partial<LiveProvider>) {
    const provider = guarded(ask, changes);
    for (let failure = 0; failure < 3; failure++) await provider.ask("+1");
    expect(provider.state()).toBe("open");
    return provider;
  }

  it("opens after failures in a row, and only then", async () => {
    const outcomes = [dead, dead, async () => NOT_FOUND, dead, dead, dead];
    const ask = vi.fn(() => (outcomes.shift() ?? dead)());
    const provider = guarded(ask);
    for (let question = 0; question < 5; question++) {
      await provider.ask("+1");
      expect(provider.state()).toBe("closed");
    }
    await provider.ask("+1");
    expect(await provider.ask("+1")).toMatchObject({ why: "open" });
    expect(ask).toHaveBeenCalledTimes(6);
  });

  it("counts a missed deadline as a failure, being busy as none", async () => {
    const provider = guarded(never, { concurrencyMax: 1 });
    for (let question = 0; question < 3; question++) {
      const asked = provider.ask("+1");
      for (let more = 0; more < 5; more++) expect(await provider.ask("+2")).toMatchObject({ why: "busy" });
      expect(provider.state()).toBe("closed");
      await clock.advance(500);
      await asked;
    }
    expect(provider.state()).toBe("open");
  });

  it("lets one question probe after the cool-down and closes when it is answered", async () => {
    let answer: () => Promise<LiveFinding> = dead;
    const provider = await opened(() => answer());
    clock.nowMs = 9_999;
    expect(await provider.ask("+1")).toMatchObject({ why: "open" });
    clock.nowMs = 10_000;
    let settle: (finding: LiveFinding) => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        settle = resolve;
      });
    const probe = provider.ask("+1");
    expect(provider.state()).toBe("half-open");
    expect(await provider.ask("+2")).toMatchObject({ why: "open" });
    settle(NOT_FOUND);
    expect(await probe).toEqual(NOT_FOUND);
    expect(provider.state()).toBe("closed");
  });

  it("opens again for another cool-down when the probe fails", async () => {
    const ask = vi.fn(dead);
    const provider = await opened(ask);
    clock.nowMs = 10_000;
    expect(await provider.ask("+1")).toMatchObject({ why: "failed" });
    clock.nowMs = 19_999;
    expect(await provider.ask("+1")).toMatchObject({ why: "open" });
    expect(ask).toHaveBeenCalledTimes(4);
  });

  it("is not moved by the late answer of a question let in before it opened", async () => {
    let settle: (finding: LiveFinding) => void = () => {};
    const outcomes = [
      () =>
        new Promise<LiveFinding>((resolve) => {
          settle = resolve;
        }),
    ];
    const provider = guarded(() => (outcomes.shift() ?? dead)());
    const early = provider.ask("+1");
    for (let failure = 0; failure < 3; failure++) await provider.ask("+2");
    settle(NOT_FOUND);
    await early;
    expect(provider.state()).toBe("open");
  });

  it("never throws and always answers by the deadline, whatever the provider does", async () => {
    const action = fc.constantFrom<LiveProvider["ask"]>(
      never,
      dead,
      async () => NOT_FOUND,
      () => {
        throw new Error("no");
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(action, fc.nat(20_000)), { maxLength: 30 }), async (steps) => {
        const asks = steps.map(([ask]) => ask);
        const provider = guarded((number, signal) => (asks.shift() ?? never)(number, signal));
        const asked: Promise<unknown>[] = [];
        for (const [, pause] of steps) {
          clock.nowMs += pause;
          asked.push(provider.ask("+1"));
        }
        await clock.advance(500);
        for (const finding of await Promise.all(asked)) expect(finding).toHaveProperty("kind");
      }),
    );
  });
});
