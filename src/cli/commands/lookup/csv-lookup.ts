// Looks up the numbers of a whole CSV file, one request for each batch. Adds five cells to every row.

import type { FailedLookup, NumberInformation, TandemClient } from "../../../../sdk/src/index.ts";
import type { CsvWork, SettledRow } from "../../bulk/process-csv.ts";
import type { RetryingCaller } from "../../bulk/retrying-caller.ts";

export const ADDED_COLUMNS = ["number", "status", "type", "carrierName", "error"] as const;

/** The API's limits on numbers in a request, and on the length of each. */
export const BATCH_MAX = 1000;
const NUMBER_LENGTH_MAX = 256;

export function csvLookup(client: TandemClient, caller: RetryingCaller, column: number): CsvWork<string> {
  return {
    questionOf: (cells) => questionOf(cells[column]?.trim() ?? ""),
    requestBytesOf: (number) => Buffer.byteLength(JSON.stringify(number)) + 1,
    async ask(numbers) {
      const { signal } = caller;
      const answer = await caller.callFor(numbers.length, () => client.lookup.numbers(numbers, { signal }));
      if (answer === "askLess") return answer;
      const { items } = answer.data ?? {};
      if (!Array.isArray(items) || items.length !== numbers.length) {
        throw new Error(`The server answered ${items?.length ?? "no"} items to ${numbers.length} numbers.`);
      }
      return items.map(settle);
    },
  };
}

function questionOf(number: string): { readonly ask: string } | SettledRow {
  if (number === "") return settle({ number: "", error: "There is no number in this row." });
  if (number.length > NUMBER_LENGTH_MAX) {
    return settle({ number: "", error: "This is too long for a phone number." });
  }
  return { ask: number };
}

function settle(item: NumberInformation | FailedLookup): SettledRow {
  if ("error" in item) return { cells: [item.number, "", "", "", item.error], isRefused: true };
  return { cells: [item.number, item.status, item.type, item.carrierName ?? "", ""], isRefused: false };
}
