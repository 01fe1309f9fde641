// Processor time (user and system) of processes, from /proc. A rate depends on the machine's other load as much as on
// the program; the time per unit of work can be compared between noisy machines. Counts a process, its threads and its
// children, including those that have ended.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterOf, type TandemApi } from "../../test/tandem.ts";
import { round } from "./result.ts";

/** Ids of processes, by the names that they have in a result. */
export type Processes = Readonly<Record<string, number>>;

/** Microseconds for each unit of work: of each process with its children, and of all of them. */
export type CpuUs = Readonly<Record<string, number>> & { readonly all: number };

interface Stat {
  readonly parent: number;
  /** Of itself, and of its children that have ended. */
  readonly ms: number;
  readonly endedChildrenMs: number;
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** A Tandem and its own PostgreSQL. */
export function processesOf({ pid, dataDir }: Pick<TandemApi, "dataDir"> & { readonly pid: number }): Processes {
  const postmaster = readFileSync(join(clusterOf(dataDir), "postmaster.pid"), "utf8").split("\n", 1)[0];
  return { server: pid, postgres: Number(postmaster) };
}

/** Starts counting. The returned function gives the time per unit for a number of units. */
export function countCpu(processes: Processes): (units: number) => CpuUs {
  const before = cpuMs(processes);
  return (units) => {
    const after = cpuMs(processes);
    const names = Object.keys(processes);
    const usedMs = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
    const perUnit = (ms: number) => Math.round((ms * 10_000) / units) / 10;
    const each = Object.fromEntries(names.map((name) => [name, perUnit(usedMs(name))] as const));
    return { ...each, all: perUnit(names.reduce((sum, name) => sum + usedMs(name), 0)) };
  };
}

/** Milliseconds by name. A process with a name of its own is not counted for the process that started it. */
export function cpuMs(processes: Processes): Readonly<Record<string, number>> {
  const stats = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = statOf(name);
        return stat ? [[Number(name), stat] as const] : [];
      }),
  );
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of stats) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const named = new Set(Object.values(processes));
  const treeMs = (pid: number): number =>
    (children.get(pid) ?? [])
      .filter((child) => !named.has(child))
      .reduce((sum, child) => sum + treeMs(child), stats.get(pid)?.ms ?? 0);
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, treeMs(pid)]));
}

/** Processor time of this process's children that have ended and were waited for. */
export function endedChildrenMs(): number {
  return statOf("self")?.endedChildrenMs ?? 0;
}

/** Undefined when the process has ended. */
function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields after the name: state, parent, … user, system, and both of children.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const msOf = (at: number) => (Number(fields[at]) * 1000) / ticksPerSecond;
    const endedChildrenMs = msOf(13) + msOf(14);
    return { parent: Number(fields[1]), ms: msOf(11) + msOf(12) + endedChildrenMs, endedChildrenMs };
  } catch {
    return undefined;
  }
}

/** Ours beside a peer's in a result; above 1 ours takes less. */
export function compareCpu(cpuUs: CpuUs, peerCpuUs: CpuUs) {
  return { cpuUs, peerCpuUs, cpuRatio: round(peerCpuUs.all / cpuUs.all) };
}
