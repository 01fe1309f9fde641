// The name by which processes on one machine can tell whether another of them has ended. A pid alone does not identify
// a process: pids are reused, and each PID namespace has its own.

import { readFileSync, readlinkSync } from "node:fs";

/** Null where the operating system does not tell. */
export interface ProcessName {
  /** The boot of the machine, and the PID namespace. */
  readonly place: string | null;
  readonly pid: number;
  /** When it started, in ticks since the boot. */
  readonly started: string | null;
}

const PLACE = orNull(
  () => `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`,
);

/** The name of a process on this machine. */
export const nameOf = (pid: number): ProcessName => ({ place: PLACE, pid, started: startOf(pid) });

export const THIS_PROCESS = nameOf(process.pid);

/** Whether it is certain that the process has ended: it ran here, and is not here any more. */
export function hasEnded({ place, pid, started }: ProcessName): boolean {
  if (place === null || started === null || place !== PLACE) return false;
  const now = startOf(pid);
  // Where /proc hides the processes of other users, a pid that is taken may be theirs.
  return now === null ? !isTaken(pid) : now !== started;
}

/** Null when it cannot be read. A zombie did not start. */
function startOf(pid: number): string | null {
  const line = orNull(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // proc(5): the command's name is in parentheses and may contain spaces and parentheses; the state follows, and the
  // start is the 20th field after the name.
  const fields = line?.slice(line.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return null;
  return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? null);
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
