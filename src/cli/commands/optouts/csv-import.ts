// Opts the numbers of a whole CSV file out, several requests at once. A number that has opted out already stays as it
// is, so a request may be repeated.

import { type TandemClient, TandemError } from "../../../../sdk/src/index.ts";
import type { PatientCaller } from "../../bulk/patient-caller.ts";
import { askSideBySide } from "../../bulk/side-by-side.ts";
import type { CsvWork, SettledRow } from "../../bulk/work-through-csv.ts";
import type { Scope } from "./scope.ts";

export const ADDED_COLUMNS = ["number", "outcome", "error"] as const;
export const BATCH_MAX = 100;
const AT_ONCE_MAX = 8;

export interface CsvImportOrder {
  readonly client: TandemClient;
  readonly caller: PatientCaller;
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
      askSideBySide({ questions: numbers, atOnceMax: AT_ONCE_MAX, queueOf: (number) => number, ask: add }),
  };
}

/** A wrong scope would be wrong in every row. */
function isAboutNumber({ errors, status }: TandemError): boolean {
  return status === 400 && "number" in errors && !("scope" in errors);
}

function refused(error: string): SettledRow {
  return { cells: ["", "", error], isRefused: true };
}
