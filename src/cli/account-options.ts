// The options of every command that calls the API, as an account or as the operator, and the client made from them.

import type { Command } from "commander";
import {
  type AccountView,
  createClient,
  createOperatorClient,
  type OperatorClient,
  type TandemClient,
} from "../../sdk/src/index.ts";
import { type CredentialFlags, findCredentials, findOperatorCredentials, type OperatorFlags } from "./credentials.ts";
import { UsageError } from "./exit-codes.ts";

/** Commands fail immediately, or show what they wait for (bulk/retrying-caller.ts). */
const NO_RETRIES = { retries: 0 } as const;

export interface AccountFlags extends CredentialFlags {
  readonly json?: true;
}

export function addAccountOptions(command: Command): Command {
  return command
    .option("--url <url>", "the server (else TANDEM_URL, the profile, data/demo.env)")
    .option("--account <sid>", "the account (else TANDEM_ACCOUNT_SID, the profile, data/demo.env)")
    .option(
      "--token <token>",
      "its token (else TANDEM_TOKEN, which others on this machine cannot see; the profile, data/demo.env)",
    )
    .option("--profile <name>", "what tandem login has stored (else TANDEM_PROFILE, else the current one)");
}

export function clientOf(flags: CredentialFlags): TandemClient {
  return createClient({ ...findCredentials(flags, process.env), ...NO_RETRIES });
}

export interface OperatorCallFlags extends OperatorFlags {
  readonly json?: true;
}

export function addOperatorOptions(command: Command): Command {
  return command
    .option("--url <url>", "the server (else TANDEM_URL, the profile, data/demo.env)")
    .option(
      "--token <token>",
      "an operator's token (else TANDEM_OPERATOR_TOKEN, which others on this machine cannot see; the profile, data/demo.env)",
    )
    .option("--profile <name>", "what tandem login has stored (else TANDEM_PROFILE, else the current one)");
}

export function operatorClientOf(flags: OperatorFlags): OperatorClient {
  return createOperatorClient({ ...findOperatorCredentials(flags, process.env), ...NO_RETRIES });
}

/** The client and options of a read command: for an account itself, or for an operator who reads an account. */
export interface Reader {
  readonly addOptions: (command: Command) => Command;
  readonly viewOf: (flags: CredentialFlags) => AccountView;
}

export const ACCOUNT_ITSELF: Reader = {
  addOptions: addAccountOptions,
  viewOf: clientOf,
};

export const OPERATOR: Reader = {
  addOptions: (command) => addOperatorOptions(command.requiredOption("--account <sid>", "whose")),
  viewOf: (flags) => operatorClientOf(flags).account(flags.account ?? ""),
};

/** A client, and a number of the account if one is known. */
export function clientAndNumber(flags: CredentialFlags) {
  const credentials = findCredentials(flags, process.env);
  const { accountSid, number } = credentials;
  return { client: createClient({ ...credentials, ...NO_RETRIES }), accountSid, number };
}

/** A client and the number to send from. */
export function clientAndSender(flags: CredentialFlags & { readonly from?: string }) {
  const known = clientAndNumber(flags);
  const number = flags.from ?? known.number;
  if (number !== undefined) return { ...known, number };
  throw new UsageError(
    "Give --from NUMBER, one of your numbers (tandem numbers list shows them), or set TANDEM_NUMBER.",
  );
}
