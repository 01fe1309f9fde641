// Gives a benchmark priority over everything else on the machine. Linux divides the processors among sessions first, so
// the niceness of a process has no effect on processes of other sessions; a relay that waits to be scheduled finds many
// packets at the same time and looks cheaper than it is.

import { readFileSync, writeFileSync } from "node:fs";

const SESSION = "/proc/self/autogroup";

/**
 * Until the program ends. Does nothing without permission (it takes root) or support: the machine must be idle then.
 */
export function goFirst(): void {
  try {
    const before = /nice (-?\d+)/.exec(readFileSync(SESSION, "utf8"))?.[1] ?? "0";
    writeFileSync(SESSION, "-19");
    process.on("exit", () => writeFileSync(SESSION, before));
  } catch {}
}
