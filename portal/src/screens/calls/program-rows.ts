// The program of a call as it ran, from its `why`: each document and instruction, and what came of it. Pure.

import type { CallTrail } from "@tandem/sdk";
import { tableOf } from "../../components/lookup-table.ts";
import { callStepWords, type Details, type StepWords } from "../../components/step-words.ts";

export interface ProgramRow {
  readonly at: string;
  readonly words: StepWords;
  /** Where the document came from. */
  readonly url?: string | undefined;
  /** It is for the party that was dialled, before it is connected. */
  readonly isWhisper: boolean;
  /** What the instruction records. */
  readonly recordingSid?: string | undefined;
  readonly results: readonly ProgramResult[];
}

export interface ProgramResult {
  readonly at: string;
  readonly words: StepWords;
}

interface GrowingRow extends ProgramRow {
  readonly isGather: boolean;
  readonly results: ProgramResult[];
}

type Part = "row" | "result";

const PARTS = tableOf<Part>({
  script: "row",
  instruction: "row",
  redirected: "row",
  refused: "result",
  voice: "result",
  speech: "result",
  gathered: "result",
  dialled: "result",
  recorded: "result",
  stream: "result",
  conference: "result",
});

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

const gatherOf = (rows: readonly GrowingRow[]) => rows.findLast(({ isGather }) => isGather);

/** None where the call runs no program. */
export function programOf({ steps }: Pick<CallTrail, "steps">): readonly ProgramRow[] {
  const rows: GrowingRow[] = [];
  for (const { at, step, details: given } of steps) {
    const part = PARTS.get(step);
    if (!part) continue;
    const details = (given ?? {}) as Details;
    const words = callStepWords(step, details);
    // The prompts of a Gather are instructions of their own, after it.
    const last = (step === "gathered" ? gatherOf(rows) : undefined) ?? rows.at(-1);
    // The URL of a dial that was left is notified, and the program goes on elsewhere.
    const isResult = part === "result" || details.informed !== undefined;
    if (isResult) last?.results.push({ at, words });
    else {
      rows.push({
        at,
        words,
        url: step === "script" ? textOf(details.url) : undefined,
        isWhisper: details.leg === "Second",
        isGather: step === "instruction" && details.gather !== undefined,
        recordingSid: step === "instruction" ? textOf(details.record) : undefined,
        results: [],
      });
    }
  }
  return rows;
}
