// Prints why a message or a call went as it did: the summary, and every step in order.

import type { WhySummary } from "../../sdk/src/index.ts";
import { print, printTable, say } from "./output.ts";

export interface Trail {
  readonly summary: WhySummary;
  readonly steps: readonly { readonly at: string; readonly step: string; readonly details: unknown }[];
}

/** `state` is the first line. */
export function printTrail(state: string, { steps, summary }: Trail): void {
  print(`${state}\n${summary.what} ${summary.why}\n\n`);
  printTable(
    ["At", "Step", "Details"],
    steps.map(({ at, details, step }) => [at, step, wordsOf(details)]),
  );
  if (summary.advice !== null) say(`→ ${summary.advice}`);
}

/** `name: value, …`, nested values as JSON. */
export function wordsOf(details: unknown): string {
  if (details === null || details === undefined) return "";
  if (typeof details !== "object" || Array.isArray(details)) return wordOf(details);
  const known = Object.entries(details).filter(([, value]) => value !== null);
  return known.map(([name, value]) => `${name}: ${wordOf(value)}`).join(", ");
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
