// The live log across processes: what is watched at another process leaves this one, and the reverse.

import { LiveRelay } from "../../adapters/http/core/live-relay.ts";
import { hasOldEntries, isWatchedElsewhere, liveBoard, sweepLiveEntries } from "../../adapters/store/live-board.ts";
import type { Context, Part } from "../running/part.ts";

const SEND_MS = 250;
const RENEW_MS = 5_000;
/** The longest pause for tasks that run within a second when their condition holds. */
const LOOK_MS = 60_000;

export function openLive({ store, live, ids, clock, log }: Context): Part {
  const process = ids.sid("ND");
  const relay = new LiveRelay({ tap: live, board: liveBoard(store.db), process, clock });
  const attempt = (work: Promise<void>) =>
    void work.catch((error: Error) => log.warn({ reason: error.message }, "live entries not passed on"));
  live.onWatched = () => attempt(relay.tellWatched());
  store.notifier.onLiveWatched = (by) => {
    if (by !== process) attempt(relay.follow());
  };
  store.notifier.onLivePosted = (posted) => attempt(relay.read(posted));
  const renew = async () => {
    await relay.tellWatched();
    if (relay.isWatched) await relay.follow();
    await relay.catchUp();
  };
  const always = { ignoresClock: true } as const;
  return {
    name: "live log",
    tasks: [
      { name: "send live entries", everyMs: SEND_MS, ...always, run: () => relay.send() },
      { name: "say what is watched live, and read what was missed", everyMs: RENEW_MS, ...always, run: renew },
      {
        name: "look for what is watched live",
        everyMs: LOOK_MS,
        when: isWatchedElsewhere(process),
        ...always,
        run: () => relay.follow(),
      },
      { name: "sweep live entries", everyMs: LOOK_MS, when: hasOldEntries, run: () => sweepLiveEntries(store.db) },
    ],
    async close() {
      live.onWatched = () => undefined;
      store.notifier.onLiveWatched = () => undefined;
      store.notifier.onLivePosted = () => undefined;
      await relay.close();
    },
  };
}
