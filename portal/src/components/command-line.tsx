// A command of `tandem` that works as pasted into a clean shell.

import { useSession } from "../api/session.ts";
import { callerOf, commandLines } from "./client-lines.ts";
import { CodeLine } from "./code.tsx";

/** `words`: what follows `tandem`, or `tandem operator` in the session of an operator. */
export function CommandLine({ words }: { readonly words: string }) {
  return <CodeLine text={commandLines(callerOf(useSession()), words).join("\n")} />;
}
