// Passes on what happens to whoever listens at this moment: requests, and what goes over the wire to carriers. Nothing
// of it is stored.
//
// Guarantees: where nobody listens it costs one look at a flag; who publishes never waits; what a listener has not read
// is bounded, and so is what it gets in a second: what is left out is counted and told. An account hears only its own.

export const LIVE_KINDS = ["ApiRequest", "SmppPdu", "SipMessage"] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

export interface LiveEntry {
  readonly kind: LiveKind;
  /** Null where it is nobody's: operators alone hear of it. */
  readonly accountSid: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** Never left out for its number, only where too much waits. */
  readonly isUrgent?: boolean;
}

export interface HeardEntry extends Pick<LiveEntry, "kind" | "accountSid" | "data"> {
  /** How many of its kind were left out before it. */
  readonly skipped: number;
}

export const PER_SECOND_MAX = 100;
export const WAITING_MAX = 500;

interface Tally {
  second: number;
  count: number;
  skipped: number;
}

export class LiveTap {
  readonly #listeners = new Set<LiveListener>();
  readonly #listened = new Map<LiveKind, number>();

  isListened(kind: LiveKind): boolean {
    return this.#listeners.size > 0 && (this.#listened.get(kind) ?? 0) > 0;
  }

  publish(entry: LiveEntry, nowMs: number): void {
    for (const listener of this.#listeners) listener.offer(entry, nowMs);
  }

  /** `accountSid`: whose entries; undefined hears all. */
  listen(accountSid: string | undefined, kinds: ReadonlySet<LiveKind>): LiveListener {
    const count = (change: 1 | -1) => {
      for (const kind of kinds) this.#listened.set(kind, (this.#listened.get(kind) ?? 0) + change);
    };
    const listener = new LiveListener(accountSid, kinds, () => {
      if (this.#listeners.delete(listener)) count(-1);
    });
    this.#listeners.add(listener);
    count(1);
    return listener;
  }
}

export class LiveListener {
  readonly #accountSid: string | undefined;
  readonly #kinds: ReadonlySet<LiveKind>;
  readonly #leave: () => void;
  readonly #tallies = new Map<LiveKind, Tally>();
  #waiting: HeardEntry[] = [];
  #onArrival: (() => void) | undefined;

  constructor(accountSid: string | undefined, kinds: ReadonlySet<LiveKind>, leave: () => void) {
    this.#accountSid = accountSid;
    this.#kinds = kinds;
    this.#leave = leave;
  }

  offer({ kind, accountSid, data, isUrgent }: LiveEntry, nowMs: number): void {
    if (!this.#kinds.has(kind) || (this.#accountSid !== undefined && this.#accountSid !== accountSid)) return;
    const tally = this.#tallyOf(kind, nowMs);
    if (this.#waiting.length >= WAITING_MAX || (tally.count >= PER_SECOND_MAX && !isUrgent)) {
      tally.skipped++;
      return;
    }
    tally.count++;
    this.#waiting.push({ kind, accountSid, data, skipped: tally.skipped });
    tally.skipped = 0;
    this.#onArrival?.();
  }

  /** What has come since this was last asked. */
  take(): readonly HeardEntry[] {
    const heard = this.#waiting;
    this.#waiting = [];
    return heard;
  }

  /** Resolves when there is something to take. */
  arrival(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onArrival = () => {
        this.#onArrival = undefined;
        resolve();
      };
    });
  }

  close(): void {
    this.#leave();
    this.#onArrival?.();
  }

  #tallyOf(kind: LiveKind, nowMs: number): Tally {
    const second = Math.floor(nowMs / 1_000);
    const known = this.#tallies.get(kind);
    if (known?.second === second) return known;
    const tally = { second, count: 0, skipped: known?.skipped ?? 0 };
    this.#tallies.set(kind, tally);
    return tally;
  }
}
