// What the commands of several operations share.

import { type CommandDescription, members, type Part } from "../../../base/plain-command.ts";

export const SINCE_UNTIL = {
  "--since <time>": ["CreatedOnFrom", "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z"],
  "--until <time>": ["CreatedOnTo", "until then"],
} as const satisfies CommandDescription["options"];

/** Why a message or a call went as it did: the summary, and every step in order. */
export const TRAIL: readonly Part[] = [
  { print: "{summary.what} {summary.why}\n" },
  { table: { ...members("at, step"), Details: ["{details}", ""] }, of: "steps" },
  { say: "→ {summary.advice}" },
];
