// `tandem campaigns`: lists imported campaigns, links them to MessagingConfigs, and migrates one to this account.

import type { Command } from "commander";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printJson, printResult, printTable } from "../../output.ts";
import { addMigrateCommand } from "./migrate.ts";
import { printCampaign, printCampaigns } from "./print-campaigns.ts";

const HELP = `
Examples:
  tandem campaigns list
  tandem campaigns link CABC123 MC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem campaigns migrate CABC123 +13035550123 --dry-run
  tandem campaigns migrations
`;

export function addCampaignsCommand(program: Command): void {
  const campaigns = program
    .command("campaigns")
    .summary("campaigns of the registry")
    .description("Campaigns of the registry, which MessagingConfig each is linked to, and bringing one here.")
    .addHelpText("after", HELP);
  addListCommand(campaigns);
  addShowCommand(campaigns);
  addLinkCommands(campaigns);
  addMigrateCommand(campaigns);
  addMigrationsCommand(campaigns);
}

function addListCommand(campaigns: Command): void {
  const command = campaigns
    .command("list")
    .description("List the campaigns.")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    const client = clientOf(flags);
    const items = await gatherPages((page) => client.campaigns.list(page));
    printResult(items, flags, printCampaigns);
  });
}

function addShowCommand(campaigns: Command): void {
  const command = campaigns
    .command("show")
    .description("Show a campaign, with what each mobile operator lets through.")
    .argument("<id>", "the campaign")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (id: string, flags: AccountFlags) => {
    printResult((await clientOf(flags).campaigns.get(id)).data, flags, printCampaign);
  });
}

function addLinkCommands(campaigns: Command): void {
  const change = async (id: string, messagingConfigSid: string | null, flags: AccountFlags) => {
    const { data } = await clientOf(flags).campaigns.change(id, { messagingConfigSid });
    if (flags.json) printJson(data);
    else printCampaigns([data]);
  };
  const link = campaigns
    .command("link")
    .description("Link a campaign to a MessagingConfig.")
    .argument("<id>", "the campaign")
    .argument("<config>", "sid of the config")
    .option("--json", "print JSON");
  addAccountOptions(link).action((id: string, config: string, flags: AccountFlags) => change(id, config, flags));
  const unlink = campaigns
    .command("unlink")
    .description("Unlink a campaign from its MessagingConfig.")
    .argument("<id>", "the campaign")
    .option("--json", "print JSON");
  addAccountOptions(unlink).action((id: string, flags: AccountFlags) => change(id, null, flags));
}

function addMigrationsCommand(campaigns: Command): void {
  const command = campaigns
    .command("migrations")
    .description("List the migrations of campaigns, and what each waits for.")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    const client = clientOf(flags);
    const items = await gatherPages((page) => client.migrations.list(page));
    printResult(items, flags, () =>
      printTable(
        ["Campaign", "Status", "Config", "Numbers", "In the way"],
        items.map((item) => [
          item.tcrCampaignId,
          item.status,
          item.messagingConfigSid ?? "-",
          item.numberCounts.map(({ count, status }) => `${count} ${status}`).join(", ") || "-",
          item.blockers.map(({ code }) => code).join(", ") || "-",
        ]),
      ),
    );
  });
}
