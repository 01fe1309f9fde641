// `tandem doctor`: checks everything the server depends on and explains how to correct what is wrong. Changes nothing.

import type { Command } from "commander";
import { EXIT } from "../../exit-codes.ts";
import { printable } from "../../table.ts";
import type { Program } from "./examine.ts";
import type { Finding, Verdict } from "./finding.ts";

const HELP = `
Looks at Node.js, the settings, open files, the port, the data directory, the secret key, the database, its user and its schema, the
numbering data, carriers, voice and the clock. Every check is ok, warn or fail; where it is not ok, the next line says what to do. Nothing is changed, started or sent.

JSON: { "version", "ok", "checks": [{ "check", "verdict", "found", "advice" }] }

Exit status: 0 when nothing fails, 1 otherwise.
`;

export function addDoctorCommand(program: Command, about: Program): void {
  program
    .command("doctor")
    .summary("check that everything the server needs is in order")
    .description("Check that everything the server needs is in order, and say what to do where it is not.")
    .option("--json", "print JSON instead of text")
    .addHelpText("after", HELP)
    .action(async ({ json }: { readonly json?: true }) => {
      // Loaded on demand, because it imports half of the server.
      const { examine } = await import("./examine.ts");
      const checks = await examine(process.env, about);
      const isWell = checks.every(({ verdict }) => verdict !== "fail");
      process.stdout.write(
        json
          ? `${JSON.stringify({ version: about.version, ok: isWell, checks }, null, 2)}\n`
          : describe(checks, process.stdout.isTTY === true && !process.env.NO_COLOR),
      );
      process.exitCode = isWell ? EXIT.fine : EXIT.refused;
    });
}

const COLOURS: Readonly<Record<Verdict, string>> = { ok: "\u001b[32m", warn: "\u001b[33m", fail: "\u001b[31m" };
const PLAIN = "\u001b[0m";

function describe(checks: readonly Finding[], isTerminal: boolean): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.flatMap(({ advice, check, found, verdict }) => {
    const word = verdict.padEnd(4);
    const shown = isTerminal ? `${COLOURS[verdict]}${word}${PLAIN}` : word;
    const line = `${shown}  ${check.padEnd(width)}  ${printable(found)}`;
    return advice === undefined ? [line] : [line, `${" ".repeat(width + 8)}→ ${printable(advice)}`];
  });
  return `${lines.join("\n")}\n\n${summary(checks)}\n`;
}

function summary(checks: readonly Finding[]): string {
  const [fails, warns] = (["fail", "warn"] as const).map(
    (word) => checks.filter(({ verdict }) => verdict === word).length,
  );
  if (!fails && !warns) return "Everything is in order.";
  return fails ? `Not in order: ${fails} to put right.` : `Works; ${warns} to look at.`;
}
