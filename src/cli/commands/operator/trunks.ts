// `tandem operator trunks`: how the SIP trunks fare, and stopping and starting them.

import type { Command } from "commander";
import type { Trunk } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { printDone, printResult, printTable } from "../../output.ts";

const HELP = `
Examples:
  tandem operator trunks list
  tandem operator trunks stop acme-west
`;

export function addTrunksCommand(operator: Command): void {
  const trunks = operator
    .command("trunks")
    .summary("the SIP trunks")
    .description("The SIP trunks: how they fare, stopping and starting them.")
    .addHelpText("after", HELP);
  const list = trunks
    .command("list")
    .description("List the trunks and how they fare, as the process that answers sees them.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(list).action(async (flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).trunks.list();
    printResult(data.items, flags, printTrunks);
  });
  addSwitchCommands(trunks);
}

function printTrunks(items: readonly Trunk[]): void {
  printTable(
    ["Trunk", "State", "Calls", "Registration", "Reason"],
    items.map(({ calls, isUp, name, reason, registration, stoppedOn }) => [
      name,
      stoppedOn === null ? (isUp ? "up" : "down") : `stopped by the operator since ${stoppedOn}`,
      String(calls),
      registration === null ? "-" : registration.isUp ? "registered" : `not registered: ${registration.reason}`,
      reason || "-",
    ]),
  );
}

function addSwitchCommands(trunks: Command): void {
  const stop = trunks
    .command("stop")
    .description("Stop a trunk until it is started, also over a restart. Calls that are under way go on.")
    .argument("<name>", "the trunk")
    .option("--json", "print JSON");
  addOperatorOptions(stop).action(async (name: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).trunks.stop(name);
    printDone(data, flags, `${name} is stopped since ${data.stoppedOn}.`);
  });
  const start = trunks
    .command("start")
    .description("Start a trunk that was stopped.")
    .argument("<name>", "the trunk")
    .option("--json", "print JSON");
  addOperatorOptions(start).action(async (name: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).trunks.start(name);
    printDone(data, flags, `${name} is started.`);
  });
}
