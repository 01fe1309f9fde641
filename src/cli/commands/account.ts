// `tandem account`: what the account is and may, its tokens, the secret of its callbacks, asking for features.

import type { Command } from "commander";
import {
  FEATURES,
  type Feature,
  type Limits,
  type NewToken,
  type OwnAccount,
  type TokenOrder,
} from "../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../account-options.ts";
import { given, oneOf, parseCount } from "../arguments.ts";
import { print, printDone, printFields, printResult, say } from "../output.ts";

const HELP = `
Examples:
  tandem account
  tandem account tokens create          (spread it, then) tandem account tokens delete 1
  tandem account request-feature voice
`;

export function addAccountCommand(program: Command): void {
  const account = program
    .command("account")
    .summary("your account, its tokens and features")
    .description("Your account, its tokens and features. Alone, it shows the account.")
    .addHelpText("after", HELP);
  addShowCommand(account);
  addTokensCommand(account);
  addRequestCommand(account);
  addSecretCommand(account);
}

function addShowCommand(account: Command): void {
  const command = account
    .command("show", { isDefault: true })
    .description("Show the account: features, limits, and what others have to know of it.")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    printResult((await clientOf(flags).account.get()).data, flags, printOwnAccount);
  });
}

function printOwnAccount(account: OwnAccount): void {
  printFields({
    Sid: account.sid,
    Name: account.name,
    Status: account.suspendedReason === null ? account.status : `${account.status}: ${account.suspendedReason}`,
    Features: account.features.join(", ") || null,
    "Caller id": account.defaultCallerId,
    "Our CNP at the registry": account.upstreamCnpId,
    "SIP comes from": account.sipSourceAddresses.join(", ") || null,
    Support: account.supportContact,
    "Secrets since": account.webhookSecretCreatedOn,
    Tokens: account.tokens.map(tokenWords).join(", "),
    "Twilio's shape":
      account.signingToken === null ? "signed with the account's secret" : `signed with token ${account.signingToken}`,
    Created: account.createdOn,
    ...limitFields(account.limits),
  });
}

/** Such as `1 (signs)`. */
function tokenWords({ n, signs, toolWrites }: OwnAccount["tokens"][number]): string {
  const words = [...(signs ? ["signs"] : []), ...(toolWrites ? ["tools write"] : [])];
  return words.length === 0 ? String(n) : `${n} (${words.join(", ")})`;
}

/** A line for each class, such as `100 in 10 s`. */
export function limitFields(limits: Limits): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, { requests, windowSeconds }]) => [
      `Limit ${name}`,
      name === "concurrentCalls" ? `${requests} at once` : `${requests} in ${windowSeconds} s`,
    ]),
  );
}

const TOKENS_HELP = `
A signing token signs X-Twilio-Signature of what the account gets in Twilio's shape: a program written for Twilio verifies with the
token by which it signs in. Of two, the older signs until it is deleted or the other is promoted.

Examples:
  tandem account tokens create > new-token.txt
  tandem account tokens delete 1
  tandem account tokens create --signs    (let receivers accept both, then) tandem account tokens promote 2
`;

export interface TokenFlags {
  readonly signs?: true;
  readonly toolWrites?: true;
}

export function addTokenFlags(command: Command): Command {
  return command
    .option("--signs", "the token signs what comes in Twilio's shape; it is stored encrypted")
    .option("--tool-writes", "tools of language models may write with the token");
}

export function tokenOrderOf(flags: TokenFlags): TokenOrder {
  return given({ signs: flags.signs, toolWrites: flags.toolWrites });
}

function addTokensCommand(account: Command): void {
  const tokens = account
    .command("tokens")
    .summary("the account's tokens: one, or two while one is replaced")
    .description("The account's tokens: one, or two while one is replaced.")
    .addHelpText("after", TOKENS_HELP);
  const create = tokens
    .command("create")
    .description("Make a second token, shown this once. Spread it, then delete the first.")
    .option("--json", "print JSON");
  addAccountOptions(addTokenFlags(create)).action(async (flags: AccountFlags & TokenFlags) => {
    printResult((await clientOf(flags).account.createToken(tokenOrderOf(flags))).data, flags, printNewToken);
  });
  const promote = tokens
    .command("promote")
    .description("Let a signing token sign from now on, and not the older one.")
    .argument("<place>", "1 or 2", parseCount)
    .option("--json", "print JSON");
  addAccountOptions(promote).action(async (n: number, flags: AccountFlags) => {
    await clientOf(flags).account.promoteToken(n);
    printDone({ n, promoted: true }, flags, `Token ${n} signs.`);
  });
  const remove = tokens
    .command("delete")
    .description("Delete a token. What uses it is refused from then on.")
    .argument("<place>", "1 or 2", parseCount)
    .option("--json", "print JSON");
  addAccountOptions(remove).action(async (n: number, flags: AccountFlags) => {
    await clientOf(flags).account.deleteToken(n);
    printDone({ n, deleted: true }, flags, `Token ${n} is deleted.`);
  });
}

/** The token alone on standard output, so that it can be piped. */
export function printNewToken({ n, token }: NewToken): void {
  print(`${token}\n`);
  say(`This is token ${n}, shown this once: keep it.`);
}

function addRequestCommand(account: Command): void {
  const command = account
    .command("request-feature")
    .description("Ask the operator to switch a feature on.")
    .argument("<feature>", FEATURES.join(", "), oneOf(FEATURES))
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (feature: Feature, flags: AccountFlags) => {
    const { data } = await clientOf(flags).account.requestFeature(feature);
    printDone(data, flags, `${data.sid}: ${feature} was asked for, and is ${data.status}.`);
  });
}

function addSecretCommand(account: Command): void {
  const command = account
    .command("rotate-secret")
    .description(
      "Make a new secret for callbacks that messages bring along, shown this once. For 24 hours the old one signs, too.",
    )
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    const { data } = await clientOf(flags).account.rotateWebhookSecret();
    printResult(data, flags, ({ secret }) => print(`Signing secret, shown this once: ${secret}\n`));
  });
}
