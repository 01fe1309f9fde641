// Compares the machine's clock with PostgreSQL's (store/engine/database-clock.ts): a start with a wrong clock is
// refused. When the clock goes wrong later, that is logged, and so is its recovery.

import type { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import type { Context } from "./part.ts";
import type { Task } from "./tasks.ts";

/** A date that is set by hand is detected without a query; this detects drift. */
const COMPARE_MS = 5_000;

const ADVICE = "Set the clock that is wrong, and keep both right by NTP (timedatectl set-ntp true)";

/** Throws when the clocks are too far apart at the start. */
export async function refuseWrongClock(clock: DatabaseClock, query: Parameters<DatabaseClock["compare"]>[0]) {
  await clock.compare(query);
  const { fault } = clock;
  if (fault !== undefined)
    throw new Error(
      `The clock of this machine is ${fault}: by a wrong clock records would be removed, and messages given up, before their time. ${ADVICE}, then start again.`,
    );
}

export function clockTask({
  clock,
  store,
  log,
}: Pick<Context, "clock" | "log"> & { store: Pick<Context["store"], "db"> }): Task {
  let told = clock.standing;
  const tell = () => {
    const { standing, fault } = clock;
    // It may have been corrected and gone wrong again since the last check.
    if (standing === told) return;
    told = standing;
    if (standing === "right") log.info({}, "the clock agrees with PostgreSQL's again: work continues");
    else
      log.error(
        { clock: fault },
        `the clock of this machine is not PostgreSQL's: until it is, nothing is claimed, expired or removed here. ${ADVICE}.`,
      );
  };
  return {
    name: "compare clocks",
    everyMs: COMPARE_MS,
    ignoresClock: true,
    run: () => clock.compare((text) => store.db.query(text)).finally(tell),
  };
}
