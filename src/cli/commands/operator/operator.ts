// `tandem operator`: what the operator of the service does. Signs in with an operator's token.

import type { Command } from "commander";
import { addOperatorAccountsCommand } from "./accounts.ts";
import { addOperatorCampaignsCommand } from "./campaigns.ts";
import { addOperatorLinksCommand } from "./links.ts";
import { addOperatorNumbersCommand } from "./numbers.ts";

const HELP = `
Examples:
  tandem operator accounts create Shop --features campaignMigration
  tandem operator numbers add +14155550123 +14155550124
  tandem operator numbers give +14155550123 AC01935f1e4c7b7000a3c41f0e5d9b2a17 --name "Front desk"
  tandem operator campaigns enter CABC123 --brand BSHOP01 --name Shop --account AC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem operator campaigns change CABC123 --status Suspended
  tandem operator links stop acme-east
`;

export function addOperatorCommand(program: Command): void {
  const operator = program
    .command("operator")
    .summary("for the operator of the service")
    .description("For the operator of the service.")
    .addHelpText("after", HELP);
  addOperatorAccountsCommand(operator);
  addOperatorNumbersCommand(operator);
  addOperatorCampaignsCommand(operator);
  addOperatorLinksCommand(operator);
}
