// The one stream of events that all screens share, together with requests and protocol messages: of the account that is
// signed in, or of all accounts for an operator.
//
// Guarantees: every event after the first list is delivered once and in order; a broken connection is resumed by
// Last-Event-ID (the SDK does that), and one that never opened is tried again until the server refuses. Requests, PDUs
// and SIP messages are shown as they happen and stored nowhere. Screens receive events in batches (batches.ts). The
// newest ENTRIES_MAX are kept.

import type { AccountEvent, LiveEntry, OwnedAccountEvent } from "@tandem/sdk";
import { SharedValue, useShared } from "../shared-value.ts";
import { type BatchClock, Batches } from "./batches.ts";
import { client, operator } from "./client.ts";
import { freshness } from "./freshness.ts";
import { keepTrying } from "./keep-trying.ts";
import { lookForNewerBuild } from "./newer-build.ts";
import { noticeEnd } from "./queries.ts";
import type { Session } from "./session.ts";

export type LiveKind = "off" | "live" | "paused" | "reconnecting";

export interface LiveState {
  readonly kind: LiveKind;
  /** Set by a screen while its rows are held still: how many entries arrived meanwhile. */
  readonly held: number | undefined;
  /** When the next try to connect begins, in milliseconds since 1970. */
  readonly retryAt: number | undefined;
  /** True until past events have loaded; `error` is set if they did not load, or if the line never opened. */
  readonly isLoading: boolean;
  readonly error: unknown;
}

export type Entry = EventEntry | WireEntry;

export interface EventEntry {
  readonly kind: "event";
  /** In operators' sessions it names its account. */
  readonly event: AccountEvent | OwnedAccountEvent;
  /** The connection broke before it and was resumed: nothing is lost, but it may be late. */
  readonly isAfterGap: boolean;
}

/** A request, a PDU or a SIP message. */
export interface WireEntry {
  readonly kind: "wire";
  readonly id: string;
  readonly shown: LiveEntry;
}

/** What has arrived so far. */
export interface Feed {
  /** The newest first. */
  readonly entries: readonly Entry[];
  /** How many entries were ever added at the front: a screen that has seen n of them has count − n new ones. */
  readonly count: number;
  /** Changes when the entries changed in any other way, so that a screen must read all of them again. */
  readonly edition: number;
}

const ENTRIES_MAX = 5000;
const FIRST_PAGE = 200;
const RATE_SECONDS = 5;

/** A GET that succeeded: it changed nothing, and most programs make many. */
export const isPlainRead = ({ type, data }: LiveEntry): boolean =>
  type === "ApiRequest" && data.method === "GET" && data.status < 400;

const oldEntry = (event: AccountEvent): EventEntry => ({ kind: "event", event, isAfterGap: false });

const PAGE_CLOCK: BatchClock = {
  nowMs: () => performance.now(),
  frameAfter: (ms, run) => {
    let frame: number | undefined;
    const begin = () => {
      frame = requestAnimationFrame(run);
    };
    const timer = ms > 0 ? window.setTimeout(begin, ms) : undefined;
    if (ms <= 0) begin();
    return () => {
      window.clearTimeout(timer);
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  },
};

const OFF: LiveState = {
  kind: "off",
  held: undefined,
  retryAt: undefined,
  isLoading: false,
  error: undefined,
};

class LiveFeed {
  readonly state = new SharedValue(OFF);
  readonly feed = new SharedValue<Feed>({ entries: [], count: 0, edition: 0 });
  #session: Session["kind"] = "Account";
  readonly #batches = new Batches<Entry>(PAGE_CLOCK, (batch) => this.#deliver(batch));
  /** How many arrived in each of the last seconds, by seconds since 1970. */
  #arrivals = new Map<number, number>();
  #ending: AbortController | undefined;
  /** Ends the pause before the next try. */
  #endPause: () => void = () => undefined;
  #lastId: string | undefined;
  /** Ids of the first page: the stream of all accounts may begin with an event that was already listed. */
  #listed: ReadonlySet<string> = new Set();
  /** The searchId of the next page of older events; undefined if there is none, or while one is being fetched. */
  #olderId: string | undefined;
  #isAfterGap = false;
  #wireCount = 0;

  /** Over the last whole seconds. */
  perSecond(nowMs: number): number {
    const now = Math.floor(nowMs / 1000);
    const seconds = Array.from({ length: RATE_SECONDS }, (_, at) => this.#arrivals.get(now - 1 - at) ?? 0);
    return Math.round(seconds.reduce((sum, count) => sum + count, 0) / RATE_SECONDS);
  }

  start(session: Session["kind"]): void {
    this.#session = session;
    this.resume();
  }

  resume(): void {
    this.#endPause();
    if (this.#ending) return;
    const ending = new AbortController();
    this.#ending = ending;
    void this.#follow(ending.signal);
  }

  /** Forgets everything: the next session may belong to another user. */
  stop(): void {
    this.pause();
    [this.#lastId, this.#olderId] = [undefined, undefined];
    this.#setEntries([]);
    this.#change(OFF);
  }

  pause(): void {
    this.#ending?.abort();
    this.#ending = undefined;
    // Flush first, so that nothing appears after the button shows the pause.
    this.#batches.flush();
    this.#change({ kind: "paused", retryAt: undefined, isLoading: false });
  }

  hold(newer: number | undefined): void {
    if (newer !== this.state.get().held) this.#change({ held: newer });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const connect = (opened: () => void) => this.#connect(signal, opened);
    const failed = (error: unknown, retryMs: number) => this.#failed(error, retryMs);
    try {
      await keepTrying({ connect, failed, signal, pause: (ms) => this.#pauseFor(ms, signal) });
    } catch (error) {
      // Signed out, or no right to the stream.
      noticeEnd(error);
      this.#ending = undefined;
      this.#change({ kind: "off", retryAt: undefined, isLoading: false, error });
    }
  }

  async #connect(signal: AbortSignal, opened: () => void): Promise<void> {
    if (this.#lastId === undefined) await this.#loadFirst(signal);
    const onState = (state: { kind: string; retryMs?: number }) => {
      if (state.kind !== "open") return this.#lost(state.retryMs ?? 0);
      opened();
      this.#opened();
    };
    const from = this.#lastId === undefined ? {} : { lastEventId: this.#lastId };
    const wire = { include: ["requests", "protocol"], onLive: (shown: LiveEntry) => this.#show(shown) } as const;
    const order = { ...from, ...wire, signal, onState };
    for await (const event of this.#events.stream(order)) this.#take(event);
  }

  #pauseFor(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        window.clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = window.setTimeout(end, ms);
      signal.addEventListener("abort", end);
      this.#endPause = end;
    });
  }

  get #events() {
    return this.#session === "Operator" ? operator.events : client.events;
  }

  async #loadFirst(signal: AbortSignal): Promise<void> {
    this.#change({ isLoading: true, error: undefined });
    const { data } = await this.#events.list({ pageSize: FIRST_PAGE, signal });
    this.#setEntries(data.items.map(oldEntry));
    this.#listed = new Set(data.items.map(({ id }) => id));
    this.#lastId = data.items[0]?.id;
    this.#olderId = data.searchId;
    this.#change({ isLoading: false });
  }

  /** Loads one more page of older events, unless ENTRIES_MAX is reached. */
  async loadOlder(): Promise<void> {
    const searchId = this.#olderId;
    if (searchId === undefined || this.feed.get().entries.length >= ENTRIES_MAX) return;
    this.#olderId = undefined;
    try {
      const { data } = await this.#events.list({ pageSize: FIRST_PAGE, searchId });
      const older = data.items.map(oldEntry);
      this.#setEntries([...this.feed.get().entries, ...older].slice(0, ENTRIES_MAX));
      this.#olderId = data.searchId;
    } catch {
      this.#olderId = searchId;
    }
  }

  #opened(): void {
    if (this.state.get().kind === "reconnecting") void lookForNewerBuild();
    this.#change({ kind: "live", retryAt: undefined, error: undefined });
  }

  #lost(retryMs: number): void {
    this.#isAfterGap = true;
    this.#change({ kind: "reconnecting", retryAt: Date.now() + retryMs });
  }

  /** There was no connection, or the SDK has given it up. */
  #failed(error: unknown, retryMs: number): void {
    if (this.#lastId !== undefined) this.#isAfterGap = true;
    this.#change({ kind: "reconnecting", retryAt: Date.now() + retryMs, isLoading: false, error });
  }

  #take(event: AccountEvent): void {
    this.#lastId = event.id;
    if (this.#listed.has(event.id)) return;
    this.#add({ kind: "event", event, isAfterGap: this.#isAfterGap });
    this.#isAfterGap = false;
    freshness.take(event, this.#session);
  }

  /** Hides successful GETs from operators: they are those of all accounts. The portal's own are not in the stream. */
  #show(shown: LiveEntry): void {
    if (this.#session === "Operator" && isPlainRead(shown)) return;
    this.#wireCount += 1;
    this.#add({ kind: "wire", id: `wire-${this.#wireCount}`, shown });
  }

  #add(entry: Entry): void {
    this.#batches.add(entry);
    this.#countArrival(Math.floor(Date.now() / 1000));
  }

  #countArrival(second: number): void {
    const known = this.#arrivals.get(second);
    this.#arrivals.set(second, (known ?? 0) + 1);
    if (known !== undefined) return;
    for (const before of this.#arrivals.keys()) if (before < second - RATE_SECONDS) this.#arrivals.delete(before);
  }

  #deliver(batch: readonly Entry[]): void {
    const { entries, count, edition } = this.feed.get();
    const newest = batch.toReversed().concat(entries).slice(0, ENTRIES_MAX);
    this.feed.set({ entries: newest, count: count + batch.length, edition });
  }

  #setEntries(entries: readonly Entry[]): void {
    const { count, edition } = this.feed.get();
    this.feed.set({ entries, count, edition: edition + 1 });
  }

  #change(change: Partial<LiveState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

export const live = new LiveFeed();

export const useLive = (): LiveState => useShared(live.state);
export const useFeed = (): Feed => useShared(live.feed);
