// `tandem login`: asks for a server and credentials, checks them there, and stores them as a profile.

import type { Command } from "commander";
import { createClient, createOperatorClient } from "../../../../sdk/src/index.ts";
import { askTerminal, type Question, TERMINAL } from "../../ask-terminal.ts";
import { STANDARD_STREAM } from "../../bulk/standard-streams.ts";
import { checkedUrl } from "../../credentials.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { printDone, say } from "../../output.ts";
import { checkedProfileName, type Profile, readProfiles, writeProfiles } from "../../profiles.ts";
import { readWhole } from "../../whole-files.ts";

const HELP = `
What is not given is asked for on a terminal; the token is not shown while it is typed. Nothing is stored that the server refuses.
The profile becomes the current one, which every command uses unless told otherwise. First come options, then the environment
(TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_OPERATOR_TOKEN), then the profile, then data/demo.env.

Profiles are in $XDG_CONFIG_HOME/tandem/profiles.json (else ~/.config), which only you can read.

Examples:
  tandem login
  tandem login --profile work --url https://phone.example.com --account AC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem login --url https://phone.example.com --account AC01935f1e4c7b7000a3c41f0e5d9b2a17 --token - < token.txt
  tandem login --operator --profile work
`;

const DEFAULT_NAME = "default";
const DEFAULT_URL = "http://localhost:8080";

interface LoginFlags {
  readonly url?: string;
  readonly account?: string;
  readonly token?: string;
  readonly number?: string;
  readonly operator?: true;
  readonly profile?: string;
  readonly json?: true;
}

export function addLoginCommand(program: Command): void {
  program
    .command("login")
    .summary("keep the address and the token of a server as a profile")
    .description(
      "Check the address of a server, an account and its token, and keep them as a profile for other commands.",
    )
    .option("--url <url>", "the server")
    .option("--account <sid>", "the account")
    .option("--token <token>", "its token; - reads it from standard input, where others on this machine cannot see it")
    .option("--number <number>", "the number to send from unless told")
    .option("--operator", "an operator's token instead of an account's; the profile may have both")
    .option("--profile <name>", `what it is called; ${DEFAULT_NAME} unless told`)
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action(async (flags: LoginFlags) => {
      process.exitCode = await login(flags);
    });
}

async function login(flags: LoginFlags): Promise<number> {
  const name = checkedProfileName(flags.profile ?? DEFAULT_NAME);
  const profiles = readProfiles(process.env);
  const before = profiles.all.get(name);
  const server = flags.url ?? (await askOr("--url", "Server", before?.url, DEFAULT_URL));
  if (server === undefined) return EXIT.interrupted;
  checkedUrl(server);
  const accountSid = flags.operator ? "" : (flags.account ?? (await askOr("--account", "Account", before?.accountSid)));
  if (accountSid === undefined) return EXIT.interrupted;
  const token = await tokenOf(flags);
  if (token === undefined) return EXIT.interrupted;
  const found: Profile = flags.operator
    ? { url: server, operatorToken: token }
    : { url: server, accountSid, token, ...(flags.number === undefined ? {} : { number: flags.number }) };
  const who = await check(found);
  // Stored values of another server or account no longer apply.
  const kept = before?.url === server ? before : undefined;
  const all = new Map([...profiles.all, [name, { ...keptOf(kept, found), ...found }]]);
  const path = writeProfiles(process.env, { current: name, all });
  if (new URL(server).protocol === "http:" && !isLocal(server)) {
    say("The token goes to this server unencrypted: use https where others share the network.");
  }
  const about = { profile: name, url: server, accountSid: accountSid || undefined, file: path };
  printDone(about, flags, `Signed in to ${server} as ${who}; kept as profile ${name} in ${path}.`);
  return EXIT.fine;
}

/** The operator's token is kept when an account logs in, and vice versa; a number is kept only with its account. */
function keptOf(before: Profile | undefined, found: Profile): Partial<Profile> {
  if (!before || found.accountSid === undefined || found.accountSid === before.accountSid) return before ?? {};
  return before.operatorToken === undefined ? {} : { operatorToken: before.operatorToken };
}

async function tokenOf({ operator, token }: LoginFlags): Promise<string | undefined> {
  const given = token === STANDARD_STREAM ? readWhole(token).toString("utf8").trim() : token;
  const prompt = operator ? "Operator's token (not shown): " : "Token (not shown): ";
  const found = given ?? (await ask("--token", { prompt, isSecret: true }));
  if (found === "") throw new UsageError("There is no token: give one, or --token - and the token on standard input.");
  return found;
}

/** On a terminal, asks; otherwise returns the known value. An empty answer means the value shown in the prompt. */
async function askOr(option: string, what: string, known: string | undefined, usual = known) {
  if (!process.stdin.isTTY && known !== undefined) return known;
  const shown = known ?? usual;
  const answer = await ask(option, { prompt: shown === undefined ? `${what}: ` : `${what} [${shown}]: ` });
  return answer === "" ? shown : answer;
}

async function ask(option: string, question: Question): Promise<string | undefined> {
  if (process.stdin.isTTY) return askTerminal(TERMINAL, question);
  throw new UsageError(
    `Not given: ${option}. Without a terminal nothing is asked for; --token - reads the token from standard input.`,
  );
}

/** Throws the server's refusal; returns a description of the user. */
async function check({ accountSid, operatorToken, token, url }: Profile): Promise<string> {
  if (operatorToken !== undefined) {
    await createOperatorClient({ baseUrl: url, token: operatorToken }).accounts.list({ pageSize: 1 });
    return "operator";
  }
  const client = createClient({ baseUrl: url, accountSid: accountSid ?? "", token: token ?? "" });
  const { data } = await client.account.get();
  return `${data.name} (${data.sid})`;
}

function isLocal(url: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);
}
