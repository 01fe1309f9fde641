// Carries live entries between processes: what happens here to where it is watched, and what happens elsewhere to the
// streams of this process.
//
// Guarantees: nothing leaves a process unless it is watched at another one. What is watched is known to the others
// moments after a stream opened, and forgotten soon after its process died. Entries are bounded like those of a stream,
// and by their octets; what is dropped on the way is counted, and the next entry carries the count. Entries whose
// notification was lost are found with those that follow, or within seconds. The streams of an account receive its own
// entries alone.

import type { Clock } from "../../../base/clock.ts";
import type { LiveBatch, LiveBoard, LiveKey, PassedEntry, PostedBatches } from "../../../domain/live-log.ts";
import { type HeardEntry, type LiveListener, type LiveTap, nameOf } from "./live-tap.ts";

export interface LiveRelayDeps {
  readonly tap: LiveTap;
  readonly board: LiveBoard;
  /** The name of this process. */
  readonly process: string;
  readonly clock: Clock;
}

/** A process that dies is watched for no longer than this. */
const WATCHED_MS = 30_000;
/** The most octets that leave at once; what is watched has equal shares. */
const OCTETS_MAX = 1_048_576;

interface Relay {
  readonly key: LiveKey;
  readonly listener: LiveListener;
  /** How many entries were dropped since the last one that left. */
  dropped: number;
}

export class LiveRelay {
  readonly #deps: LiveRelayDeps;
  readonly #relays = new Map<string, Relay>();
  /** What is watched here, as the others know it. */
  #told = new Set<string>();
  #telling: Promise<void> = Promise.resolve();
  /** When a stream of this process began to watch, while there is one. */
  #watchedSinceOn: Date | undefined;
  /** What is to be read, by process. */
  readonly #posted = new Map<string, PostedBatches>();
  /** The last id that was read, by process. */
  readonly #readTo = new Map<string, bigint>();
  #reading: Promise<void> | undefined;

  constructor(deps: LiveRelayDeps) {
    this.#deps = deps;
  }

  /** Publishes what is watched here: when that has changed, and from time to time. */
  tellWatched(): Promise<void> {
    const told = this.#telling.catch(() => undefined).then(() => this.#tellWatched());
    this.#telling = told;
    return told;
  }

  async #tellWatched(): Promise<void> {
    const { tap, board, process, clock } = this.#deps;
    const keys = tap.watched();
    const names = new Set(keys.map(nameOf));
    if (names.size === 0) this.#forgetRead();
    else this.#watchedSinceOn ??= clock.now();
    if (names.size === 0 && this.#told.size === 0) return;
    const isNew = names.size !== this.#told.size || [...names].some((name) => !this.#told.has(name));
    await board.watch(process, keys, new Date(clock.now().getTime() + WATCHED_MS), isNew);
    this.#told = names;
  }

  /** Learns what is watched elsewhere. */
  async follow(): Promise<void> {
    const { tap, board, process, clock } = this.#deps;
    const keys = new Map((await board.watchedElsewhere(process, clock.now())).map((key) => [nameOf(key), key]));
    for (const [name, { listener }] of this.#relays) {
      if (keys.has(name)) continue;
      listener.close();
      this.#relays.delete(name);
    }
    for (const [name, key] of keys) {
      if (!this.#relays.has(name)) this.#relays.set(name, { key, listener: tap.relay(key), dropped: 0 });
    }
  }

  /** Whether anything that happens here is watched elsewhere. */
  get isWatched(): boolean {
    return this.#relays.size > 0;
  }

  /** Sends what has happened here. */
  async send(): Promise<void> {
    const { board, process, clock } = this.#deps;
    const octetsMax = OCTETS_MAX / Math.max(1, this.#relays.size);
    const taken = [...this.#relays.values()].flatMap((relay) => {
      const batch = batchOf(relay, octetsMax);
      return batch ? [{ relay, ...batch }] : [];
    });
    if (taken.length === 0) return;
    try {
      const batches = taken.map(({ relay, entries }) => ({ ...relay.key, entries: JSON.stringify(entries) }));
      await board.post(process, batches, clock.now());
    } catch (fault) {
      for (const { relay, entries } of taken) relay.dropped += countOf(entries);
      throw fault;
    }
  }

  /** Reads what another process has sent. Notifications that come meanwhile are answered by one read. */
  read(posted: PostedBatches): Promise<void> {
    if (posted.process === this.#deps.process || this.#deps.tap.watched().length === 0) return Promise.resolve();
    this.#note(posted);
    return this.#read();
  }

  /** Reads what other processes have sent, also what was not notified. */
  async catchUp(): Promise<void> {
    const { board, process } = this.#deps;
    const sinceOn = this.#watchedSinceOn;
    if (!sinceOn) return;
    for (const posted of await board.postedElsewhere(process, sinceOn)) this.#note(posted);
    await this.#read();
  }

  /** From where reading has ended: what lies between was not notified. */
  #note({ process, first, last }: PostedBatches): void {
    const known = this.#posted.get(process);
    const readTo = this.#readTo.get(process);
    const from = readTo === undefined ? (known?.first ?? first) : String(readTo + 1n);
    const to = known && BigInt(known.last) > BigInt(last) ? known.last : last;
    if (BigInt(from) <= BigInt(to)) this.#posted.set(process, { process, first: from, last: to });
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readPosted().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** What cannot be read is read with what follows. */
  async #readPosted(): Promise<void> {
    const { tap, board, clock } = this.#deps;
    for (let next = nextOf(this.#posted); next; next = nextOf(this.#posted)) {
      const { batches, left } = await board.read(next, tap.watched());
      for (const batch of batches) tap.pass(batch, entriesOf(batch), clock.now().getTime());
      const { process } = next;
      const noted = this.#posted.get(process);
      // Nothing is watched any more.
      if (!noted) continue;
      this.#readTo.set(process, left ? BigInt(left.first) - 1n : BigInt(next.last));
      this.#posted.delete(process);
      this.#note(noted);
    }
  }

  #forgetRead(): void {
    this.#watchedSinceOn = undefined;
    this.#posted.clear();
    this.#readTo.clear();
  }

  async close(): Promise<void> {
    for (const { listener } of this.#relays.values()) listener.close();
    this.#relays.clear();
    await this.#telling.catch(() => undefined);
  }
}

function nextOf(posted: ReadonlyMap<string, PostedBatches>): PostedBatches | undefined {
  for (const one of posted.values()) return one;
  return undefined;
}

/** What is taken is sent, or counted as dropped. */
function batchOf(relay: Relay, octetsMax: number): { readonly entries: readonly PassedEntry[] } | undefined {
  const entries: PassedEntry[] = [];
  let octets = 0;
  for (const { accountSid, data, isUrgent, skipped } of relay.listener.take()) {
    octets += sizeOf(data);
    if (octets > octetsMax) {
      relay.dropped += 1 + skipped;
      continue;
    }
    entries.push({ accountSid, data, isUrgent, skipped: skipped + relay.dropped });
    relay.dropped = 0;
  }
  return entries.length > 0 ? { entries } : undefined;
}

const sizeOf = (data: HeardEntry["data"]): number => Buffer.byteLength(JSON.stringify(data));

const countOf = (entries: readonly PassedEntry[]): number =>
  entries.reduce((count, { skipped }) => count + 1 + skipped, 0);

/** Other processes of Tandem wrote them. */
const entriesOf = ({ entries }: LiveBatch): readonly PassedEntry[] => JSON.parse(entries) as readonly PassedEntry[];
