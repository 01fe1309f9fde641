// What the operating system knows about a process. A pid alone does not identify one: pids are reused, above all in
// containers, where the same small numbers return after every restart.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";

const hasProc = process.platform === "linux";
const linuxTicksPerSecond = 100;

/** Whether the pid belongs to any process, including a zombie. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** False for a zombie: it holds no resources, and stays for ever if pid 1 does not reap it. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!isTaken(pid)) return false;
  if (!hasProc) return true;
  const fields = await statFields(pid);
  return fields !== undefined && fields[0] !== "Z" && fields[0] !== "X";
}

/** When the process started, to about a second; undefined when it is gone. */
export async function startedAt(pid: number): Promise<Date | undefined> {
  if (!hasProc) {
    const started = await ps(pid, "lstart=");
    return started ? new Date(started) : undefined;
  }
  const fields = await statFields(pid);
  const boot = /^btime (\d+)$/m.exec(await readFile("/proc/stat", "utf8"))?.[1];
  // proc(5): starttime is field 22 of the line, the 20th after the command's name.
  const ticks = fields?.[19];
  if (!boot || !ticks) return undefined;
  return new Date((Number(boot) + Number(ticks) / linuxTicksPerSecond) * 1000);
}

/**
 * Whether the process is the postmaster of that cluster. Reads the command line, which our launcher wrote: reading
 * /proc/PID/cwd of another account needs CAP_SYS_PTRACE, which root in a container does not have.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!hasProc) {
    const command = await ps(pid, "command=");
    return command.includes("/postgres -D ") && command.includes(cluster);
  }
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  return basename(args[0] ?? "") === "postgres" && args[1] === "-D" && args[2] === cluster;
}

async function statFields(pid: number): Promise<readonly string[] | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The command's name is in parentheses and may contain spaces and parentheses.
  return line?.slice(line.lastIndexOf(")") + 2).split(" ");
}

async function ps(pid: number, column: string): Promise<string> {
  const answer = await promisify(execFile)("ps", ["-p", String(pid), "-o", column]).catch(() => ({ stdout: "" }));
  return answer.stdout.trim();
}
