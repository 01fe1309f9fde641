// `tandem campaigns`: lists imported campaigns, links them to MessagingConfigs, and migrates one to this account.

import type { Command } from "commander";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printFields, printJson, printResult, printTable } from "../../output.ts";
import { addMigrateCommand } from "./migrate.ts";
import { printCampaigns } from "./print-campaigns.ts";

export function addCampaignsCommand(program: Command): void {
  const campaigns = program
    .command("campaigns")
    .summary("campaigns of the registry")
    .description("Campaigns of the registry, which MessagingConfig each is linked to, and bringing one here.");
  addListCommand(campaigns);
  addShowCommand(campaigns);
  addLinkCommands(campaigns);
  addMigrateCommand(campaigns);
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
    const { data } = await clientOf(flags).campaigns.get(id);
    if (flags.json) {
      printJson(data);
      return;
    }
    printFields({
      Campaign: data.tcrCampaignId,
      Brand: data.tcrBrandId,
      Name: data.name,
      Status: data.status,
      Source: data.source,
      Config: data.messagingConfigSid,
      Imported: data.importedOn,
    });
    if (data.throughput.length === 0) return;
    print("\n");
    printTable(
      ["Operator", "Class", "SMS a minute", "MMS a minute", "Tier"],
      data.throughput.map((each) =>
        [each.operator, each.messageClass, each.smsPerMinute, each.mmsPerMinute, each.brandTier].map((cell) =>
          String(cell ?? "-"),
        ),
      ),
    );
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
