// A note that something on the screen could not be read again and may be old, with a countdown to the next try. What
// was never read says so in its own place (`NotLoaded`).

import { notifyManager, type Query } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { againSeconds, queries } from "../api/queries.ts";
import { Countdown } from "../components/countdown.tsx";
import { Shape } from "../components/shape.tsx";
import { wordsOf } from "../components/verdict.tsx";

const cache = queries.getQueryCache();

/** Refusals that a pause does not help are not for this note: of a thing that was deleted, or a session that ended. */
const isOld = ({ state: { status, data, error } }: Query): boolean =>
  status === "error" && data !== undefined && againSeconds(error) !== undefined;

const subscribe = (changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed));
const stateOfOld = () => cache.findAll({ type: "active" }).find(isOld)?.state;

export function NotFresh() {
  const state = useSyncExternalStore(subscribe, stateOfOld);
  if (!state) return null;
  const { why, traces } = wordsOf(state.error);
  const readAgain = () => queries.refetchQueries({ type: "active", predicate: isOld });
  return (
    <div className="toast">
      <Shape name="act" tone="warn" />
      <span className="toast-words">
        <b className="strong">What is shown may be old.</b> {why} {traces && <span className="mono dim">{traces}</span>}{" "}
        <span aria-hidden="true">
          <Countdown key={state.errorUpdatedAt} seconds={againSeconds(state.error) ?? 0} run={readAgain} />
        </span>
      </span>
      <button type="button" className="link toast-action" onClick={() => void readAgain()}>
        Try again
      </button>
    </div>
  );
}
