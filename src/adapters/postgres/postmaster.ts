// Starts and stops the postmaster. It runs in its own session, so that Ctrl-C in a terminal reaches only us and we stop
// it after our work is done. It outlives a killed server, and the next server takes it over.

import { spawn } from "node:child_process";
import { link, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../base/log.ts";
import { type Account, asAccount, postgresEnvironment } from "./postgres-account.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { databasePort } from "./postgres-cluster.ts";
import { boundLog, logSize, logTail, openLog } from "./postgres-log.ts";
import { isAlive, isPostmasterOf, isTaken } from "./process-facts.ts";

const fastStopMsMax = 20_000;
const immediateStopMsMax = 5_000;
const pollMs = 10;
/** Time from the lock file to the socket, which a postmaster creates before it recovers anything. */
const listenMsMax = 2_000;

export interface PostmasterSite {
  readonly cluster: string;
  readonly socketDir: string;
  readonly account: Account | undefined;
  readonly binaries: PostgresBinaries;
  readonly logFile: string;
}

export interface Postmaster {
  readonly pid: number | undefined;
  /** Undefined while it has not ended. */
  failure(): StartFailure | undefined;
}

export interface StartFailure {
  /** Another postmaster was faster, or the last one's processes are still ending: a retry may succeed. */
  readonly passing: boolean;
  readonly logTail: string;
}

export async function startPostmaster(site: PostmasterSite): Promise<Postmaster> {
  await boundLog(site.logFile);
  const offset = await logSize(site.logFile);
  const output = await openLog(site.logFile);
  let failure: StartFailure | undefined;
  let pid: number | undefined;
  try {
    const child = spawn(site.binaries.postgres, postmasterArguments(site), {
      cwd: "/",
      env: postgresEnvironment,
      detached: true,
      stdio: ["ignore", output.fd, output.fd],
      ...asAccount(site.account),
    });
    pid = child.pid;
    child.unref();
    child.once("error", (error) => {
      failure = { passing: false, logTail: error.message };
    });
    child.once("exit", async () => {
      const tail = await logTail(site.logFile, offset);
      failure = {
        passing: /lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(tail),
        logTail: tail,
      };
    });
  } finally {
    await output.close();
  }
  return { pid, failure: () => failure };
}

function postmasterArguments(site: PostmasterSite): readonly string[] {
  const settings = [
    "listen_addresses=",
    `port=${databasePort}`,
    `unix_socket_directories=${quoteListItem(site.socketDir)}`,
    "unix_socket_permissions=0700",
  ];
  return ["-D", site.cluster, ...settings.flatMap((setting) => ["-c", setting])];
}

/** The setting is a list, so commas and spaces in a path must be quoted. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

/** Whether a postmaster of this cluster runs, even if it does not listen yet or any more. */
export async function hasPostmaster(cluster: string): Promise<boolean> {
  const pid = await pidIn(join(cluster, "postmaster.pid"));
  return pid !== undefined && (await isPostmasterOf(pid, cluster));
}

/** The socket directory of the running postmaster, which may have been started with another temporary directory. */
export async function runningSocketDir(cluster: string): Promise<string | undefined> {
  for (const untilMs = performance.now() + listenMsMax; ; await delay(pollMs)) {
    const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "");
    const [directory, ...after] = text.split("\n").slice(4);
    const isRunning = await hasPostmaster(cluster);
    // A line without its line end is still being written, so what was read of it may be incomplete.
    if (isRunning && directory && after.length > 0) return directory;
    if (!isRunning || performance.now() > untilMs) return undefined;
  }
}

/**
 * PostgreSQL takes a leftover postmaster.pid for a running server when its pid now belongs to some other process of the
 * same user. Call only after no server answered on the socket and `hasPostmaster` returned false.
 */
export async function clearStaleLocks(site: PostmasterSite): Promise<void> {
  const files = [join(site.cluster, "postmaster.pid"), join(site.socketDir, `.s.PGSQL.${databasePort}.lock`)];
  for (const file of files) {
    const judged = await pidIn(file);
    // PostgreSQL itself ignores a pid that no process has, and then also looks for surviving sessions.
    if (judged === undefined || !isTaken(judged) || (await isPostmasterOf(judged, site.cluster))) continue;
    // Moved before it is read again, because a postmaster that is just starting may have rewritten it.
    const aside = `${file}.stale-${process.pid}`;
    await rename(file, aside).catch(() => undefined);
    if ((await pidIn(aside)) !== judged) await link(aside, file).catch(() => undefined);
    await rm(aside, { force: true });
  }
}

/** Fast shutdown, then immediate: ends sessions, loses no commit. Returns whether the process is gone. */
export async function stopPostmaster(pid: number, cluster: string, log: Log): Promise<boolean> {
  const steps = [
    { signal: "SIGINT", waitMs: fastStopMsMax },
    { signal: "SIGQUIT", waitMs: immediateStopMsMax },
  ] as const;
  for (const { signal, waitMs } of steps) {
    // Checked each time, because another process may have the pid by now.
    if (!(await isPostmasterOf(pid, cluster))) return !(await isAlive(pid));
    try {
      process.kill(pid, signal);
    } catch {
      return !(await isAlive(pid));
    }
    const untilMs = performance.now() + waitMs;
    while (performance.now() < untilMs) {
      if (!(await isAlive(pid))) return true;
      await delay(pollMs);
    }
    log.warn({ postgresPid: pid, signal, waitMs }, "PostgreSQL did not stop in time");
  }
  return false;
}

async function pidIn(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  // A postmaster in single-user mode writes its pid with a minus sign.
  const pid = Math.abs(Number.parseInt(text, 10));
  return pid > 0 ? pid : undefined;
}
