// `tandem operator campaigns`: the campaigns of all accounts; enters and changes those that are kept by hand, and says
// whose one is.

import type { Command } from "commander";
import {
  CAMPAIGN_SOURCES,
  CAMPAIGN_STATUSES,
  type CampaignSource,
  type CampaignStatus,
} from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, oneOf } from "../../arguments.ts";
import { UsageError } from "../../exit-codes.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printResult, printTable } from "../../output.ts";
import { printCampaign, printCampaigns } from "../campaigns/print-campaigns.ts";

const HELP = `
Examples:
  tandem operator campaigns unassigned
  tandem operator campaigns enter CABC123 --brand BSHOP01 --name Shop --account AC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem operator campaigns suspend CABC123
  tandem operator campaigns assign CABC123 AC01935f1e4c7b7000a3c41f0e5d9b2a17
`;

export function addOperatorCampaignsCommand(operator: Command): void {
  const campaigns = operator
    .command("campaigns")
    .summary("the campaigns of all accounts")
    .description("The campaigns of all accounts. Where no registry is connected, they are kept by hand.")
    .addHelpText("after", HELP);
  addListCommand(campaigns);
  addShowCommand(campaigns);
  addUnassignedCommand(campaigns);
  addEnterCommand(campaigns);
  addStatusCommands(campaigns);
  addChangeCommand(campaigns);
  addAssignCommand(campaigns);
}

function addListCommand(campaigns: Command): void {
  const command = campaigns
    .command("list")
    .description("List the campaigns.")
    .option("--account <sid>", "of this account")
    .option("--status <status>", CAMPAIGN_STATUSES.join(", "), oneOf(CAMPAIGN_STATUSES))
    .option("--source <source>", "Registry, or Manual: kept by hand", oneOf(CAMPAIGN_SOURCES))
    .option("--json", "print JSON instead of a table");
  interface Flags extends OperatorCallFlags {
    readonly account?: string;
    readonly status?: CampaignStatus;
    readonly source?: CampaignSource;
  }
  addOperatorOptions(command).action(async (flags: Flags) => {
    const client = operatorClientOf(flags);
    const filters = given({ accountSid: flags.account, status: flags.status, source: flags.source });
    const items = await gatherPages((page) => client.campaigns.list({ ...filters, ...page }));
    printResult(items, flags, printCampaigns);
  });
}

function addShowCommand(campaigns: Command): void {
  const command = campaigns
    .command("show")
    .description("Show a campaign of any account, with what each mobile operator lets through.")
    .argument("<id>", "the campaign")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (id: string, flags: OperatorCallFlags) => {
    printResult((await operatorClientOf(flags).campaigns.get(id)).data, flags, printCampaign);
  });
}

function addUnassignedCommand(campaigns: Command): void {
  const command = campaigns
    .command("unassigned")
    .description("List campaigns of the registry that wait for somebody to say whose they are.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags) => {
    const client = operatorClientOf(flags);
    const items = await gatherPages((page) => client.campaigns.unassigned(page));
    printResult(items, flags, () =>
      printTable(
        ["Campaign", "Brand", "Name", "Standing", "Named by"],
        items.map((campaign) => [
          campaign.tcrCampaignId,
          campaign.tcrBrandId ?? "-",
          campaign.name ?? "-",
          campaign.standing,
          campaign.namedBy.join(", ") || "-",
        ]),
      ),
    );
  });
}

function addEnterCommand(campaigns: Command): void {
  const command = campaigns
    .command("enter")
    .description("Enter a campaign by hand, where no registry is connected. It is Active.")
    .argument("<id>", "the campaign")
    .requiredOption("--brand <id>", "the brand that it is registered for")
    .requiredOption("--name <name>", "for people")
    .option("--account <sid>", "whose it is; by default the one account's with a config that names it")
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly brand: string;
    readonly name: string;
    readonly account?: string;
  }
  addOperatorOptions(command).action(async (tcrCampaignId: string, flags: Flags) => {
    const { brand: tcrBrandId, name, account: accountSid } = flags;
    const order = { tcrCampaignId, tcrBrandId, name, ...given({ accountSid }) };
    const { data } = await operatorClientOf(flags).campaigns.enter(order);
    printResult(data, flags, () => printCampaigns([data]));
  });
}

/** Of a campaign that is kept by hand: the registry says how its own stand. */
function addStatusCommands(campaigns: Command): void {
  for (const [name, status, description] of [
    ["suspend", "Suspended", "Suspend a campaign that is kept by hand: its numbers do not send."],
    ["expire", "Expired", "Say that a campaign that is kept by hand has ended."],
    ["activate", "Active", "Say that a campaign that is kept by hand is active again."],
  ] as const) {
    const command = campaigns
      .command(name)
      .description(description)
      .argument("<id>", "the campaign")
      .option("--json", "print JSON");
    addOperatorOptions(command).action(async (id: string, flags: OperatorCallFlags) => {
      const { data } = await operatorClientOf(flags).campaigns.change(id, { status });
      printResult(data, flags, () => printCampaigns([data]));
    });
  }
}

function addChangeCommand(campaigns: Command): void {
  const command = campaigns
    .command("change")
    .description("Change the name or brand of a campaign that is kept by hand.")
    .argument("<id>", "the campaign")
    .option("--brand <id>", "the brand that it is registered for")
    .option("--name <name>", "for people")
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly brand?: string;
    readonly name?: string;
  }
  addOperatorOptions(command).action(async (id: string, flags: Flags) => {
    const change = given({ tcrBrandId: flags.brand, name: flags.name });
    if (Object.keys(change).length === 0) throw new UsageError("Say what to change: --name or --brand.");
    const { data } = await operatorClientOf(flags).campaigns.change(id, change);
    printResult(data, flags, () => printCampaigns([data]));
  });
}

function addAssignCommand(campaigns: Command): void {
  const command = campaigns
    .command("assign")
    .description("Say whose a campaign is: one that is here is moved, one of the registry may still be to come.")
    .argument("<id>", "the campaign")
    .argument("<account>", "sid of the account")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (id: string, accountSid: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).campaigns.assign(id, { accountSid });
    printResult(data, flags, ({ tcrCampaignId, name, standing }) =>
      printTable(["Campaign", "Name", "Standing", "Account"], [[tcrCampaignId, name ?? "-", standing, accountSid]]),
    );
  });
}
