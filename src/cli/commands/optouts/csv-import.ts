// Opts out the numbers of a whole CSV file, with several concurrent requests. Requests may be repeated, because a
// number that has opted out already is not changed.

import { type TandemClient, TandemError } from "../../../../sdk/src/index.ts";
import { askConcurrently } from "../../bulk/ask-concurrently.ts";
import type { CsvWork, SettledRow } from "../../bulk/process-csv.ts";
import type { RetryingCaller } from "../../bulk/retrying-caller.ts";
import type { Scope } from "./scope.ts";

export const ADDED_COLUMNS = ["number", "outcome", "error"] as const;
export const BATCH_MAX = 100;
const CONCURRENCY_MAX = 8;

export interface CsvImportOrder {
  readonly client: TandemClient;
  readonly caller: RetryingCaller;
  readonly column: number;
  readonly scope: Scope;
}

export function csvImport({ caller, client, column, scope }: CsvImportOrder): CsvWork<string> {
  const { signal } = caller;
  const add = async (number: string): Promise<SettledRow> => {
    try {
      const { data, status } = await caller.call(() => client.optOuts.create({ number, ...scope }, { signal }));
      return { cells: [data.number, status === 201 ? "added" : "was there already", ""], isRefused: false };
    } catch (error) {
      if (!(error instanceof TandemError) || !isAboutNumber(error)) throw error;
      return refused(error.message);
    }
  };
  return {
    questionOf(cells) {
      const number = cells[column]?.trim() ?? "";
      return number === "" ? refused("There is no number in this row.") : { ask: number };
    },
    ask: (numbers) =>
      askConcurrently({ questions: numbers, concurrencyMax: CONCURRENCY_MAX, queueOf: (number) => number, ask: add }),
  };
}

/** A wrong scope concerns every row, so it is not a refusal of one. */
function isAboutNumber({ errors, status }: TandemError): boolean {
  return status === 400 && "number" in errors && !("scope" in errors);
}

function refused(error: string): SettledRow {
  return { cells: ["", "", error], isRefused: true };
}
