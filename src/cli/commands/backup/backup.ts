// `tandem backup` and `tandem restore`: the whole service in one file. They use the server's settings, as `serve` does,
// and not its API.

import { createReadStream, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { addAbortSignal } from "node:stream";
import type { Command } from "commander";
import { STANDARD_STREAM } from "../../bulk/standard-streams.ts";
import { EXIT, RefusedError, UsageError } from "../../exit-codes.ts";
import { printJson, say, writeOutput } from "../../output.ts";
import { count, type Progress, STDERR, showProgress } from "../../progress.ts";
import { orRefuse, serverContext } from "../../server-context.ts";
import { stopSignal } from "../../stop-signal.ts";

/** Filled in by the build. */
declare const TANDEM_COMMIT: string | null | undefined;

const MEGABYTE = 1_000_000;

const BACKUP_HELP = `
Writes one consistent snapshot of the whole database, with recordings and attachments, while the server runs or when it is stopped. The
settings are those of the server (TANDEM_DATA_DIR, TANDEM_DATABASE_URL, TANDEM_CONFIG). The secret key is not in the file: keep
secret.key, or TANDEM_SECRET_KEY, elsewhere. The file holds texts and numbers of people and is readable for its owner only.

Examples:
  tandem backup /backups/monday.tandem
  tandem backup - --without-media | zstd > /backups/monday.tandem.zst

JSON: { "file", "sizeBytes", "tables", "files", "missingFiles" }
`;

const RESTORE_HELP = `
Restores a backup into an empty database: the built-in one of a new TANDEM_DATA_DIR, or the one of TANDEM_DATABASE_URL. The secret key
must be there before: secret.key in the data directory, or TANDEM_SECRET_KEY. A file that is not whole, a key that is not the one of the
backup and a database that is not empty are refused, and then nothing is changed. Do not let the old server go on: both would send
what waited to be sent.

Examples:
  tandem restore /backups/monday.tandem
  zstd -d < /backups/monday.tandem.zst | tandem restore -

JSON: { "sizeBytes", "madeOn", "version", "tables", "files", "hasMedia" }
`;

interface BackupFlags {
  readonly media: boolean;
  readonly json?: true;
}

export function addBackupCommand(program: Command, version: string): void {
  program
    .command("backup <file>")
    .summary("write the whole service into one file")
    .description("Write the database, recordings and attachments into one file, - for standard output.")
    .option("--without-media", "leave recordings and attachments out")
    .option("--json", "print JSON instead of text")
    .addHelpText("after", BACKUP_HELP)
    .action((file: string, flags: BackupFlags & { readonly withoutMedia?: true }) =>
      interruptible((signal) => writeBackup(file, { ...flags, media: !flags.withoutMedia }, version, signal)),
    );
}

export function addRestoreCommand(program: Command): void {
  program
    .command("restore <file>")
    .summary("restore a backup into an empty database")
    .description("Restore a backup into an empty database, from a file or - for standard input.")
    .option("--json", "print JSON instead of text")
    .addHelpText("after", RESTORE_HELP)
    .action((file: string, flags: Pick<BackupFlags, "json">) =>
      interruptible((signal) => readBackup(file, flags, signal)),
    );
}

async function writeBackup(file: string, { media, json }: BackupFlags, version: string, signal: AbortSignal) {
  const output = file === STANDARD_STREAM ? standardOutput() : await newFile(file);
  const progress = megabytes(undefined);
  try {
    // Loaded on demand, because client commands do not need the server.
    const { backUp } = await import("../../../server/backup/back-up.ts");
    const { sizeBytes, ...counts } = orRefuse(
      await backUp({
        ...(await serverContext()),
        version,
        commit: typeof TANDEM_COMMIT === "string" ? TANDEM_COMMIT : null,
        hasMedia: media,
        now: new Date(),
        signal,
        write: output.write,
        progress: (octets) => progress.advance(Math.floor(octets / MEGABYTE)),
      }),
    );
    await output.finish();
    progress.end();
    if (json && file !== STANDARD_STREAM) return printJson({ file, sizeBytes, ...counts });
    const { tables, files, missingFiles } = counts;
    say(`Backed up ${count(tables)} tables and ${count(files)} files: ${count(sizeBytes)} octets.`);
    if (missingFiles > 0) say(`${count(missingFiles)} files were not there: deleted meanwhile, or on another machine.`);
  } catch (error) {
    progress.end();
    await output.discard();
    throw error;
  }
}

async function readBackup(file: string, { json }: Pick<BackupFlags, "json">, signal: AbortSignal): Promise<void> {
  const isPipe = file === STANDARD_STREAM;
  const progress = megabytes(isPipe ? undefined : sizeOf(file));
  const source = isPipe ? addAbortSignal(signal, process.stdin) : createReadStream(file, { signal });
  try {
    const { restore } = await import("../../../server/backup/restore.ts");
    const summary = orRefuse(
      await restore({
        ...(await serverContext()),
        source,
        signal,
        progress: (octets) => progress.advance(Math.floor(octets / MEGABYTE)),
      }),
    );
    progress.end();
    if (json) return printJson(summary);
    const { tables, files, madeOn, hasMedia } = summary;
    say(`Restored ${count(tables)} tables and ${count(files)} files, as they were on ${madeOn}.`);
    if (!hasMedia) say("The backup was made without recordings and attachments.");
    say("Start the server with: tandem serve");
  } catch (error) {
    progress.end();
    throw error;
  } finally {
    source.destroy();
  }
}

/** Ctrl-C lets the command remove what it has started. */
async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const signal = stopSignal();
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Interrupted; nothing was kept.");
    process.exitCode = EXIT.interrupted;
  }
}

function megabytes(total: number | undefined): Progress {
  return showProgress({ ...STDERR, total, done: 0, unit: "MB" });
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${file}.`);
  return Math.floor(found.size / MEGABYTE);
}

interface Output {
  write(octets: Uint8Array): Promise<void>;
  /** Durable when it resolves. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** The file gets its final name when it is complete. An existing file is kept, and a link is not followed. */
async function newFile(path: string): Promise<Output> {
  if (statSync(path, { throwIfNoEntry: false })) throw new UsageError(`${path} is there already.`);
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new UsageError(
      `${unfinished} is there already: another backup is being written, or one was killed. If none runs, remove it.`,
    );
  });
  return {
    write: async (octets) => {
      await file.writeFile(octets);
    },
    async finish() {
      await file.sync();
      await file.close();
      await rename(unfinished, path);
      const folder = await open(dirname(path), "r");
      await folder.sync().finally(() => folder.close());
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(unfinished, { force: true });
    },
  };
}

function standardOutput(): Output {
  return {
    async write(octets) {
      if (!(await writeOutput(octets)))
        throw new RefusedError("Standard output was closed before the backup was whole.");
    },
    finish: async () => undefined,
    discard: async () => undefined,
  };
}
