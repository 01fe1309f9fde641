// `tandem operator accounts`: makes and lists accounts.

import type { Command } from "commander";
import { FEATURES, type Feature } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, oneOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printFields, printResult, printTable } from "../../output.ts";

export function addOperatorAccountsCommand(operator: Command): void {
  const accounts = operator.command("accounts").summary("accounts").description("Accounts.");
  addListCommand(accounts);
  addCreateCommand(accounts);
}

function addListCommand(accounts: Command): void {
  const command = accounts
    .command("list")
    .description("List the accounts.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags) => {
    const client = operatorClientOf(flags);
    const items = await gatherPages((page) => client.accounts.list(page));
    printResult(items, flags, () =>
      printTable(
        ["Sid", "Name", "Status", "Features", "Created"],
        items.map(({ sid, name, status, features, createdOn }) => [
          sid,
          name,
          status,
          features.join(", ") || "-",
          createdOn,
        ]),
      ),
    );
  });
}

function parseFeatures(text: string): readonly Feature[] {
  return text.split(",").map((word) => oneOf(FEATURES)(word.trim()));
}

function addCreateCommand(accounts: Command): void {
  const command = accounts
    .command("create")
    .description("Make an account, with a token that is shown once.")
    .argument("<name>", "for people")
    .option("--features <list>", `to switch on: ${FEATURES.join(",")}`, parseFeatures)
    .option("--env", "print the lines of an environment file: TANDEM_ACCOUNT_SID and TANDEM_TOKEN")
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly features?: readonly Feature[];
    readonly env?: true;
  }
  addOperatorOptions(command).action(async (name: string, flags: Flags) => {
    const order = { name, ...given({ features: flags.features }) };
    const { data } = await operatorClientOf(flags).accounts.create(order);
    printResult(data, flags, ({ sid, token }) => {
      if (flags.env) print(`TANDEM_ACCOUNT_SID=${sid}\nTANDEM_TOKEN=${token}\n`);
      else printFields({ Account: sid, Token: `${token} (shown once: keep it)` });
    });
  });
}
