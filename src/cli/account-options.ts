// The options of every command that calls the API, and the client they give.

import type { Command } from "commander";
import { createClient, type TandemClient } from "../../sdk/src/index.ts";
import { type CredentialFlags, findCredentials } from "./credentials.ts";

export interface AccountFlags extends CredentialFlags {
  readonly json?: true;
}

export function addAccountOptions(command: Command): Command {
  return command
    .option("--url <url>", "the server (else TANDEM_URL, else data/demo.env)")
    .option("--account <sid>", "the account (else TANDEM_ACCOUNT_SID, else data/demo.env)")
    .option(
      "--token <token>",
      "its token (else TANDEM_TOKEN, which others on this machine cannot see; else data/demo.env)",
    );
}

export function clientOf(flags: CredentialFlags): TandemClient {
  return createClient(findCredentials(flags, process.env));
}
