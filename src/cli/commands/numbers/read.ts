// Commands that read an account's numbers, for itself and for operators who look at it: list, show, voice show.

import type { Command } from "commander";
import { PHONE_STATUSES, type PhoneStatus, type VoiceSettings } from "../../../../sdk/src/index.ts";
import type { AccountFlags, Reader } from "../../account-options.ts";
import { given, oneOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printFields, printResult } from "../../output.ts";
import { printPhone, printPhones } from "./print-phone.ts";

/** Answers the command `voice`, for what is done with voice settings besides. */
export function addReadingCommands(numbers: Command, reader: Reader): Command {
  addListCommand(numbers, reader);
  addShowCommand(numbers, reader);
  const voice = numbers
    .command("voice")
    .summary("where its calls go")
    .description("Where the calls of a number go.")
    .addHelpText("after", `\nExample:\n  ${reader.prefix} numbers voice show +14155550123${reader.suffix}\n`);
  addVoiceShowCommand(voice, reader);
  return voice;
}

function addListCommand(numbers: Command, { addOptions, viewOf }: Reader): void {
  const command = numbers
    .command("list")
    .description("List the numbers of the account; removed ones only when --status asks for them.")
    .option("--status <status>", PHONE_STATUSES.join(", "), oneOf(PHONE_STATUSES))
    .option("--config <sid>", "that belong to this MessagingConfig")
    .option("--json", "print JSON instead of a table");
  interface Flags extends AccountFlags {
    readonly status?: PhoneStatus;
    readonly config?: string;
  }
  addOptions(command).action(async (flags: Flags) => {
    const { phones } = viewOf(flags);
    const filters = given({ status: flags.status, messagingConfigSid: flags.config });
    const items = await gatherPages((page) => phones.list({ ...filters, ...page }));
    printResult(items, flags, printPhones);
  });
}

function addShowCommand(numbers: Command, { addOptions, viewOf }: Reader): void {
  const command = numbers
    .command("show")
    .description("Show a number, and what it waits for if it is not active.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addOptions(command).action(async (number: string, flags: AccountFlags) => {
    printPhone((await viewOf(flags).phones.get(number)).data, flags);
  });
}

function addVoiceShowCommand(voice: Command, { addOptions, viewOf }: Reader): void {
  const command = voice
    .command("show")
    .description("Show where the calls of a number go, and whether they are recorded.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addOptions(command).action(async (number: string, flags: AccountFlags) => {
    printResult((await viewOf(flags).phones.voice(number)).data, flags, printVoiceSettings);
  });
}

export function printVoiceSettings({ callsForwardedTo, recordInboundCalls }: VoiceSettings): void {
  printFields({
    "Calls go to": callsForwardedTo ?? "what the inbound-call webhook says",
    Recorded: recordInboundCalls ? "yes, unless a script says otherwise" : "no, unless a script says otherwise",
  });
}
