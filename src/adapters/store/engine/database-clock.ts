// The clock of a server: PostgreSQL's, which all processes of a database share. Every time at which something is due,
// expires or is removed is written by this clock, so a machine whose own clock is wrong does no harm to the others.
//
// PostgreSQL's time is known as a range: it was read between the query and its answer. From then on the monotonic
// clock, which cannot be set, gives the elapsed time. The machine's own date is used while it lies in that range, and
// otherwise the nearest bound of the range. So a slow answer, or a process that was suspended, only widens the range,
// and a change of the machine's date is noticed immediately, without a query.
//
// More than a minute apart, one of the two clocks is wrong, and it is unknown which: `isRight` is false, and this
// process neither claims, expires nor removes anything until they agree again (`running/tasks.ts` and everything that
// claims).

import type { Clock } from "../../../base/clock.ts";

export const SKEW_MS_MAX = 60_000;
const DAY_MS = 86_400_000;

const READ = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;

export class DatabaseClock implements Clock {
  readonly #machine: Clock;
  /** The bounds of PostgreSQL's clock minus the monotonic one. Until they are known, the machine's date is used. */
  #leastMs = Number.NEGATIVE_INFINITY;
  #mostMs = Number.POSITIVE_INFINITY;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  now(): Date {
    const date = this.#machine.now();
    const elapsedMs = this.#machine.elapsedMs();
    const ms = date.getTime();
    if (ms < this.#leastMs + elapsedMs) return new Date(this.#leastMs + elapsedMs);
    return ms > this.#mostMs + elapsedMs ? new Date(this.#mostMs + elapsedMs) : date;
  }

  elapsedMs(): number {
    return this.#machine.elapsedMs();
  }

  after(ms: number, run: () => void): () => void {
    return this.#machine.after(ms, run);
  }

  soon(run: () => void): void {
    this.#machine.soon(run);
  }

  get isRight(): boolean {
    return this.standing === "right";
  }

  get standing(): "right" | "ahead" | "behind" {
    const skewMs = this.#skewMs;
    if (Math.abs(skewMs) <= SKEW_MS_MAX) return "right";
    return skewMs > 0 ? "ahead" : "behind";
  }

  /** Describes the difference; undefined when the machine's clock is right. */
  get fault(): string | undefined {
    const { standing } = this;
    if (standing === "right") return undefined;
    const skewMs = Math.abs(this.#skewMs);
    const size = skewMs < 2 * DAY_MS ? `${Math.round(skewMs / 1_000)} s` : `${Math.round(skewMs / DAY_MS)} days`;
    return `${size} ${standing === "ahead" ? "ahead of" : "behind"} PostgreSQL's`;
  }

  /** Reads PostgreSQL's clock. */
  async compare(query: (text: string) => Promise<readonly object[]>): Promise<void> {
    const askedMs = this.#machine.elapsedMs();
    const [row] = (await query(READ)) as readonly { readonly nowMs: number }[];
    if (!row) throw new Error("PostgreSQL does not tell the time");
    this.#leastMs = row.nowMs - this.#machine.elapsedMs();
    this.#mostMs = row.nowMs - askedMs;
  }

  /** Positive when the machine's clock is ahead. */
  get #skewMs(): number {
    return this.#machine.now().getTime() - this.now().getTime();
  }
}
