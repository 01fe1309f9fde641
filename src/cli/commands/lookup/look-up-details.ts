// `tandem lookup --details NUMBER…`: everything that is known about a few numbers, one after another.

import type { FailedLookup, NumberDetails, TandemClient } from "../../../../sdk/src/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { print, printFields, printResult } from "../../output.ts";
import { one } from "./look-up-few-numbers.ts";

type Item = NumberDetails | FailedLookup;

export async function lookUpDetails(
  client: TandemClient,
  numbers: readonly string[],
  flags: { readonly json?: true },
): Promise<number> {
  const items: Item[] = [];
  for (const number of numbers) items.push(await one(number, client.lookup.details));
  printResult(items.length === 1 ? items[0] : items, flags, () => items.forEach(printItem));
  return items.some((item) => "error" in item) ? EXIT.refused : EXIT.fine;
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
