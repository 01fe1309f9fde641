// Passes entries on to the current listeners: API requests, and traffic with carriers. Nothing is stored.
//
// Guarantees: without listeners, the cost is one check of a flag; publishing never waits; the entries that a listener
// has not read are bounded, and so are those that it receives in a second: dropped entries are counted and reported. An
// account receives only its own entries.
//
// A listener is a stream of this process, or a relay (live-relay.ts) that hears for the streams of other processes.

import type { LiveKey, LiveKind, PassedEntry } from "../../../domain/live-log.ts";

export interface LiveEntry {
  readonly kind: LiveKind;
  /** Null where it belongs to no account: only operators receive it. */
  readonly accountSid: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** Never dropped by the limit per second, only when too many entries wait. */
  readonly isUrgent?: boolean;
}

export interface HeardEntry extends PassedEntry {
  readonly kind: LiveKind;
}

export const PER_SECOND_MAX = 100;
export const WAITING_MAX = 500;

interface Tally {
  second: number;
  count: number;
  skipped: number;
}

/** The listeners of a key. */
interface Listened {
  readonly key: LiveKey;
  readonly streams: Set<LiveListener>;
  readonly relays: Set<LiveListener>;
}

export class LiveTap {
  readonly #listened = new Map<string, Listened>();
  readonly #kinds = new Map<LiveKind, number>();
  /** Called when the streams of this process begin or cease to watch something. */
  onWatched: () => void = () => undefined;

  isListened(kind: LiveKind): boolean {
    return this.#kinds.has(kind);
  }

  /** Whether this account listens, or, if undefined, an operator, who receives the entries of all. */
  isListenedBy(kind: LiveKind, accountSid: string | undefined): boolean {
    return this.#listened.has(nameOf({ kind, accountSid: accountSid ?? null }));
  }

  /** What the streams of this process watch. */
  watched(): readonly LiveKey[] {
    return [...this.#listened.values()].flatMap(({ key, streams }) => (streams.size > 0 ? [key] : []));
  }

  publish(entry: LiveEntry, nowMs: number): void {
    const { kind, accountSid } = entry;
    for (const of of accountSid === null ? [null] : [accountSid, null]) {
      const listened = this.#listened.get(nameOf({ kind, accountSid: of }));
      for (const one of listened?.streams ?? []) one.offer(entry, nowMs);
      for (const one of listened?.relays ?? []) one.offer(entry, nowMs);
    }
  }

  /** Passes entries of another process to the streams that watch this. */
  pass(key: LiveKey, entries: readonly PassedEntry[], nowMs: number): void {
    for (const stream of this.#listened.get(nameOf(key))?.streams ?? [])
      for (const entry of entries) stream.offer({ ...entry, kind: key.kind }, nowMs, entry.skipped);
  }

  /** `accountSid`: receives only the entries of this account; undefined receives all. */
  listen(accountSid: string | undefined, kinds: ReadonlySet<LiveKind>): LiveListener {
    const keys = [...kinds].map((kind) => ({ kind, accountSid: accountSid ?? null }));
    const listener = this.#add("streams", keys, () => this.onWatched());
    this.onWatched();
    return listener;
  }

  /** Hears what is watched at other processes. */
  relay(key: LiveKey): LiveListener {
    return this.#add("relays", [key], () => undefined);
  }

  #add(as: "streams" | "relays", keys: readonly LiveKey[], left: () => void): LiveListener {
    const count = (kind: LiveKind, change: 1 | -1) => {
      const listeners = (this.#kinds.get(kind) ?? 0) + change;
      if (listeners === 0) this.#kinds.delete(kind);
      else this.#kinds.set(kind, listeners);
    };
    const listener: LiveListener = new LiveListener(() => {
      for (const key of keys) {
        const listened = this.#listened.get(nameOf(key));
        if (!listened?.[as].delete(listener)) return;
        count(key.kind, -1);
        if (listened.streams.size + listened.relays.size === 0) this.#listened.delete(nameOf(key));
      }
      left();
    });
    for (const key of keys) {
      const listened = this.#listened.get(nameOf(key)) ?? { key, streams: new Set(), relays: new Set() };
      listened[as].add(listener);
      this.#listened.set(nameOf(key), listened);
      count(key.kind, 1);
    }
    return listener;
  }
}

export const nameOf = ({ kind, accountSid }: LiveKey): string => `${kind} ${accountSid ?? ""}`;

export class LiveListener {
  readonly #leave: () => void;
  readonly #tallies = new Map<LiveKind, Tally>();
  #waiting: HeardEntry[] = [];
  #onArrival: (() => void) | undefined;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  /** `skipped`: how many of its kind were dropped before it on the way here. */
  offer({ kind, accountSid, data, isUrgent = false }: LiveEntry, nowMs: number, skipped = 0): void {
    const tally = this.#tallyOf(kind, nowMs);
    tally.skipped += skipped;
    if (this.#waiting.length >= WAITING_MAX || (tally.count >= PER_SECOND_MAX && !isUrgent)) {
      tally.skipped++;
      return;
    }
    tally.count++;
    this.#waiting.push({ kind, accountSid, data, isUrgent, skipped: tally.skipped });
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
