// The command tree of `tandem`, from which commands are run, completed and documented.

import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { addGroups } from "./command-groups.ts";
import { addBackupCommand, addRestoreCommand } from "./commands/backup/backup.ts";
import { addCallCommand } from "./commands/calls/call.ts";
import { addCompletionCommand } from "./commands/completion/completion.ts";
import { addDoctorCommand } from "./commands/doctor/doctor.ts";
import { checkNode } from "./commands/doctor/machine.ts";
import { addImportCommand } from "./commands/import/import.ts";
import { addKeysCommand } from "./commands/keys.ts";
import { addListenCommand } from "./commands/listen/listen.ts";
import { addLoginCommand } from "./commands/login/login.ts";
import { addProfilesCommand } from "./commands/login/profiles.ts";
import { addLookupCommand } from "./commands/lookup/lookup.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addScriptCommand } from "./commands/script.ts";
import { addSendCommand } from "./commands/send/send.ts";
import { RefusedError } from "./exit-codes.ts";
import { loadServer } from "./load-server.ts";

const HELP = `
Exit status of every command: 0 when all is well, 1 when something was refused or is not right, 2 when the command line is wrong.
(serve: 78 when the settings are wrong.) With --json a refusal is an object on standard error: { "error": { "kind", "message", … } }.

Start with:
  tandem doctor                 is everything here ready?
  tandem serve                  start the server
  tandem login                  keep the address and the token of another server
  tandem lookup +14074740200    ask it something
  tandem send --to +14155550100 --text Hello --wait
  tandem listen                 see the account's events as they happen
`;

const SERVE_HELP = `
Examples:
  TANDEM_SANDBOX=on tandem serve
  TANDEM_CONFIG=tandem.config.json TANDEM_PORT=443 tandem serve

Exit status: 0 after a stop that was asked for, 78 when the settings are wrong, 1 otherwise.
`;

export interface ProgramOptions {
  /** Faults of the command line are thrown, but not printed. */
  readonly isQuiet?: boolean;
}

export function makeProgram({ isQuiet = false }: ProgramOptions = {}): Command {
  const program = new Command("tandem")
    .description("A phone platform that anyone can run.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", HELP)
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  // Subcommands that are added later inherit it.
  if (isQuiet) program.configureOutput({ writeErr: () => undefined });
  program
    .command("serve")
    .summary("start the server")
    .description(
      "Start the server. Its settings come from the environment; all of them are in config.example.env. Ctrl-C lets running requests finish and stops it.",
    )
    .option("--json", "print a JSON object a line: each step, what it is ready with, its end")
    .addHelpText("after", SERVE_HELP)
    .action(async ({ json }: { readonly json?: true }) => {
      const { verdict, found, advice } = checkNode(process.versions.node, packageJson.engines.node);
      if (verdict === "fail") throw new RefusedError(`Tandem does not run on Node.js ${found}. ${advice}`);
      // Loaded only here, because no other command needs the server.
      const { serve } = loadServer();
      process.exitCode = await serve({ environment: process.env, version: packageJson.version, isJson: json === true });
    });
  addDoctorCommand(program, { version: packageJson.version, nodeWanted: packageJson.engines.node });
  addBackupCommand(program, packageJson.version);
  addRestoreCommand(program);
  for (const add of [
    addKeysCommand,
    addLookupCommand,
    addSendCommand,
    addCallCommand,
    addScriptCommand,
    addImportCommand,
    addListenCommand,
    addMcpCommand,
    addLoginCommand,
    addProfilesCommand,
    addCompletionCommand,
  ]) {
    add(program);
  }
  addGroups(program);
  return program;
}
