// `tandem profiles`: lists the profiles that `tandem login` has stored, selects the current one, and removes profiles.

import type { Command } from "commander";
import { UsageError } from "../../exit-codes.ts";
import { printDone, printResult, printTable, say } from "../../output.ts";
import { type Profiles, readProfiles, writeProfiles } from "../../profiles.ts";

const HELP = `
Examples:
  tandem profiles list
  tandem profiles use work
  tandem messages list --profile work
`;

interface Flags {
  readonly json?: true;
}

export function addProfilesCommand(program: Command): void {
  const profiles = program
    .command("profiles")
    .summary("what tandem login has stored")
    .description("The servers and credentials that tandem login has stored.")
    .addHelpText("after", HELP);
  addListCommand(profiles);
  profiles
    .command("use")
    .description("Make a profile the current one, which commands use unless told otherwise.")
    .argument("<name>", "the profile")
    .option("--json", "print JSON")
    .action((name: string, flags: Flags) => {
      const { all } = known(name);
      writeProfiles(process.env, { current: name, all });
      printDone({ profile: name, current: true }, flags, `Commands use ${name} now.`);
    });
  profiles
    .command("remove")
    .description("Remove a profile. Its token stays valid: tandem account tokens delete takes it away.")
    .argument("<name>", "the profile")
    .option("--json", "print JSON")
    .action((name: string, flags: Flags) => {
      const { all, current } = known(name);
      const others = new Map([...all].filter(([each]) => each !== name));
      writeProfiles(process.env, { current: current === name ? undefined : current, all: others });
      printDone({ profile: name, removed: true }, flags, `${name} is removed.`);
    });
}

function known(name: string): Profiles {
  const profiles = readProfiles(process.env);
  if (profiles.all.has(name)) return profiles;
  throw new UsageError(`There is no profile ${name}: tandem profiles list shows those that are there.`);
}

/** Tokens are not shown. */
function addListCommand(profiles: Command): void {
  profiles
    .command("list")
    .description("List the profiles; * is the current one.")
    .option("--json", "print JSON instead of a table")
    .action((flags: Flags) => {
      const { all, current } = readProfiles(process.env);
      const items = [...all].map(([name, profile]) => ({
        profile: name,
        current: name === current,
        url: profile.url,
        accountSid: profile.accountSid ?? null,
        operator: profile.operatorToken !== undefined,
        number: profile.number ?? null,
      }));
      printResult(items, flags, printProfiles);
    });
}

interface ListedProfile {
  readonly profile: string;
  readonly current: boolean;
  readonly url: string;
  readonly accountSid: string | null;
  readonly operator: boolean;
  readonly number: string | null;
}

function printProfiles(items: readonly ListedProfile[]): void {
  if (items.length === 0) {
    say("There are none: tandem login makes one.");
    return;
  }
  printTable(
    ["", "Profile", "Server", "Account", "Operator", "Number"],
    items.map(({ accountSid, current, number, operator, profile, url }) => [
      current ? "*" : "",
      profile,
      url,
      accountSid ?? "-",
      operator ? "yes" : "-",
      number ?? "-",
    ]),
  );
}
