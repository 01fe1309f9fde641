// `tandem operator accounts`: makes, shows, changes, suspends and resumes accounts, and their tokens.

import type { Command } from "commander";
import { type Account, type AccountChange, FEATURES, type Feature } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, orNone, parseCount, parseYesOrNo, someOf } from "../../arguments.ts";
import { UsageError } from "../../exit-codes.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printDone, printFields, printResult, printTable } from "../../output.ts";
import { addTokenFlags, limitFields, printNewToken, type TokenFlags, tokenOrderOf } from "../account.ts";

const HELP = `
Examples:
  tandem operator accounts create Shop --features voice,campaignMigration
  tandem operator accounts suspend AC01935f1e4c7b7000a3c41f0e5d9b2a17 --reason "unpaid since January"
  tandem operator accounts resume AC01935f1e4c7b7000a3c41f0e5d9b2a17
`;

export function addOperatorAccountsCommand(operator: Command): void {
  const accounts = operator
    .command("accounts")
    .summary("accounts and their tokens")
    .description("Accounts and their tokens.")
    .addHelpText("after", HELP);
  addListCommand(accounts);
  addShowCommand(accounts);
  addCreateCommand(accounts);
  addChangeCommand(accounts);
  addSuspendCommand(accounts);
  addResumeCommand(accounts);
  addTokensCommand(accounts);
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

function addShowCommand(accounts: Command): void {
  const command = accounts
    .command("show")
    .description("Show an account: status, features, limits, countries.")
    .argument("<sid>", "the account")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (sid: string, flags: OperatorCallFlags) => {
    printResult((await operatorClientOf(flags).accounts.get(sid)).data, flags, printAccount);
  });
}

export function printAccount(account: Account): void {
  printFields({
    Sid: account.sid,
    Name: account.name,
    Status: account.suspendedReason === null ? account.status : `${account.status}: ${account.suspendedReason}`,
    Features: account.features.join(", ") || null,
    Countries: account.allowedCountries === null ? "those of its numbers" : account.allowedCountries.join(", "),
    "Caller id": account.defaultCallerId,
    Keywords: account.handlesKeywords ? "STOP, START and HELP are answered for it" : "it answers itself",
    Created: account.createdOn,
    ...limitFields(account.limits),
  });
}

function addCreateCommand(accounts: Command): void {
  const command = accounts
    .command("create")
    .description("Make an account, with a token that is shown once.")
    .argument("<name>", "for people")
    .option("--features <list>", `to switch on: ${FEATURES.join(",")}`, someOf(FEATURES))
    .option("--env", "print the lines of an environment file: TANDEM_ACCOUNT_SID and TANDEM_TOKEN")
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags, TokenFlags {
    readonly features?: readonly Feature[];
    readonly env?: true;
  }
  addOperatorOptions(addTokenFlags(command)).action(async (name: string, flags: Flags) => {
    const order = { name, ...given({ features: flags.features }), token: tokenOrderOf(flags) };
    const { data } = await operatorClientOf(flags).accounts.create(order);
    printResult(data, flags, ({ sid, token }) => {
      if (flags.env) print(`TANDEM_ACCOUNT_SID=${sid}\nTANDEM_TOKEN=${token}\n`);
      else printFields({ Account: sid, Token: `${token} (shown once: keep it)` });
    });
  });
}

/** Changes an account and prints it. */
export async function changeAccount(sid: string, change: AccountChange, flags: OperatorCallFlags): Promise<void> {
  printResult((await operatorClientOf(flags).accounts.change(sid, change)).data, flags, printAccount);
}

function addChangeCommand(accounts: Command): void {
  const command = accounts
    .command("change")
    .description("Change an account: only what is given.")
    .argument("<sid>", "the account")
    .option("--name <name>", "for people")
    .option("--caller-id <number>", "what its calls show unless told; none takes it away")
    .option("--keywords <answer>", "yes or no: answer STOP, START and HELP for it", parseYesOrNo)
    .option("--json", "print JSON");
  interface Flags extends OperatorCallFlags {
    readonly name?: string;
    readonly callerId?: string;
    readonly keywords?: boolean;
  }
  addOperatorOptions(command).action(async (sid: string, flags: Flags) => {
    const change = {
      ...given({ name: flags.name, handlesKeywords: flags.keywords }),
      ...(flags.callerId === undefined ? {} : { defaultCallerId: orNone(flags.callerId) }),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError(
        "Say what to change: --name, --caller-id or --keywords. There are tandem operator features, limits and countries, too.",
      );
    }
    await changeAccount(sid, change, flags);
  });
}

function addSuspendCommand(accounts: Command): void {
  const command = accounts
    .command("suspend")
    .description("Suspend an account: its requests are refused until it is resumed.")
    .argument("<sid>", "the account")
    .option("--reason <text>", "shown in its refusals")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (sid: string, flags: OperatorCallFlags & { readonly reason?: string }) => {
    await changeAccount(sid, { status: "Suspended", ...given({ suspendedReason: flags.reason }) }, flags);
  });
}

function addResumeCommand(accounts: Command): void {
  const command = accounts
    .command("resume")
    .description("Resume an account that was suspended.")
    .argument("<sid>", "the account")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (sid: string, flags: OperatorCallFlags) => {
    await changeAccount(sid, { status: "Active" }, flags);
  });
}

const TOKENS_HELP = `
Examples:
  tandem operator accounts tokens create AC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem operator accounts tokens delete AC01935f1e4c7b7000a3c41f0e5d9b2a17 1
`;

function addTokensCommand(accounts: Command): void {
  const tokens = accounts
    .command("tokens")
    .summary("the tokens of an account")
    .description("The tokens of an account: one, or two while one is replaced.")
    .addHelpText("after", TOKENS_HELP);
  const create = tokens
    .command("create")
    .description("Make a second token for an account, shown this once.")
    .argument("<sid>", "the account")
    .option("--json", "print JSON");
  addOperatorOptions(addTokenFlags(create)).action(async (sid: string, flags: OperatorCallFlags & TokenFlags) => {
    const { data } = await operatorClientOf(flags).accounts.createToken(sid, tokenOrderOf(flags));
    printResult(data, flags, printNewToken);
  });
  const promote = tokens
    .command("promote")
    .description("Let a signing token of an account sign from now on, and not the older one.")
    .argument("<sid>", "the account")
    .argument("<place>", "1 or 2", parseCount)
    .option("--json", "print JSON");
  addOperatorOptions(promote).action(async (sid: string, n: number, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).accounts.promoteToken(sid, n);
    printDone({ sid, n, promoted: true }, flags, `Token ${n} of ${sid} signs.`);
  });
  const remove = tokens
    .command("delete")
    .description("Delete a token of an account. What uses it is refused from then on.")
    .argument("<sid>", "the account")
    .argument("<place>", "1 or 2", parseCount)
    .option("--json", "print JSON");
  addOperatorOptions(remove).action(async (sid: string, n: number, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).accounts.deleteToken(sid, n);
    printDone({ sid, n, deleted: true }, flags, `Token ${n} of ${sid} is deleted.`);
  });
}
