// Calls over a network that loses one datagram in twenty, at both ends: every call is set up and ends, and leaves
// nothing behind: no transaction, no leg.

import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { SignallingInput } from "../../src/domain/voice/ports.ts";
import { Chance } from "../fakes/chance.ts";
import { SDP } from "../fakes/sip-legs.ts";
import { TestSignalling } from "../fakes/sip-signalling.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const CALLS = roundsOf({ quick: 500, long: 10_000 });
const AT_ONCE = 50;
const LOST = 0.05;
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
/** Half of the usual values: a test need not last minutes, and a machine that hangs for seconds loses no call. */
const TIMERS = { t1Ms: 250, t2Ms: 2000, t4Ms: 2500 };

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function openEnd(
  address: string,
  trunk: Record<string, unknown>,
  react: (input: SignallingInput) => void,
): Promise<TestSignalling> {
  const chance = new Chance(SEED);
  const end = await TestSignalling.open([trunk], {
    sources: [{ address }],
    clock: systemClock,
    timers: TIMERS,
    onMessage: undefined,
    mayLose: () => chance.happens(LOST),
    react,
  });
  closings.push(() => end.sip.close());
  return end;
}

test(
  `${CALLS} calls are set up and ended though one datagram in twenty is lost, and nothing is left of them`,
  async () => {
    const told = new Map<string, string[]>();
    const tell = ({ legSid, kind }: SignallingInput) => told.set(legSid, [...(told.get(legSid) ?? []), kind]);
    const callee = await openEnd("127.0.0.4", { host: "127.0.0.2" }, (input) => {
      tell(input);
      if (input.kind !== "incoming") return;
      callee.sip.ring(input.legSid);
      callee.sip.answer(input.legSid, SDP);
    });
    const isEnd = (kind: string) => kind === "ended" || kind === "refused";
    let dialled = 0;
    let over = 0;
    const dialNext = () => {
      if (dialled < CALLS) caller.dial("+14155550122", { legSid: `out${++dialled}` });
    };
    const caller = await openEnd("127.0.0.2", { host: "127.0.0.4", port: callee.port }, (input) => {
      tell(input);
      if (input.kind === "answered") caller.sip.hangUp(input.legSid);
      if (!isEnd(input.kind)) return;
      over++;
      dialNext();
    });
    for (let times = 0; times < AT_ONCE; times++) dialNext();
    const isOver = () => over === CALLS && [...told.values()].every((kinds) => kinds.some(isEnd));
    await expect.poll(isOver, { timeout: LONG_TIMEOUT_MS / 2 }).toBe(true);
    expect(told.size, `seed ${SEED}`).toBe(2 * CALLS);
    for (const [legSid, kinds] of told) {
      if (legSid.startsWith("out")) expect(kinds, `seed ${SEED}`).toContain("answered");
      expect(kinds.filter(isEnd)).toEqual(["ended"]);
    }
    const nothing = { transactions: 0, legs: 0, requests: 0 };
    await expect
      .poll(() => [caller.sip.open(), callee.sip.open()], { timeout: LONG_TIMEOUT_MS / 2 })
      .toEqual([nothing, nothing]);
  },
  LONG_TIMEOUT_MS,
);
