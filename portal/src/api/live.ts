// The one stream of events that all screens share, with requests and what goes over the wire beside them: of the
// account that is signed in, or for an operator of all.
//
// Guarantees: every event after the first list is told once and in order; a connection that breaks is resumed by
// Last-Event-ID (the SDK does that). Requests, PDUs and SIP messages are shown as they happen and stored nowhere.
// Screens hear of events once a frame, in batches. The newest ENTRIES_MAX are kept.

import type { AccountEvent, LiveEntry, OwnedAccountEvent } from "@tandem/sdk";
import { useSyncExternalStore } from "react";
import { client, operator } from "./client.ts";
import { queries } from "./queries.ts";
import type { Session } from "./session.ts";

export type LiveKind = "off" | "live" | "paused" | "reconnecting";

export interface LiveState {
  readonly kind: LiveKind;
  /** Set by a screen while its rows stand still: how many came meanwhile. */
  readonly held: number | undefined;
  readonly perSecond: number;
  /** When the next try to connect begins, in milliseconds since 1970. */
  readonly retryAt: number | undefined;
  /** Until what happened before is there; the error where it did not load. */
  readonly isLoading: boolean;
  readonly error: unknown;
}

export type Entry = EventEntry | WireEntry;

export interface EventEntry {
  readonly kind: "event";
  /** Of operators' sessions with whose it is. */
  readonly event: AccountEvent | OwnedAccountEvent;
  /** The line was cut before it, and resumed: nothing is lost, but it may have come late. */
  readonly isAfterGap: boolean;
}

/** A request, a PDU or a SIP message. */
export interface WireEntry {
  readonly kind: "wire";
  readonly id: string;
  readonly shown: LiveEntry;
}

const ENTRIES_MAX = 5000;
const FIRST_PAGE = 200;
const RATE_WINDOW_MS = 5000;
const INVALIDATE_EVERY_MS = 400;

/**
 * The nouns whose lists an event makes stale. Those of operators would be stale all the time: they are asked for anew
 * by the clock.
 */
function nounsOf(type: string, kind: Session["kind"]): readonly string[] {
  if (kind === "Operator" && /Message|Call/.test(type)) return [];
  if (/Message/.test(type)) return ["messages", "attention", "traffic"];
  if (/Call/.test(type)) return ["calls", "attention", "traffic"];
  if (/Campaign|Migration/.test(type)) return ["campaigns", "migrations", "phones", "attention"];
  if (/Port|Phone|Number/.test(type)) return ["phones", "ports", "migrations", "attention"];
  return ["attention"];
}

const oldEntry = (event: AccountEvent): EventEntry => ({ kind: "event", event, isAfterGap: false });

const OFF: LiveState = {
  kind: "off",
  held: undefined,
  perSecond: 0,
  retryAt: undefined,
  isLoading: false,
  error: undefined,
};

class LiveFeed {
  #state: LiveState = OFF;
  #session: Session["kind"] = "Account";
  #entries: readonly Entry[] = [];
  #pending: Entry[] = [];
  #arrivals: number[] = [];
  #frame: number | undefined;
  #ending: AbortController | undefined;
  #lastId: string | undefined;
  /** Of the first page: the log of all accounts may begin with an event that was listed. */
  #listed: ReadonlySet<string> = new Set();
  /** Of the next page of older events; undefined once there is none, or while one is being asked for. */
  #olderId: string | undefined;
  #isAfterGap = false;
  #wireCount = 0;
  #stale = new Set<string>();
  #staleTimer: number | undefined;
  readonly #watchers = new Set<() => void>();

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
  readonly state = (): LiveState => this.#state;
  /** The newest first. */
  readonly entries = (): readonly Entry[] => this.#entries;

  start(session: Session["kind"]): void {
    this.#session = session;
    this.resume();
  }

  resume(): void {
    if (this.#ending) return;
    const ending = new AbortController();
    this.#ending = ending;
    void this.#follow(ending.signal);
  }

  /** Forgets everything: the next who signs in may be somebody else. */
  stop(): void {
    this.pause();
    [this.#entries, this.#pending, this.#lastId, this.#olderId] = [[], [], undefined, undefined];
    this.#change(OFF);
  }

  pause(): void {
    this.#ending?.abort();
    this.#ending = undefined;
    this.#change({ kind: "paused", retryAt: undefined, isLoading: false });
  }

  hold(newer: number | undefined): void {
    if (newer !== this.#state.held) this.#change({ held: newer });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      if (this.#lastId === undefined) await this.#loadFirst(signal);
      const onState = (state: { kind: string; retryMs?: number }) => {
        if (state.kind === "open") this.#change({ kind: "live", retryAt: undefined });
        else this.#lost(state.retryMs ?? 0);
      };
      const from = this.#lastId === undefined ? {} : { lastEventId: this.#lastId };
      const wire = { include: ["requests", "protocol"], onLive: (shown: LiveEntry) => this.#show(shown) } as const;
      const order = { ...from, ...wire, signal, onState };
      for await (const event of this.#events.stream(order)) this.#take(event);
    } catch (error) {
      if (signal.aborted) return;
      // The SDK gave up: signed out, or no right to the stream. Queries will find out which.
      this.#ending = undefined;
      this.#change({ kind: "off", retryAt: undefined, isLoading: false, error });
    }
  }

  get #events() {
    return this.#session === "Operator" ? operator.events : client.events;
  }

  async #loadFirst(signal: AbortSignal): Promise<void> {
    this.#change({ isLoading: true, error: undefined });
    const { data } = await this.#events.list({ pageSize: FIRST_PAGE, signal });
    this.#entries = data.items.map(oldEntry);
    this.#listed = new Set(data.items.map(({ id }) => id));
    this.#lastId = data.items[0]?.id;
    this.#olderId = data.searchId;
    this.#change({ isLoading: false });
  }

  /** One more page of what happened before, as long as there is room. */
  async loadOlder(): Promise<void> {
    const searchId = this.#olderId;
    if (searchId === undefined || this.#entries.length >= ENTRIES_MAX) return;
    this.#olderId = undefined;
    try {
      const { data } = await this.#events.list({ pageSize: FIRST_PAGE, searchId });
      const older = data.items.map(oldEntry);
      this.#entries = [...this.#entries, ...older].slice(0, ENTRIES_MAX);
      this.#olderId = data.searchId;
      this.#tell();
    } catch {
      this.#olderId = searchId;
    }
  }

  #lost(retryMs: number): void {
    this.#isAfterGap = true;
    this.#change({ kind: "reconnecting", retryAt: Date.now() + retryMs });
  }

  #take(event: AccountEvent): void {
    this.#lastId = event.id;
    if (this.#listed.has(event.id)) return;
    this.#add({ kind: "event", event, isAfterGap: this.#isAfterGap });
    this.#isAfterGap = false;
    for (const noun of nounsOf(event.type, this.#session)) this.#stale.add(noun);
    this.#staleTimer ??= window.setTimeout(() => this.#makeStale(), INVALIDATE_EVERY_MS);
  }

  /** The portal's own questions are no news to who looks at it. */
  #show(shown: LiveEntry): void {
    if (shown.type === "ApiRequest" && shown.data.method === "GET" && shown.data.status < 400) return;
    this.#wireCount += 1;
    this.#add({ kind: "wire", id: `wire-${this.#wireCount}`, shown });
  }

  #add(entry: Entry): void {
    this.#pending.push(entry);
    if (this.#pending.length > ENTRIES_MAX) this.#pending.shift();
    this.#arrivals.push(Date.now());
    this.#frame ??= requestAnimationFrame(() => this.#deliver());
  }

  #deliver(): void {
    this.#frame = undefined;
    const batch = this.#pending;
    this.#pending = [];
    this.#entries = [...batch.toReversed(), ...this.#entries].slice(0, ENTRIES_MAX);
    const now = Date.now();
    this.#arrivals = this.#arrivals.filter((at) => now - at < RATE_WINDOW_MS);
    const perSecond = Math.round((this.#arrivals.length * 1000) / RATE_WINDOW_MS);
    if (perSecond !== this.#state.perSecond) this.#state = { ...this.#state, perSecond };
    this.#tell();
  }

  #makeStale(): void {
    this.#staleTimer = undefined;
    const nouns = this.#stale;
    this.#stale = new Set();
    for (const noun of nouns) void queries.invalidateQueries({ queryKey: [noun] });
  }

  #change(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change };
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

export const live = new LiveFeed();

export function useLive(): LiveState {
  return useSyncExternalStore(live.watch, live.state);
}

/** What has come, the newest first. */
export function useLiveEntries(): readonly Entry[] {
  return useSyncExternalStore(live.watch, live.entries);
}
