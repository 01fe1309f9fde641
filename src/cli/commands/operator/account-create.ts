// `tandem operator accounts create`: prints the account as text, or as lines of an environment file.

import type { Command } from "commander";
import { FEATURES, type Feature } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, someOf } from "../../arguments.ts";
import { print, printFields, printResult } from "../../output.ts";

export function addAccountCreateCommand(accounts: Command): void {
  const command = accounts
    .command("create")
    .description("Make an account, with a token that is shown once.")
    .argument("<name>", "for people")
    .option("--features <list>", `to switch on: ${FEATURES.join(",")}`, someOf(FEATURES))
    .option("--env", "print the lines of an environment file: TANDEM_ACCOUNT_SID and TANDEM_TOKEN")
    .option("--signs", "its token signs what comes in Twilio's shape; it is stored encrypted")
    .option("--tool-writes", "tools of language models may write with its token")
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly signs?: true;
    readonly toolWrites?: true;
    readonly features?: readonly Feature[];
    readonly env?: true;
  }
  addOperatorOptions(command).action(async (name: string, flags: Flags) => {
    const token = given({ signs: flags.signs, toolWrites: flags.toolWrites });
    const order = { name, ...given({ features: flags.features }), token };
    const { data } = await operatorClientOf(flags).accounts.create(order);
    printResult(data, flags, ({ sid, token }) => {
      if (flags.env) print(`TANDEM_ACCOUNT_SID=${sid}\nTANDEM_TOKEN=${token}\n`);
      else printFields({ Account: sid, Token: `${token} (shown once: keep it)` });
    });
  });
}
