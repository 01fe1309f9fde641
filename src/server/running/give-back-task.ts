// The task that gives back claims that no process holds (domain/give-back.ts).

import type { Condition } from "../../adapters/store/engine/conditions.ts";
import type { Log } from "../../base/log.ts";
import { type ClaimKind, giveBackStrays } from "../../domain/give-back.ts";
import type { Task } from "./tasks.ts";

const GIVE_BACK_MS = 5_000;

/** `when`: there may already be something to give back. */
export function giveBackTask(claims: ClaimKind, log: Log, when?: Condition): Task {
  const run = () => giveBackStrays(claims, log);
  return { name: `give back ${claims.name}`, everyMs: GIVE_BACK_MS, ignoresClock: true, run, ...(when && { when }) };
}
