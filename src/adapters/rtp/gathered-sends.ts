// Passes messages between threads or processes on in lists, in order: a message costs both sides more than what is in
// it. A single or urgent one leaves in the next iteration of the event loop, with all that wait; under load a list
// leaves every few milliseconds.

import type { Clock } from "../../base/clock.ts";

const PACE_MS = 5;

export function gatherSends<Item>(
  clock: Pick<Clock, "elapsedMs" | "after" | "soon">,
  send: (items: readonly Item[]) => void,
): (item: Item, isUrgent?: boolean) => void {
  let waiting: Item[] = [];
  let sentMs = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    sentMs = clock.elapsedMs();
    send(items);
  };
  return (item, isUrgent = false) => {
    if (waiting.push(item) > 1 && !isUrgent) return;
    const restMs = sentMs + PACE_MS - clock.elapsedMs();
    if (restMs > 0 && !isUrgent) clock.after(restMs, flush);
    else clock.soon(flush);
  };
}
