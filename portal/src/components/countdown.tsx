// Counts the seconds down until something is worth another try, and then runs it.

import { useEffect, useState } from "react";
import { useNow } from "./use-now.ts";

export interface CountdownProps {
  readonly seconds: number;
  /** Without it, the user tries again. */
  readonly run?: (() => unknown) | undefined;
}

/** For one error: another one has a countdown of its own. */
export function Countdown({ seconds, run }: CountdownProps) {
  const [endMs] = useState(() => Date.now() + seconds * 1000);
  const leftMs = endMs - useNow(250).getTime();
  const isOver = leftMs <= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the time is over
  useEffect(() => {
    if (isOver) run?.();
  }, [isOver]);
  if (isOver) return run ? "Trying again." : "Try again now.";
  return `${run ? "Again by itself" : "Try again"} in ${Math.ceil(leftMs / 1000)} s.`;
}
