// How a command that cannot be carried out reports this on standard error: as text, or with --json as one object,
// `{ "error": { "kind", "message", … } }`.

import { CommanderError } from "commander";
import { TandemError, TandemNetworkError } from "../../sdk/src/index.ts";
import { adviceFor, networkFaultText, refusalText } from "./advice.ts";
import { EXIT, RefusedError, UsageError } from "./exit-codes.ts";

export interface Refusal {
  readonly exitCode: number;
  /** For people. */
  readonly text: string;
  /** For programs; unknown members are left out. */
  readonly error: { readonly kind: "usage" | "refused" | "network" | "fault"; readonly message: string };
}

/** Whether the command line requests JSON; words after `--` are not options. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).includes("--json");
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof CommanderError) {
    // Commander has already printed the text.
    return { ...refusalFor(EXIT.usage, "usage", new Error(error.message.replace(/^error: /, ""))), text: "" };
  }
  if (error instanceof UsageError) return refusalFor(EXIT.usage, "usage", error);
  if (error instanceof RefusedError)
    return { ...refusalFor(EXIT.refused, "refused", error), text: `refused: ${error.message}\n` };
  if (error instanceof TandemError) return ofServer(error);
  if (error instanceof TandemNetworkError) {
    return { ...refusalFor(EXIT.refused, "network", error), text: `${networkFaultText(error)}\n` };
  }
  // A fault of the system, such as a full disk or a directory without permission.
  if (error instanceof Error && "syscall" in error) return refusalFor(EXIT.refused, "fault", error);
  const { stack, message } = error instanceof Error ? error : { stack: undefined, message: String(error) };
  return { exitCode: EXIT.refused, text: `${stack ?? message}\n`, error: { kind: "fault", message } };
}

function refusalFor(exitCode: number, kind: Refusal["error"]["kind"], { message }: Error): Refusal {
  return { exitCode, text: `error: ${message}\n`, error: { kind, message } };
}

function ofServer(error: TandemError): Refusal {
  const { message, status, code, errorCode, errors, requestId, traceId } = error;
  const advice = adviceFor(error);
  const about = { status, code, errorCode, errors, requestId, traceId, advice };
  return {
    exitCode: EXIT.refused,
    text: `${refusalText(error)}\n`,
    error: { kind: "refused", message, ...about },
  };
}
