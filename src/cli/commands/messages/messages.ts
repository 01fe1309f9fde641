// `tandem messages`: lists, shows, explains, cancels and exports messages.

import type { Command } from "commander";
import { ACCOUNT_ITSELF, type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { printResult } from "../../output.ts";
import { addExportCommand } from "./export.ts";
import { printMessages } from "./print-message.ts";
import { addReadingCommands } from "./read.ts";

const HELP = `
Examples:
  tandem messages list --status Failed --since 2h
  tandem messages why OM01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem messages export --csv january.csv --since 2026-01-01 --until 2026-02-01
  tandem messages inbound --since 1d
`;

export function addMessagesCommand(program: Command): void {
  const messages = program
    .command("messages")
    .summary("what was sent and received, and what became of it")
    .description("What was sent and received, and what became of it.")
    .addHelpText("after", HELP);
  addReadingCommands(messages, ACCOUNT_ITSELF);
  addCancelCommand(messages);
  addExportCommand(messages);
}

function addCancelCommand(messages: Command): void {
  const command = messages
    .command("cancel")
    .description("Cancel a message that has not left yet.")
    .argument("<sid>", "the message")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).messages.cancel(sid);
    printResult(data, flags, () => printMessages([data]));
  });
}
