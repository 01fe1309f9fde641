// `tandem doctor`: looks at everything the server stands on and says what to do about whatever is not right. Changes nothing.

import { resolve } from "node:path";
import type { Command } from "commander";
import { readConfig } from "../../../server/config.ts";
import { readDemoEnv } from "../../../server/demo.ts";
import { SETTINGS, type Settings } from "../../../server/settings.ts";
import { EXIT } from "../../exit-codes.ts";
import { printable } from "../../table.ts";
import { checkDatabase } from "./database.ts";
import { type Finding, fail, ok, type Verdict } from "./finding.ts";
import { checkClock, checkDataDir, checkNode, checkSecretKey } from "./machine.ts";
import { checkNumbering } from "./numbering.ts";
import { checkServer } from "./server-probe.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Program {
  readonly version: string;
  /** As package.json says it: `>=20.12`. */
  readonly nodeWanted: string;
}

const HELP = `
Looks at Node.js, the settings, the port, the data directory, the secret key, the database and its schema, the numbering data and the
clock. Every check is ok, warn or fail; where it is not ok, the next line says what to do. Nothing is changed or started.

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

export async function examine(environment: Environment, about: Program): Promise<readonly Finding[]> {
  const settings = settingsAsFarAsRight(environment);
  const dataDir = resolve(settings.TANDEM_DATA_DIR);
  const now = new Date();
  const numbering = checkNumbering(settings.TANDEM_NUMBERING_FILE, now);
  const database = await checkDatabase(settings.TANDEM_DATABASE_URL, dataDir);
  const server = await checkServer({
    host: settings.TANDEM_HOST,
    port: settings.TANDEM_PORT,
    isTls: settings.TANDEM_TLS_CERT !== undefined,
    knownUrl: readDemoEnv(dataDir).get("TANDEM_URL"),
  });
  const others = [
    ...(database.aheadMs === undefined ? [] : [{ whose: "the database", aheadMs: database.aheadMs }]),
    ...(server.aheadMs === undefined ? [] : [{ whose: "the server", aheadMs: server.aheadMs }]),
  ];
  return [
    checkNode(process.versions.node, about.nodeWanted),
    ...checkSettings(environment),
    checkDataDir(dataDir),
    checkSecretKey(dataDir, settings.TANDEM_SECRET_KEY !== undefined),
    ...database.findings,
    numbering.finding,
    ...server.findings,
    checkClock({ now, notBefore: numbering.asOf, others }),
  ];
}

function checkSettings(environment: Environment): readonly Finding[] {
  const config = readConfig(environment);
  if (config.ok) return [ok("Settings", "all right")];
  const advice = "Correct it in the environment; config.example.env tells what each setting may be.";
  return config.refusal.map((fault) => fail("Settings", fault, advice));
}

/** One wrong setting must not hide what else is wrong: it counts as not given here. */
function settingsAsFarAsRight(environment: Environment): Settings {
  const read = Object.entries(SETTINGS).map(([name, { schema }]) => {
    const given = schema.safeParse(environment[name] || undefined);
    return [name, given.success ? given.data : schema.safeParse(undefined).data];
  });
  return Object.fromEntries(read) as Settings;
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
