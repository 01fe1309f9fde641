// How an attack affects uninvolved tenants: they send one request after the other while it lasts. Every request of
// theirs is answered, and their rate and latency are printed beside those without an attack.

import { expect } from "vitest";
import { json, type TandemApi } from "../tandem.ts";
import { roundsOf } from "./form.ts";

const BASELINE_REQUESTS = roundsOf({ quick: 40, long: 2_000 });
/** In the long form: the minimum share of their usual rate that the others keep. */
const SHARE_MIN = 0.05;

const wide = { requests: 1_000_000_000, windowSeconds: 1 };
export const NO_LIMITS = { lookup: wide, send: wide, sendToRecipient: wide, read: wide, write: wide };

/** Removes the limits of the server's own account; returns one of its numbers. */
export async function withoutLimits(tandem: TandemApi): Promise<string> {
  const order = json("PATCH", { limits: NO_LIMITS });
  expect((await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, order)).status).toBe(200);
  const { items } = (await (await tandem.get("/v1/Phones")).json()) as { items: { number: string }[] };
  return items[0]?.number as string;
}

type Ask = () => Promise<Response>;

interface Measured {
  readonly statuses: ReadonlyMap<number, number>;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export class OtherTenants {
  readonly #asks: readonly Ask[];
  readonly #alone: Measured;

  /** Measures them alone. Each tenant repeats one of these requests. */
  static async watch(asks: readonly Ask[]): Promise<OtherTenants> {
    let asked = 0;
    const alone = await askWhile(asks, () => ++asked <= BASELINE_REQUESTS);
    console.log(`alone: ${shown(alone)}`);
    return new OtherTenants(asks, alone);
  }

  private constructor(asks: readonly Ask[], alone: Measured) {
    this.#asks = asks;
    this.#alone = alone;
  }

  /** They send requests while the attack lasts, and get no statuses other than these. */
  async beside<Value>(name: string, attack: () => Promise<Value>, answers: readonly number[] = [200]): Promise<Value> {
    // Connects them first: a new connection among a hundred from the same address may be treated as part of the attack.
    for (const answer of await Promise.all(this.#asks.map((ask) => ask()))) await answer.arrayBuffer();
    let isOver = false;
    const others = askWhile(this.#asks, () => !isOver);
    const value = await attack().finally(() => {
      isOver = true;
    });
    const measured = await others;
    console.log(`beside ${name}: ${shown(measured)}`);
    expect(answers).toEqual(expect.arrayContaining([...measured.statuses.keys()]));
    // A tenant that waits for a hanging database is slow, and gets an error.
    if (process.env.FAULTS === "long" && answers.length === 1)
      expect(measured.perSecond / this.#alone.perSecond).toBeGreaterThan(SHARE_MIN);
    return value;
  }
}

async function askWhile(asks: readonly Ask[], goesOn: () => boolean): Promise<Measured> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const startMs = performance.now();
  const askOn = async (ask: Ask) => {
    do {
      const askedMs = performance.now();
      const answer = await ask();
      await answer.arrayBuffer();
      times.push(performance.now() - askedMs);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    } while (goesOn());
  };
  await Promise.all(asks.map(askOn));
  times.sort((one, another) => one - another);
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))] as number;
  const perSecond = times.length / ((performance.now() - startMs) / 1000);
  return { statuses, perSecond, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

function shown({ statuses, perSecond, p50Ms, p99Ms }: Measured): string {
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  return `${answers}, ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}
