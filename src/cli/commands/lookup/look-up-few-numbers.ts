// `tandem lookup NUMBER…`: looks up numbers from the command line and prints a table or JSON.

import {
  type Answer,
  type FailedLookup,
  type NumberInformation,
  type TandemClient,
  TandemError,
} from "../../../../sdk/src/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { formatTable } from "../../table.ts";
import { BATCH_MAX } from "./csv-lookup.ts";

export interface FewNumbersOrder {
  readonly client: TandemClient;
  readonly numbers: readonly string[];
  readonly asJson: boolean;
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

type Item = NumberInformation | FailedLookup;

export async function lookUpFewNumbers(order: FewNumbersOrder): Promise<number> {
  const { client, numbers } = order;
  const [only] = numbers;
  const isOne = numbers.length === 1 && only !== undefined;
  const items = isOne ? [await one(only, client.lookup.number)] : await many(client, numbers);
  order.write(order.asJson ? asJson(items) : asTable(items, order.isTerminal));
  return items.some((item) => "error" in item) ? EXIT.refused : EXIT.fine;
}

/** The result, or why the number was refused. */
export async function one<Found>(
  number: string,
  lookUp: (number: string) => Promise<Answer<Found>>,
): Promise<Found | FailedLookup> {
  try {
    return (await lookUp(number)).data;
  } catch (error) {
    // The number itself is wrong, which is a result as well.
    if (error instanceof TandemError && error.status === 400) return { number, error: error.message };
    throw error;
  }
}

async function many(client: TandemClient, numbers: readonly string[]): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < numbers.length; at += BATCH_MAX) {
    const { data } = await client.lookup.numbers(numbers.slice(at, at + BATCH_MAX));
    items.push(...data.items);
  }
  return items;
}

/** One number gives an object, several give an array. */
function asJson(items: readonly Item[]): string {
  return `${JSON.stringify(items.length === 1 ? items[0] : items, null, 2)}\n`;
}

function asTable(items: readonly Item[], isTerminal: boolean): string {
  const header = ["Number", "Status", "Type", "Carrier"];
  const rows = items.map((item) =>
    "error" in item
      ? [item.number, "refused", "", item.error]
      : [item.number, item.status, item.type, item.carrierName ?? "-"],
  );
  return formatTable({ header, rows, isTerminal });
}
