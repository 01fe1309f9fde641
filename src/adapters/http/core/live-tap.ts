// Passes entries on to the current listeners: API requests, and traffic with carriers. Nothing is stored.
//
// Guarantees: without listeners, the cost is one check of a flag; publishing never waits; the entries that a listener
// has not read are bounded, and so are those that it receives in a second: dropped entries are counted and reported. An
// account receives only its own entries.

export const LIVE_KINDS = ["ApiRequest", "SmppPdu", "SipMessage"] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

export interface LiveEntry {
  readonly kind: LiveKind;
  /** Null where it belongs to no account: only operators receive it. */
  readonly accountSid: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** Never dropped by the limit per second, only when too many entries wait. */
  readonly isUrgent?: boolean;
}

export interface HeardEntry extends Pick<LiveEntry, "kind" | "accountSid" | "data"> {
  /** How many of its kind were dropped before it. */
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
  /** By kind and account. */
  readonly #listenedBy = new Map<string, number>();

  isListened(kind: LiveKind): boolean {
    return this.#listeners.size > 0 && (this.#listened.get(kind) ?? 0) > 0;
  }

  /** Whether this account listens, or, if undefined, an operator, who receives the entries of all. */
  isListenedBy(kind: LiveKind, accountSid: string | undefined): boolean {
    return this.#listenedBy.has(listenerKey(kind, accountSid));
  }

  publish(entry: LiveEntry, nowMs: number): void {
    for (const listener of this.#listeners) listener.offer(entry, nowMs);
  }

  /** `accountSid`: receives only the entries of this account; undefined receives all. */
  listen(accountSid: string | undefined, kinds: ReadonlySet<LiveKind>): LiveListener {
    const count = (change: 1 | -1) => {
      for (const kind of kinds) {
        this.#listened.set(kind, (this.#listened.get(kind) ?? 0) + change);
        const key = listenerKey(kind, accountSid);
        const by = (this.#listenedBy.get(key) ?? 0) + change;
        if (by === 0) this.#listenedBy.delete(key);
        else this.#listenedBy.set(key, by);
      }
    };
    const listener = new LiveListener(accountSid, kinds, () => {
      if (this.#listeners.delete(listener)) count(-1);
    });
    this.#listeners.add(listener);
    count(1);
    return listener;
  }
}

const listenerKey = (kind: LiveKind, accountSid = "") => `${kind} ${accountSid}`;

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

  /** The entries since the last call. */
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
