// `tandem operator links`: how the links to carriers fare, and stopping and starting them.

import type { Command } from "commander";
import type { CarrierLink } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { printDone, printResult, printTable } from "../../output.ts";

const HELP = `
Examples:
  tandem operator links list
  tandem operator links stop acme-east
`;

export function addOperatorLinksCommand(operator: Command): void {
  const links = operator
    .command("links")
    .summary("the links to carriers")
    .description("The links to carriers: how they fare, stopping and starting them.")
    .addHelpText("after", HELP);
  addListCommand(links);
  addStopCommand(links);
  addStartCommand(links);
}

function addListCommand(links: Command): void {
  const command = links
    .command("list")
    .description("List the links and how they fare. One process keeps them all; others answer what it told last.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).links.list();
    printResult(data.items, flags, printLinks);
  });
}

function printLinks(items: readonly CarrierLink[]): void {
  printTable(
    ["Link", "Carrier", "Kind", "State", "Since", "Takes now", "Reason"],
    items.map((link) => [
      link.name,
      link.carrier,
      link.kind,
      link.stoppedOn === null ? link.state : `${link.state}, stopped by the operator`,
      link.since,
      String(link.room),
      link.reason || "-",
    ]),
  );
}

function addStopCommand(links: Command): void {
  const command = links
    .command("stop")
    .description("Stop a link until it is started, also over a restart. Messages take other links, or wait.")
    .argument("<name>", "the link")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (name: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).links.stop(name);
    printDone(data, flags, `${name} is stopped since ${data.stoppedOn}.`);
  });
}

function addStartCommand(links: Command): void {
  const command = links
    .command("start")
    .description("Start a link that was stopped.")
    .argument("<name>", "the link")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (name: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).links.start(name);
    printDone(data, flags, `${name} is started.`);
  });
}
