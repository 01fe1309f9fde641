// The `tandem` command.

import { CommanderError } from "commander";
import { TandemError, TandemNetworkError } from "../../sdk/src/index.ts";
import { networkFaultText, refusalText } from "./advice.ts";
import { EXIT, RefusedError, UsageError } from "./exit-codes.ts";
import { makeProgram } from "./program.ts";

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
  if (error instanceof TandemNetworkError) {
    process.stderr.write(`${networkFaultText(error)}\n`);
    return EXIT.refused;
  }
  // A fault of the system, such as a full disk or a directory without permission.
  if (error instanceof Error && "syscall" in error) {
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
