// `tandem attention` and `traffic`: what needs somebody, with what to do about it, and how much is going on.

import type { Command } from "commander";
import type { Finding, OperatorFinding } from "../../../sdk/src/index.ts";
import {
  type AccountFlags,
  addAccountOptions,
  addOperatorOptions,
  clientOf,
  type OperatorCallFlags,
  operatorClientOf,
} from "../account-options.ts";
import { parseCount } from "../arguments.ts";
import { printResult, printTable, say } from "../output.ts";

const HELP = `
Example:
  tandem attention
`;

export function addAttentionCommand(program: Command): void {
  const command = program
    .command("attention")
    .summary("what needs somebody")
    .description("List whatever stands still or fails, each with what to do about it.")
    .option("--json", "print JSON instead of a table")
    .addHelpText("after", HELP);
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    const { data } = await clientOf(flags).oversight.attention();
    printResult(data.items, flags, printFindings);
  });
}

export function addOperatorAttentionCommand(operator: Command): void {
  const command = operator
    .command("attention")
    .summary("what needs somebody, of all accounts and the service")
    .description("List whatever stands still or fails, of all accounts and the service itself.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).oversight.attention();
    printResult(data.items, flags, printFindings);
  });
}

function printFindings(items: readonly (Finding | OperatorFinding)[]): void {
  if (items.length === 0) {
    say("Nothing needs anybody.");
    return;
  }
  const isOwned = items.some((item) => "accountSid" in item);
  printTable(
    ["Severity", ...(isOwned ? ["Account"] : []), "What", "Why", "What to do"],
    items.map((item) => [
      item.severity,
      ...("accountSid" in item ? [item.accountSid ?? "-"] : []),
      item.what,
      item.why,
      item.advice,
    ]),
  );
}

const TRAFFIC_HELP = `
Example:
  tandem traffic --minutes 10
`;

export function addTrafficCommand(program: Command): void {
  const command = program
    .command("traffic")
    .summary("messages and calls by the minute")
    .description("Count messages and calls by the minute, the oldest first.")
    .option("--minutes <n>", "how many, 1440 at most", parseCount, 60)
    .option("--json", "print JSON instead of a table")
    .addHelpText("after", TRAFFIC_HELP);
  addAccountOptions(command).action(async (flags: AccountFlags & { readonly minutes: number }) => {
    const { data } = await clientOf(flags).oversight.traffic({ minutes: flags.minutes });
    printResult(data.items, flags, (items) =>
      printTable(
        ["Minute", "Sent", "Delivered", "Failed", "Received", "Calls"],
        items.map((item) => [
          item.at,
          ...[item.sent, item.delivered, item.failed, item.received, item.calls].map(String),
        ]),
      ),
    );
  });
}
