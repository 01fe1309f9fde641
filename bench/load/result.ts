// The last line of a benchmark: its figures as one JSON object, with the machine that they were measured on.

import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg } from "node:os";

/** The load of the whole machine in the minute before the benchmark began. */
const loadAtStart = loadavg()[0] ?? 0;

export function printResult(bench: string, figures: object): void {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const machine = {
    processor: processorModel(),
    cores: availableParallelism(),
    arch: process.arch,
    loadAtStart: round(loadAtStart),
  };
  console.log(JSON.stringify({ bench, ...figures, machine, commit }));
}

/** Node does not know the models of ARM processors. */
function processorModel(): string {
  const known = cpus()[0]?.model.trim() ?? "";
  if (known !== "" && known !== "unknown") return known;
  const listed = execFileSync("lscpu", { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  return /^Model name:\s+(.+)$/m.exec(listed)?.[1] ?? "unknown";
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The median of rounds, figure by figure. */
export function medians<Figures extends { readonly [Name in keyof Figures]: number }>(
  rounds: readonly Figures[],
): Figures {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Figures;
}

/** To three places. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The smallest value that so large a share of the values does not exceed; 0 without any. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
