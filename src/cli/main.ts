// The `tandem` command.

import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { TandemError, TandemNetworkError } from "../../sdk/src/index.ts";
import { refusalText } from "./advice.ts";
import { addCallCommand, addCallsCommand } from "./commands/calls/calls.ts";
import { addCampaignsCommand } from "./commands/campaigns/campaigns.ts";
import { addConfigsCommand } from "./commands/configs/configs.ts";
import { addDoctorCommand } from "./commands/doctor/doctor.ts";
import { checkNode } from "./commands/doctor/machine.ts";
import { addListenCommand } from "./commands/listen/listen.ts";
import { addLookupCommand } from "./commands/lookup/lookup.ts";
import { addMessagesCommand } from "./commands/messages/messages.ts";
import { addNumbersCommand } from "./commands/numbers.ts";
import { addOperatorCommand } from "./commands/operator/operator.ts";
import { addOptOutsCommand } from "./commands/optouts/optouts.ts";
import { addPortInCommand } from "./commands/port-in/port-in.ts";
import { addRequestsCommand } from "./commands/requests.ts";
import { addSandboxCommand } from "./commands/sandbox.ts";
import { addScriptCommand } from "./commands/script.ts";
import { addSendCommand } from "./commands/send/send.ts";
import { addWebhooksCommand } from "./commands/webhooks/webhooks.ts";
import { EXIT, RefusedError, UsageError } from "./exit-codes.ts";

const HELP = `
Exit status of every command: 0 when all is well, 1 when something was refused or is not right, 2 when the command line is wrong.
(serve: 78 when the settings are wrong.)

Start with:
  tandem doctor                 is everything here ready?
  tandem serve                  start the server
  tandem lookup +14154740200    ask it something
  tandem send --to +14155550100 --text Hello --wait
  tandem listen                 see the account's events as they happen
`;

ignoreClosedPipes();
process.exitCode = await run(process.argv);

async function run(argv: readonly string[]): Promise<number> {
  try {
    await makeProgram().parseAsync(argv);
    return Number(process.exitCode ?? EXIT.fine);
  } catch (error) {
    return reportError(error);
  }
}

function makeProgram(): Command {
  const program = new Command("tandem")
    .description("A phone platform that anyone can run.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", HELP)
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  program
    .command("serve")
    .summary("start the server")
    .description(
      "Start the server. Its settings come from the environment; all of them are in config.example.env. Ctrl-C lets running requests finish and stops it.",
    )
    .action(async () => {
      const { verdict, found, advice } = checkNode(process.versions.node, packageJson.engines.node);
      if (verdict === "fail") throw new RefusedError(`Tandem does not run on Node.js ${found}. ${advice}`);
      // Loaded only here, because no other command needs the server.
      const { serve } = await import("../server/main/serve.ts");
      process.exitCode = await serve({ environment: process.env, version: packageJson.version });
    });
  addDoctorCommand(program, { version: packageJson.version, nodeWanted: packageJson.engines.node });
  addLookupCommand(program);
  addSendCommand(program);
  addMessagesCommand(program);
  addCallCommand(program);
  addCallsCommand(program);
  addScriptCommand(program);
  addNumbersCommand(program);
  addConfigsCommand(program);
  addPortInCommand(program);
  addCampaignsCommand(program);
  addOptOutsCommand(program);
  addWebhooksCommand(program);
  addListenCommand(program);
  addRequestsCommand(program);
  addSandboxCommand(program);
  addOperatorCommand(program);
  return program;
}

/** Prints the error and returns the exit code. */
function reportError(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has printed it already. Requested help succeeds; help because of a missing command does not.
    return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  }
  if (error instanceof UsageError) {
    process.stderr.write(`error: ${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof TandemError) {
    process.stderr.write(`${refusalText(error)}\n`);
    return EXIT.refused;
  }
  if (error instanceof RefusedError) {
    process.stderr.write(`refused: ${error.message}\n`);
    return EXIT.refused;
  }
  // A fault of the network or the system, such as a full disk or a directory without permission.
  if (error instanceof TandemNetworkError || (error instanceof Error && "syscall" in error)) {
    process.stderr.write(`error: ${error.message}\n`);
    return EXIT.refused;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.refused;
}

/** A reader such as `tandem … | head` may close the pipe, and a terminal may go; nothing fails because of it. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!["EPIPE", "EIO", "ERR_STREAM_DESTROYED"].includes(error.code ?? "")) throw error;
    });
  }
}
