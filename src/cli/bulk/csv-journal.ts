// The journal of the work on a CSV file, so that it can be killed at any moment and resumed. Guarantees: the output
// appears under its name only when it is complete. After a kill -9 or a power cut, the rows recorded as done are in the
// partial file exactly once, and anything written after them is truncated before the work resumes. Two processes never
// work on the same output. A run keeps its name when it is resumed; idempotency keys are made from it. Called by
// run-csv.ts.
//
// OUT.partial holds the rows so far, OUT.partial.json the checkpoint, OUT.lock the pid of the process at work.

import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { takeOutputLock } from "./output-lock.ts";

/** What must be equal for a run to resume an earlier one. */
export type JournalSubject = Readonly<Record<string, string | number | boolean>>;

export interface Checkpoint {
  /** The offset of the next row in the input. */
  readonly inputOffset: number;
  readonly rowsDone: number;
  readonly rowsRefused: number;
}

interface Entry extends Checkpoint {
  readonly version: 1;
  readonly run?: string;
  /** ISO 8601. */
  readonly recordedOn?: string;
  readonly outputBytes: number;
  readonly isFinished: boolean;
}

export interface JournalOrder {
  readonly out: string;
  readonly subject: JournalSubject;
  /** The offset of the first row in the input. */
  readonly rowsStart: number;
  /** What the output begins with. */
  readonly preamble: Buffer;
  /**
   * What to do with an earlier run: `continue` resumes it, or starts again if it is complete; `forget` discards it;
   * `once`, for work that must not be repeated, resumes it, and starts only if there is no output yet.
   */
  readonly again: "continue" | "forget" | "once";
}

export type OpenedJournal =
  | { readonly kind: "open"; readonly journal: CsvJournal }
  /** An earlier run was killed after its last row, so nothing is left to do. */
  | { readonly kind: "finished"; readonly checkpoint: Checkpoint };

export class CsvJournal {
  readonly #out: string;
  readonly #subject: JournalSubject;
  readonly #file: FileHandle;
  readonly #release: () => void;
  /** The name of this run, the same after every interruption. */
  readonly run: string;
  /** When the process that this run resumes wrote its last checkpoint; ISO 8601. */
  readonly continuedFrom: string | undefined;
  #outputBytes: number;
  #checkpoint: Checkpoint;
  #isOpen = true;

  private constructor(order: JournalOrder, file: FileHandle, release: () => void, entry: Entry | undefined) {
    this.#out = order.out;
    this.#subject = order.subject;
    this.#file = file;
    this.#release = release;
    this.run = entry?.run ?? randomUUID();
    this.continuedFrom = entry?.recordedOn;
    this.#outputBytes = entry?.outputBytes ?? 0;
    const { inputOffset = order.rowsStart, rowsDone = 0, rowsRefused = 0 } = entry ?? {};
    this.#checkpoint = { inputOffset, rowsDone, rowsRefused };
  }

  /** Resumes the last run, or starts a new one. */
  static async open(order: JournalOrder): Promise<OpenedJournal> {
    const release = takeOutputLock(`${order.out}.lock`);
    try {
      if (order.again === "forget") await forget(order.out);
      const entry = await usableEntry(order);
      if (entry?.isFinished) {
        release();
        return { kind: "finished", checkpoint: entry };
      }
      if (!entry && order.again === "once") await refuseToRepeat(order);
      const file = await open(`${order.out}.partial`, entry ? "r+" : "w+");
      const journal = new CsvJournal(order, file, release, entry);
      if (entry) await file.truncate(entry.outputBytes);
      else await journal.append(order.preamble, journal.#checkpoint);
      return { kind: "open", journal };
    } catch (error) {
      release();
      throw error;
    }
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /** Appends the output rows of the input up to `checkpoint`; durable when this returns. */
  async append(bytes: Buffer, checkpoint: Checkpoint): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        written,
        bytes.length - written,
        this.#outputBytes + written,
      );
      written += bytesWritten;
    }
    // The rows are synced before the checkpoint that counts them.
    await this.#file.datasync();
    this.#outputBytes += bytes.length;
    this.#checkpoint = checkpoint;
    this.#record(false);
  }

  /** Renames the partial file to the output. */
  async finish(): Promise<void> {
    this.#record(true);
    await this.#file.close();
    this.#isOpen = false;
    await settle(this.#out);
    this.#release();
  }

  /** Whether this run resumes no earlier one. */
  get isNew(): boolean {
    return this.continuedFrom === undefined && this.#checkpoint.rowsDone === 0;
  }

  /** Removes all traces of the run. */
  async abandon(): Promise<void> {
    await forget(this.#out);
    await this.close();
  }

  /** Stops and keeps what was appended for the next run. Idempotent. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#file.close();
    this.#release();
  }

  #record(isFinished: boolean): void {
    const entry: Entry = {
      ...this.#subject,
      version: 1,
      run: this.run,
      recordedOn: new Date().toISOString(),
      ...this.#checkpoint,
      outputBytes: this.#outputBytes,
      isFinished,
    };
    const path = recordFile(this.#out);
    const aside = openSync(`${path}.new`, "w");
    try {
      writeSync(aside, `${JSON.stringify(entry)}\n`);
      fsyncSync(aside);
    } finally {
      closeSync(aside);
    }
    renameSync(`${path}.new`, path);
  }
}

function recordFile(out: string): string {
  return `${out}.partial.json`;
}

async function forget(out: string): Promise<void> {
  await rm(recordFile(out), { force: true });
  await rm(`${out}.partial`, { force: true });
}

/** The checkpoint of an earlier run; undefined when there is none. Throws when it belongs to other work. */
async function usableEntry({ again, out, subject }: JournalOrder): Promise<Entry | undefined> {
  const read = readEntry(recordFile(out));
  if (read === "none") return undefined;
  const restart = again === "once" ? "" : ", or add --restart to throw that work away and begin anew";
  const advice = `Choose another --out${restart}.`;
  if (read === "unreadable") throw new UsageError(`${recordFile(out)} cannot be read. ${advice}`);
  const { entry, members } = read;
  const isSame = Object.entries(subject).every(([name, value]) => members[name] === value);
  if (entry.isFinished) {
    // Killed between the last checkpoint and the end: only the rename was left.
    await settle(out);
    return isSame && existsSync(out) ? entry : undefined;
  }
  if (!isSame)
    throw new UsageError(`${out}.partial holds unfinished work on other input or with other options. ${advice}`);
  if ((await sizeOf(`${out}.partial`)) >= entry.outputBytes) return entry;
  throw new UsageError(`${out}.partial is shorter than it was left. ${advice}`);
}

/** Refuses if there is an output of an earlier run, or rows without a checkpoint: starting would repeat work. */
async function refuseToRepeat({ out, preamble }: JournalOrder): Promise<void> {
  const isPartial = (await sizeOf(`${out}.partial`)) > preamble.length;
  if (!isPartial && !existsSync(out)) return;
  throw new UsageError(
    `${isPartial ? `${out}.partial` : out} holds the results of an earlier run. To do all of it once more, choose another --out.`,
  );
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

interface ReadEntry {
  readonly entry: Entry;
  /** All members, including those of the subject. */
  readonly members: Readonly<Record<string, unknown>>;
}

function readEntry(path: string): ReadEntry | "none" | "unreadable" {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "none" : "unreadable";
  }
  try {
    const entry = JSON.parse(text) as Entry;
    const counts = [entry.inputOffset, entry.rowsDone, entry.rowsRefused, entry.outputBytes];
    return entry.version === 1 && counts.every((count) => Number.isSafeInteger(count) && count >= 0)
      ? { entry, members: { ...entry } }
      : "unreadable";
  } catch {
    return "unreadable";
  }
}

/** Turns the finished partial file into the output; may be repeated after a kill in the middle. */
async function settle(out: string): Promise<void> {
  await rename(`${out}.partial`, out).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  const directory = await open(dirname(out));
  await directory.sync().finally(() => directory.close());
  await rm(recordFile(out), { force: true });
}
