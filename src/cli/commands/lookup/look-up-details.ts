// `tandem lookup --details NUMBER…`: everything that is known about a few numbers, one after another.

import { type FailedLookup, type NumberDetails, type TandemClient, TandemError } from "../../../../sdk/src/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { print, printFields, printResult } from "../../output.ts";

type Item = NumberDetails | FailedLookup;

export async function lookUpDetails(
  client: TandemClient,
  numbers: readonly string[],
  flags: { readonly json?: true },
): Promise<number> {
  const items: Item[] = [];
  for (const number of numbers) items.push(await one(client, number));
  printResult(items.length === 1 ? items[0] : items, flags, () => items.forEach(printItem));
  return items.some((item) => "error" in item) ? EXIT.refused : EXIT.fine;
}

async function one(client: TandemClient, number: string): Promise<Item> {
  try {
    return (await client.lookup.details(number)).data;
  } catch (error) {
    // The number itself is wrong, which is a result as well.
    if (error instanceof TandemError && error.status === 400) return { number, error: error.message };
    throw error;
  }
}

function printItem(item: Item, at: number): void {
  if (at > 0) print("\n");
  if ("error" in item) {
    printFields({ Number: item.number, Refused: item.error });
    return;
  }
  const network = [item.mobileCountryCode, item.mobileNetworkCode].filter((code) => code !== null).join("-");
  printFields({
    Number: item.number,
    Status: item.status,
    Type: item.type,
    Carrier: item.carrierName,
    Country: item.country,
    "Written there": item.nationalFormat,
    "Written abroad": item.internationalFormat,
    Area: item.location,
    Network: network || null,
    Ported: item.ported === null ? null : item.ported ? "yes" : "no",
    Source: `${item.source}, as of ${item.asOf}`,
    Confidence: item.confidence,
  });
}
