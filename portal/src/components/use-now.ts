// The current time, for "12 min ago" and countdowns: one timer per period, however many components use it.

import { useSyncExternalStore } from "react";

interface Ticker {
  readonly listeners: Set<() => void>;
  timer: number | undefined;
  now: number;
}

const tickers = new Map<number, Ticker>();

function tickerOf(everyMs: number): Ticker {
  const known = tickers.get(everyMs);
  if (known) return known;
  const ticker: Ticker = { listeners: new Set(), timer: undefined, now: Date.now() };
  tickers.set(everyMs, ticker);
  return ticker;
}

function subscribe(everyMs: number, listener: () => void): () => void {
  const ticker = tickerOf(everyMs);
  ticker.listeners.add(listener);
  ticker.timer ??= window.setInterval(() => {
    ticker.now = Date.now();
    for (const notify of ticker.listeners) notify();
  }, everyMs);
  return () => {
    ticker.listeners.delete(listener);
    if (ticker.listeners.size > 0) return;
    window.clearInterval(ticker.timer);
    ticker.timer = undefined;
  };
}

const subscribers = new Map<number, (listener: () => void) => () => void>();

/** A Date that changes at this interval; by default twice a minute. */
export function useNow(everyMs = 30_000): Date {
  let subscriber = subscribers.get(everyMs);
  if (!subscriber) {
    subscriber = (listener) => subscribe(everyMs, listener);
    subscribers.set(everyMs, subscriber);
  }
  const read = () => {
    const ticker = tickerOf(everyMs);
    if (ticker.timer === undefined) ticker.now = Math.floor(Date.now() / everyMs) * everyMs + everyMs - 1;
    return ticker.now;
  };
  return new Date(useSyncExternalStore(subscriber, read, read));
}
