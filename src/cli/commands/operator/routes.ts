// `tandem operator routes`: which links and trunks carry what, and how much each takes now.

import type { Command } from "commander";
import type { Route, RouteWay } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { printResult, printTable } from "../../output.ts";

const HELP = `
Example:
  tandem operator routes list
`;

export function addRoutesCommand(operator: Command): void {
  const routes = operator
    .command("routes")
    .summary("the routes of the config file")
    .description("The routes of the config file, and what each link and trunk takes of them.")
    .addHelpText("after", HELP);
  const list = routes
    .command("list", { isDefault: true })
    .description("List the routes in the order in which they are tried: the first that fits decides.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(list).action(async (flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).routes.list();
    printResult(data.items, flags, printRoutes);
  });
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

function wayText({ name, share, shareNow, state, isUp }: RouteWay): string {
  const usual = share === 0 ? "stands in" : percent(share);
  const now = shareNow === share ? "" : `, now ${percent(shareNow)}`;
  return `${name} ${usual}${now}${isUp === true ? "" : ` (${state})`}`;
}

function printRoutes(items: readonly Route[]): void {
  printTable(
    ["Route", "Kind", "From", "To", "Recipient's carrier", "Goes by"],
    items.map(({ name, kind, senders, destinations, carriers, ways }) => [
      name,
      kind,
      senders.join(" ") || "any",
      destinations.join(" ") || "any",
      carriers.join(", ") || "any",
      ways.map(wayText).join(", ") || "no link: messages wait",
    ]),
  );
}
