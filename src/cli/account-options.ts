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
  /** The parts of an example before and after the command. */
  readonly prefix: string;
  readonly suffix: string;
}

export const ACCOUNT_ITSELF: Reader = {
  addOptions: addAccountOptions,
  viewOf: clientOf,
  prefix: "tandem",
  suffix: "",
};

export const OPERATOR: Reader = {
  addOptions: (command) => addOperatorOptions(command.requiredOption("--account <sid>", "whose")),
  viewOf: (flags) => operatorClientOf(flags).account(flags.account ?? ""),
  prefix: "tandem operator",
  suffix: " --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
};

export interface OwnNumberFlags extends CredentialFlags {
  /** One of the account's numbers. */
  readonly number: string | undefined;
}

/** A client, and a number of the account if one is known. */
export function clientAndNumber(flags: CredentialFlags) {
  const credentials = findCredentials(flags, process.env);
  const { accountSid, number } = credentials;
  return { client: createClient({ ...credentials, ...NO_RETRIES }), accountSid, number };
}

/** A client and the number to act with. `option` is the option that gives the number. */
export function clientWithNumber(flags: OwnNumberFlags, option: string): ClientWithNumber {
  const known = clientAndNumber(flags);
  const number = flags.number ?? known.number;
  if (number !== undefined) return { ...known, number };
  throw new UsageError(
    `Give ${option} NUMBER, one of your numbers (tandem numbers list shows them), or set TANDEM_NUMBER.`,
  );
}

export interface ClientWithNumber {
  readonly client: TandemClient;
  readonly number: string;
  readonly accountSid: string;
}
