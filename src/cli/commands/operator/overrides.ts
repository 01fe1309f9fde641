// `tandem operator overrides`: what lookups of a number answer by the operator's word.

import type { Command } from "commander";
import {
  type LookupOverride,
  type MessagingStatus,
  PHONE_MESSAGING_STATUSES,
  PHONE_TYPES,
  type PhoneType,
} from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, oneOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printDone, printResult, printTable } from "../../output.ts";

const HELP = `
Example:
  tandem operator overrides set +14155550177 --type Wireless --status Active --carrier "Acme Wireless" --note "ported yesterday"
`;

export function addOverridesCommand(operator: Command): void {
  const overrides = operator
    .command("overrides")
    .summary("what lookups of a number answer, by your word")
    .description("What lookups of a number answer by the operator's word, whatever else is known of it.")
    .addHelpText("after", HELP);
  addListCommand(overrides);
  addShowCommand(overrides);
  addSetCommand(overrides);
  addDeleteCommand(overrides);
}

function printOverrides(items: readonly LookupOverride[]): void {
  printTable(
    ["Number", "Type", "Status", "Carrier", "Note", "Updated"],
    items.map((item) => [
      item.number,
      item.type,
      item.status,
      item.carrierName ?? "-",
      item.note ?? "-",
      item.updatedOn,
    ]),
  );
}

function addListCommand(overrides: Command): void {
  const command = overrides
    .command("list")
    .description("List the overrides.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags) => {
    const client = operatorClientOf(flags);
    printResult(await gatherPages((page) => client.lookupOverrides.list(page)), flags, printOverrides);
  });
}

function addShowCommand(overrides: Command): void {
  const command = overrides
    .command("show")
    .description("Show the override of a number.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (number: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).lookupOverrides.get(number);
    printResult(data, flags, () => printOverrides([data]));
  });
}

function addSetCommand(overrides: Command): void {
  const command = overrides
    .command("set")
    .description("Say what lookups of a number answer.")
    .argument("<number>", "the number")
    .requiredOption("--type <type>", PHONE_TYPES.join(", "), oneOf(PHONE_TYPES))
    .requiredOption(
      "--status <status>",
      "whether it can be written to: Active, Inactive",
      oneOf(PHONE_MESSAGING_STATUSES),
    )
    .option("--carrier <name>", "its carrier")
    .option("--note <text>", "why, for other operators")
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly type: PhoneType;
    readonly status: MessagingStatus;
    readonly carrier?: string;
    readonly note?: string;
  }
  addOperatorOptions(command).action(async (number: string, flags: Flags) => {
    const { carrier: carrierName, note, status, type } = flags;
    const override = { type, status, ...given({ carrierName, note }) };
    const { data } = await operatorClientOf(flags).lookupOverrides.put(number, override);
    printResult(data, flags, () => printOverrides([data]));
  });
}

function addDeleteCommand(overrides: Command): void {
  const command = overrides
    .command("delete")
    .description("Take an override away.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (number: string, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).lookupOverrides.remove(number);
    printDone({ number, deleted: true }, flags, `Lookups of ${number} answer what is known of it again.`);
  });
}
