// The `tandem` command.

import { CommanderError } from "commander";
import { EXIT } from "./exit-codes.ts";
import { makeProgram } from "./program.ts";
import { asksForJson, refusalOf } from "./refusal.ts";

ignoreClosedPipes();
process.exitCode = await run(process.argv);

async function run(argv: readonly string[]): Promise<number> {
  const isJson = asksForJson(argv);
  try {
    await makeProgram({ isQuiet: isJson }).parseAsync(argv);
    return Number(process.exitCode ?? EXIT.fine);
  } catch (error) {
    // Requested help and the version succeed; help because of a missing command does not.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.fine;
    const refusal = refusalOf(error);
    process.stderr.write(isJson ? `${JSON.stringify({ error: refusal.error })}\n` : refusal.text);
    return refusal.exitCode;
  }
}

/** A reader such as `tandem … | head` may close the pipe, and a terminal may be closed; neither is an error. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!["EPIPE", "EIO", "ERR_STREAM_DESTROYED"].includes(error.code ?? "")) throw error;
    });
  }
}
