// `tandem script check` reads a call script as the server would, without a server.

import type { Command } from "commander";
import { readCallDestination } from "../../../rules/call-destination.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import { type CallScript, readScript } from "../../domain/voice/index.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, say } from "../output.ts";
import { readWhole } from "../whole-files.ts";

const HELP = `
Examples:
  tandem script check answer.xml
  curl -s https://example.com/call | tandem script check -
`;

export function addScriptCommand(program: Command): void {
  const script = program
    .command("script")
    .summary("check call scripts")
    .description("Check call scripts: the XML that answers an inbound-call webhook.")
    .addHelpText("after", HELP);
  script
    .command("check")
    .description("Say what a call script does, or where it is wrong and why.")
    .argument("<file>", "the script; - reads standard input")
    .option("--json", "print JSON")
    .action((file: string, flags: { readonly json?: true }) => {
      const read = readScript(readWhole(file), (text) =>
        readCallDestination(text, (number) => {
          const parsed = parseNumber(number);
          return parsed.ok ? { ok: true, value: parsed.value.e164 } : parsed;
        }),
      );
      if (!read.ok) process.exitCode = EXIT.refused;
      if (flags.json) printJson(read.ok ? { isValid: true, script: read.value } : { isValid: false, ...read.refusal });
      else if (read.ok) say(meaningOf(read.value));
      else say(`${file}:${read.refusal.line}:${read.refusal.column}: ${read.refusal.reason}`);
    });
}

function meaningOf(script: CallScript): string {
  if (script.kind === "dial") {
    const recorded = script.record === null ? "" : script.record ? ", recorded" : ", not recorded";
    return `The call is forwarded to ${script.to}${recorded}.`;
  }
  return script.text === "" ? "The call is rejected." : `The caller hears “${script.text}”, and is hung up on.`;
}
