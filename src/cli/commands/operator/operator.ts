// `tandem operator`: what the operator of the service does. Signs in with an operator's token.

import type { Command } from "commander";
import { addOperatorAttentionCommand } from "../attention.ts";
import { addOperatorAccountsCommand } from "./accounts.ts";
import { addCountriesCommand, addFeaturesCommand, addLimitsCommand } from "./allowances.ts";
import { addOperatorCampaignsCommand } from "./campaigns.ts";
import { addInventoryCommand } from "./inventory.ts";
import { addOperatorLinksCommand } from "./links.ts";
import { addAuditCommand, addOperatorTokensCommand } from "./operators.ts";
import { addOverridesCommand } from "./overrides.ts";
import { addPortsCommand } from "./ports.ts";
import { addRoutesCommand } from "./routes.ts";
import { addTrunksCommand } from "./trunks.ts";
import { addViewCommands } from "./views.ts";

const HELP = `
Examples:
  tandem operator accounts create Shop --features campaignMigration
  tandem operator accounts suspend AC01935f1e4c7b7000a3c41f0e5d9b2a17 --reason "unpaid since January"
  tandem operator inventory add +14155550123 +14155550124
  tandem operator inventory give +14155550123 AC01935f1e4c7b7000a3c41f0e5d9b2a17 --name "Front desk"
  tandem operator campaigns enter CABC123 --brand BSHOP01 --name Shop --account AC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem operator campaigns suspend CABC123
  tandem operator links stop acme-east
  tandem operator messages why OM01935f1e4c7b7000a3c41f0e5d9b2a17 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17
`;

export function addOperatorCommand(program: Command): void {
  const operator = program
    .command("operator")
    .summary("for the operator of the service")
    .description("For the operator of the service.")
    .addHelpText("after", HELP);
  addOperatorAccountsCommand(operator);
  addFeaturesCommand(operator);
  addLimitsCommand(operator);
  addCountriesCommand(operator);
  addOperatorTokensCommand(operator);
  addInventoryCommand(operator);
  addOverridesCommand(operator);
  addPortsCommand(operator);
  addOperatorCampaignsCommand(operator);
  addOperatorLinksCommand(operator);
  addTrunksCommand(operator);
  addRoutesCommand(operator);
  addViewCommands(operator);
  addOperatorAttentionCommand(operator);
  addAuditCommand(operator);
}
