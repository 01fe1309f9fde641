// `tandem operator inventory`: the numbers that accounts can have, and giving one of them to an account.

import type { Command } from "commander";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printDone, printResult, printTable } from "../../output.ts";
import { addChangeOptions, changeOf } from "../numbers/numbers.ts";
import { printPhone } from "../numbers/print-phone.ts";
import { addInventoryImportCommand } from "./inventory-import.ts";
import { addNumberKindOptions, type NumberKindFlags } from "./number-kind.ts";

const HELP = `
Examples:
  tandem operator inventory add +14155550123 +14155550124 --features SMS,MMS
  tandem operator inventory give +14155550123 AC01935f1e4c7b7000a3c41f0e5d9b2a17 --name "Front desk"
  tandem operator inventory add 72345 --country US
`;

export function addInventoryCommand(operator: Command): void {
  const inventory = operator
    .command("inventory")
    .summary("the numbers that accounts can have")
    .description("The numbers that accounts can have.")
    .addHelpText("after", HELP);
  addListCommand(inventory);
  addAddCommand(inventory);
  addGiveCommand(inventory);
  addRemoveCommand(inventory);
  addInventoryImportCommand(inventory);
}

function addListCommand(inventory: Command): void {
  const command = inventory
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

function addAddCommand(inventory: Command): void {
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

function addGiveCommand(inventory: Command): void {
  const command = inventory
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

function addRemoveCommand(inventory: Command): void {
  const command = inventory
    .command("remove")
    .description("Take a number out of the inventory, unless it serves an account.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (number: string, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).numbers.remove(number);
    printDone({ number, removed: true }, flags, `${number} is out of the inventory.`);
  });
}
