// `tandem keys rotate`: a new secret key for the service. It uses the server's settings, as `backup` does, and not its
// API.

import type { Command } from "commander";
import type { Rotation } from "../../server/keys/rotate-keys.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, say } from "../output.ts";
import { count, type Progress, STDERR, showProgress } from "../progress.ts";
import { orRefuse, serverContext } from "../server-context.ts";
import { stopSignal } from "../stop-signal.ts";

const HELP = `
Makes a new secret key and seals with it all that the key before has sealed: webhook secrets, bearers, PINs of port orders and remembered
answers. Servers go on meanwhile; every value can be read at every moment. Killed or interrupted, it goes on when it is run again. The
settings are those of the server (TANDEM_DATA_DIR, TANDEM_DATABASE_URL), and it runs as its user.

The new key is written to secret.key in the data directory, which servers read again; the one before is removed from it at the end. Where
other machines have a secret.key of their own, copy it to them while the command waits for them, and once more at the end. With
TANDEM_SECRET_KEY in the environment: restart the servers with NEW,OLD, run this with NEW,OLD, then restart them with NEW.

Keep the key before for as long as you keep backups that were made with it.

Examples:
  tandem keys rotate
  tandem keys rotate --dry-run

JSON: { "keys", "isResumed", "found", "sealed", "unreadable" }
`;

interface RotateFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

export function addKeysCommand(program: Command): void {
  program
    .command("keys")
    .description("The secret key that encrypts what is stored.")
    .command("rotate")
    .summary("seal everything with a new secret key")
    .description("Seal everything with a new secret key, while the server runs or when it is stopped.")
    .option("--dry-run", "count what would be sealed anew, and change nothing")
    .option("--json", "print JSON instead of text")
    .addHelpText("after", HELP)
    .action(rotate);
}

async function rotate({ dryRun, json }: RotateFlags): Promise<void> {
  const signal = stopSignal();
  let progress: Progress | undefined;
  let waitedFor = 0;
  try {
    // Loaded on demand, because client commands do not need the server.
    const { rotateKeys } = await import("../../server/keys/rotate-keys.ts");
    const rotation = orRefuse(
      await rotateKeys({
        ...(await serverContext()),
        signal,
        isDryRun: dryRun === true,
        waits(processes) {
          if (processes !== waitedFor) say(`Running processes that do not use the new key yet: ${count(processes)}.`);
          waitedFor = processes;
        },
        progress(sealed, total) {
          progress ??= showProgress({ ...STDERR, total, done: 0, unit: "values" });
          progress.advance(sealed);
        },
      }),
    );
    progress?.end();
    if (json) return printJson(rotation);
    if (dryRun) sayDryRun(rotation);
    else sayDone(rotation);
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Interrupted. Everything can be read; run it again to go on.");
    process.exitCode = EXIT.interrupted;
  }
}

function sayDryRun({ found, isResumed }: Rotation): void {
  const kinds = Object.entries(found).map(([what, number]) => `${count(number)} ${what}`);
  say(`To be sealed ${isResumed ? "with the first key" : "with a new key"}: ${kinds.join(", ")}.`);
}

function sayDone({ keys, isResumed, sealed, unreadable }: Rotation): void {
  if (isResumed) say(`${keys} held several keys: the first of them was taken, and no new one was made.`);
  say(`Sealed ${count(sealed)} values with the new key.`);
  if (unreadable > 0) say(`${count(unreadable)} values are sealed with a key that is lost, and stay as they are.`);
  if (keys === "TANDEM_SECRET_KEY") say("Now restart the servers with the first key of TANDEM_SECRET_KEY alone.");
  else say(`${keys} holds the new key alone. Back it up, and copy it to other machines that have one of their own.`);
}
