// `tandem numbers release`: with --json, it prints the number after the change.

import type { Command } from "commander";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { printJson, say } from "../../output.ts";

export function addReleaseCommand(numbers: Command): void {
  const command = numbers
    .command("release")
    .description("Give a number back. Others may take it from then on.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (number: string, flags: AccountFlags) => {
    const { phones } = clientOf(flags);
    await phones.remove(number);
    if (flags.json) printJson((await phones.get(number)).data);
    else say(`${number} is given back.`);
  });
}
