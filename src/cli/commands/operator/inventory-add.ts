// `tandem operator inventory add` reports for each number whether it was new.

import type { Command } from "commander";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given } from "../../arguments.ts";
import { printResult, printTable } from "../../output.ts";
import { addNumberKindOptions, type NumberKindFlags } from "./number-kind.ts";

export function addInventoryAddCommand(inventory: Command): void {
  const command = inventory
    .command("add")
    .description("Add numbers to the inventory; all or none.")
    .argument("<number...>", "the numbers")
    .option("--json", "print JSON");
  type Flags = OperatorCallFlags & NumberKindFlags;
  addOperatorOptions(addNumberKindOptions(command)).action(async (wanted: readonly string[], flags: Flags) => {
    const order = { numbers: wanted, ...given({ features: flags.features, country: flags.country }) };
    const { data } = await operatorClientOf(flags).numbers.add(order);
    printResult(data, flags, ({ added, alreadyHere }) =>
      printTable(
        ["Number", "Result"],
        [...added.map((number) => [number, "added"]), ...alreadyHere.map((number) => [number, "was here already"])],
      ),
    );
  });
}
