// Commands that read MessagingConfigs, for an account and for operators who look at one: list, show, numbers.

import type { Command } from "commander";
import type { MessagingConfig } from "../../../../sdk/src/index.ts";
import type { AccountFlags, Reader } from "../../account-options.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printFields, printJson, printResult, printTable } from "../../output.ts";
import { printPhones } from "../numbers/print-phone.ts";
import { formatSendingTimes } from "./sending-times.ts";

export function addReadingCommands(configs: Command, reader: Reader): void {
  addListCommand(configs, reader);
  addShowCommand(configs, reader);
  addNumbersCommand(configs, reader);
}

function addListCommand(configs: Command, { addOptions, viewOf }: Reader): void {
  const command = configs
    .command("list")
    .description("List the MessagingConfigs.")
    .option("--json", "print JSON instead of a table");
  addOptions(command).action(async (flags: AccountFlags) => {
    const { messagingConfigs } = viewOf(flags);
    const items = await gatherPages((page) => messagingConfigs.list(page));
    if (flags.json) {
      printJson(items);
      return;
    }
    printTable(
      ["Sid", "Name", "Campaign", "Sending times", "Created"],
      items.map((config) => [
        config.sid,
        config.name,
        config.tcrCampaignId ?? "-",
        formatSendingTimes(config.sendingTimes),
        config.createdOn,
      ]),
    );
  });
}

export function printConfig(config: MessagingConfig, { json }: AccountFlags): void {
  if (json) {
    printJson(config);
    return;
  }
  printFields({
    Sid: config.sid,
    Name: config.name,
    Campaign: config.tcrCampaignId,
    "Sending times": formatSendingTimes(config.sendingTimes),
    "Expiry in seconds": config.defaultExpirySeconds,
    "Opt-out reply": config.optOutReply,
    "Opt-in reply": config.optInReply,
    "Help reply": config.helpReply,
    "Opt-out keywords": config.optOutKeywords.join(", ") || null,
    "Opt-in keywords": config.optInKeywords.join(", ") || null,
    "Help keywords": config.helpKeywords.join(", ") || null,
    Created: config.createdOn,
  });
}

function addShowCommand(configs: Command, { addOptions, viewOf }: Reader): void {
  const command = configs
    .command("show")
    .description("Show a MessagingConfig.")
    .argument("<sid>", "the config")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    printConfig((await viewOf(flags).messagingConfigs.get(sid)).data, flags);
  });
}

function addNumbersCommand(configs: Command, { addOptions, viewOf }: Reader): void {
  const command = configs
    .command("numbers")
    .description("List the numbers of a MessagingConfig.")
    .argument("<sid>", "the config")
    .option("--json", "print JSON instead of a table");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { messagingConfigs } = viewOf(flags);
    const items = await gatherPages((page) => messagingConfigs.phones(sid, page));
    printResult(items, flags, printPhones);
  });
}
