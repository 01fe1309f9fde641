// `tandem configs`: manages MessagingConfigs and the numbers that belong to them.

import type { Command } from "commander";
import type { MessagingConfigChange, PhonesAssigned, SendingTimes } from "../../../../sdk/src/index.ts";
import { ACCOUNT_ITSELF, type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, orNone, parseCount } from "../../arguments.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { printJson, printTable, say } from "../../output.ts";
import { addReadingCommands, printConfig } from "./read.ts";
import { parseSendingTimes } from "./sending-times.ts";

const HELP = `
Examples:
  tandem configs create "Reminders" --sending-times "Mon-Fri 09:00-20:00 America/New_York"
  tandem configs change MC01935f1e4c7b7000a3c41f0e5d9b2a17 --campaign CABC123
  tandem configs add-numbers MC01935f1e4c7b7000a3c41f0e5d9b2a17 +14155550150 +14155550151
`;

export function addConfigsCommand(program: Command): void {
  const configs = program
    .command("configs")
    .summary("MessagingConfigs: how numbers send")
    .description("MessagingConfigs: how the numbers that belong to one send, and which ones do.")
    .addHelpText("after", HELP);
  addReadingCommands(configs, ACCOUNT_ITSELF);
  addCreateCommand(configs);
  addChangeCommand(configs);
  addDeleteCommand(configs);
  addMemberCommands(configs);
}

interface ChangeFlags extends AccountFlags {
  readonly name?: string;
  readonly campaign?: string;
  readonly sendingTimes?: { readonly times: SendingTimes | null };
  readonly expiry?: number;
  readonly optOutReply?: string;
  readonly optInReply?: string;
  readonly helpReply?: string;
  readonly optOutKeywords?: string[];
  readonly optInKeywords?: string[];
  readonly helpKeywords?: string[];
}

function addChangeOptions(command: Command): Command {
  return command
    .option("--campaign <id>", "link this campaign; none unlinks it")
    .option("--sending-times <times>", '"Mon-Fri 09:00-20:00 America/New_York", or any', (text) => ({
      times: parseSendingTimes(text),
    }))
    .option("--expiry <seconds>", "how long a message waits to be sent", parseCount)
    .option("--opt-out-reply <text>", "the answer to STOP; none for the usual words")
    .option("--opt-in-reply <text>", "the answer to START")
    .option("--help-reply <text>", "the answer to HELP")
    .option(
      "--opt-out-keywords <words>",
      "further ones beside STOP and the like, with commas; none for none",
      readWords,
    )
    .option("--opt-in-keywords <words>", "further ones beside START", readWords)
    .option("--help-keywords <words>", "further ones beside HELP", readWords)
    .option("--json", "print JSON");
}

const readWords = (text: string) => orNone(text)?.split(",") ?? [];

function changeOf(flags: ChangeFlags): MessagingConfigChange {
  return {
    ...given({ name: flags.name }),
    ...(flags.campaign === undefined ? {} : { tcrCampaignId: orNone(flags.campaign) }),
    ...(flags.sendingTimes === undefined ? {} : { sendingTimes: flags.sendingTimes.times }),
    ...given({ defaultExpirySeconds: flags.expiry }),
    ...(flags.optOutReply === undefined ? {} : { optOutReply: orNone(flags.optOutReply) }),
    ...(flags.optInReply === undefined ? {} : { optInReply: orNone(flags.optInReply) }),
    ...(flags.helpReply === undefined ? {} : { helpReply: orNone(flags.helpReply) }),
    ...given({
      optOutKeywords: flags.optOutKeywords,
      optInKeywords: flags.optInKeywords,
      helpKeywords: flags.helpKeywords,
    }),
  };
}

function addCreateCommand(configs: Command): void {
  const command = configs
    .command("create")
    .description("Make a MessagingConfig.")
    .argument("<name>", "with a campaign's id in it, in capitals, that campaign is linked when it is imported");
  addAccountOptions(addChangeOptions(command)).action(async (name: string, flags: ChangeFlags) => {
    printConfig((await clientOf(flags).messagingConfigs.create({ ...changeOf(flags), name })).data, flags);
  });
}

function addChangeCommand(configs: Command): void {
  const command = configs
    .command("change")
    .description("Change a MessagingConfig: only what is given.")
    .argument("<sid>", "the config")
    .option("--name <name>", "its name");
  addAccountOptions(addChangeOptions(command)).action(async (sid: string, flags: ChangeFlags) => {
    const change = changeOf(flags);
    if (Object.keys(change).length === 0) throw new UsageError("Say what to change; --help shows what can be.");
    printConfig((await clientOf(flags).messagingConfigs.change(sid, change)).data, flags);
  });
}

function addDeleteCommand(configs: Command): void {
  const command = configs
    .command("delete")
    .description("Delete a MessagingConfig that no numbers belong to.")
    .argument("<sid>", "the config")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    await clientOf(flags).messagingConfigs.remove(sid);
    if (flags.json) printJson({ sid, deleted: true });
    else say(`${sid} is deleted.`);
  });
}

function addMemberCommands(configs: Command): void {
  for (const change of ["add", "remove"] as const) {
    const command = configs
      .command(`${change}-numbers`)
      .description(change === "add" ? "Add numbers to a MessagingConfig." : "Take numbers out of a MessagingConfig.")
      .argument("<sid>", "the config")
      .argument("<numbers...>", "the numbers")
      .option("--json", "print JSON");
    addAccountOptions(command).action(async (sid: string, given: readonly string[], flags: AccountFlags) => {
      const { messagingConfigs } = clientOf(flags);
      const assign = change === "add" ? messagingConfigs.addPhones : messagingConfigs.deletePhones;
      process.exitCode = printAssigned((await assign(sid, given)).data, flags);
    });
  }
}

function printAssigned(assigned: PhonesAssigned, { json }: AccountFlags): number {
  if (json) printJson(assigned);
  else {
    printTable(
      ["Number", "Outcome"],
      [
        ...assigned.success.map((number) => [number, "done"]),
        ...assigned.failed.map(({ number, reason }) => [number, `refused: ${reason}`]),
      ],
    );
  }
  return assigned.failed.length === 0 ? EXIT.fine : EXIT.refused;
}
