// `tandem operator numbers`: the inventory, and giving a number of it to an account.

import type { Command } from "commander";
import { NUMBER_FEATURES, type NumberFeature } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, oneOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printJson, printResult, printTable, say } from "../../output.ts";
import { addChangeOptions, changeOf, printPhone } from "../numbers.ts";

export function addOperatorNumbersCommand(operator: Command): void {
  const numbers = operator
    .command("numbers")
    .summary("the numbers that accounts can have")
    .description("The numbers that accounts can have.");
  addListCommand(numbers);
  addAddCommand(numbers);
  addGiveCommand(numbers);
  addRemoveCommand(numbers);
}

function addListCommand(numbers: Command): void {
  const command = numbers
    .command("list")
    .description("List the inventory.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags) => {
    const client = operatorClientOf(flags);
    const items = await gatherPages((page) => client.numbers.list(page));
    printResult(items, flags, () =>
      printTable(
        ["Number", "Country", "Features", "Added"],
        items.map((each) => [each.number, each.country ?? "-", each.features.join(", "), each.createdOn]),
      ),
    );
  });
}

function parseFeatures(text: string): readonly NumberFeature[] {
  return text.split(",").map((word) => oneOf(NUMBER_FEATURES)(word.trim()));
}

function addAddCommand(numbers: Command): void {
  const command = numbers
    .command("add")
    .description("Add numbers to the inventory; all or none.")
    .argument("<number...>", "the numbers")
    .option("--country <letters>", "they are short codes of this country, such as US")
    .option(
      "--features <list>",
      `${NUMBER_FEATURES.join(",")}; all unless told, of short codes all but VOICE`,
      parseFeatures,
    )
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly features?: readonly NumberFeature[];
    readonly country?: string;
  }
  addOperatorOptions(command).action(async (wanted: readonly string[], flags: Flags) => {
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

function addGiveCommand(numbers: Command): void {
  const command = numbers
    .command("give")
    .description("Give a number of the inventory to an account, as if the account had bought it.")
    .argument("<number>", "the number")
    .argument("<account>", "sid of the account");
  interface Flags extends OperatorCallFlags {
    readonly name?: string;
    readonly config?: string;
  }
  addOperatorOptions(addChangeOptions(command)).action(async (number: string, accountSid: string, flags: Flags) => {
    const { data } = await operatorClientOf(flags).numbers.assign(number, { accountSid, ...changeOf(flags) });
    printPhone(data, flags);
  });
}

function addRemoveCommand(numbers: Command): void {
  const command = numbers
    .command("remove")
    .description("Take a number out of the inventory, unless it serves an account.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (number: string, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).numbers.remove(number);
    if (flags.json) printJson({ number, removed: true });
    else say(`${number} is out of the inventory.`);
  });
}
