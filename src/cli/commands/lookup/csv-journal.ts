// Where a bulk lookup stands, so that it can be killed at any moment and go on. Guarantees: the output appears under its name only when
// it is whole; after a kill -9 or a power cut the rows recorded as done are in the partial file exactly once, and whatever was written
// beyond them is cut off before going on; two processes do not work on the same output. Called by csv-lookup.ts.
//
// OUT.partial holds the rows so far, OUT.partial.json says how far they are good, OUT.lock who is at work.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../exit-codes.ts";

/** What must be the same for a run to go on where another stopped. */
export interface JournalSubject {
  readonly digest: string;
  readonly column: number;
  readonly hasHeader: boolean;
}

export interface Standing {
  /** Where the next row begins in the input. */
  readonly inputOffset: number;
  readonly rowsDone: number;
  readonly rowsRefused: number;
}

interface Record extends JournalSubject, Standing {
  readonly version: 1;
  readonly outputBytes: number;
  readonly isFinished: boolean;
}

export interface JournalOrder {
  readonly out: string;
  readonly subject: JournalSubject;
  /** The beginning: where the input's rows start. */
  readonly rowsStart: number;
  /** What the output begins with. */
  readonly preamble: Buffer;
  /** Forget what an earlier run has done. */
  readonly restart: boolean;
}

export type OpenedJournal =
  | { readonly kind: "open"; readonly journal: CsvJournal }
  /** An earlier run was killed after its last row; nothing is left to do. */
  | { readonly kind: "finished"; readonly standing: Standing };

export class CsvJournal {
  readonly #out: string;
  readonly #subject: JournalSubject;
  readonly #file: FileHandle;
  readonly #release: () => void;
  #outputBytes: number;
  #standing: Standing;
  #isOpen = true;

  private constructor(order: JournalOrder, file: FileHandle, release: () => void, record: Record | undefined) {
    this.#out = order.out;
    this.#subject = order.subject;
    this.#file = file;
    this.#release = release;
    this.#outputBytes = record?.outputBytes ?? 0;
    const { inputOffset = order.rowsStart, rowsDone = 0, rowsRefused = 0 } = record ?? {};
    this.#standing = { inputOffset, rowsDone, rowsRefused };
  }

  /** Goes on where the last run stopped, or begins. */
  static async open(order: JournalOrder): Promise<OpenedJournal> {
    const release = takeLock(`${order.out}.lock`);
    try {
      if (order.restart) await forget(order.out);
      const record = await usableRecord(order);
      if (record?.isFinished) {
        release();
        return { kind: "finished", standing: record };
      }
      const file = await open(`${order.out}.partial`, record ? "r+" : "w+");
      const journal = new CsvJournal(order, file, release, record);
      if (record) await file.truncate(record.outputBytes);
      else await journal.append(order.preamble, journal.#standing);
      return { kind: "open", journal };
    } catch (error) {
      release();
      throw error;
    }
  }

  get standing(): Standing {
    return this.#standing;
  }

  /** Rows of the output that stand for the input up to `standing`: durable when this returns. */
  async append(bytes: Buffer, standing: Standing): Promise<void> {
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
    // The rows before the record that counts them.
    await this.#file.datasync();
    this.#outputBytes += bytes.length;
    this.#standing = standing;
    this.#record(false);
  }

  /** The output takes its name. */
  async finish(): Promise<void> {
    this.#record(true);
    await this.#file.close();
    this.#isOpen = false;
    await settle(this.#out);
    this.#release();
  }

  /** Stops; what was appended is kept for the next run. Idempotent. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#file.close();
    this.#release();
  }

  #record(isFinished: boolean): void {
    const record: Record = {
      version: 1,
      ...this.#subject,
      ...this.#standing,
      outputBytes: this.#outputBytes,
      isFinished,
    };
    const path = recordFile(this.#out);
    const aside = openSync(`${path}.new`, "w");
    try {
      writeSync(aside, `${JSON.stringify(record)}\n`);
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

/** What an earlier run recorded; undefined when there is none and the work begins. Throws when it belongs to other work. */
async function usableRecord({ out, subject }: JournalOrder): Promise<Record | undefined> {
  const record = readRecord(recordFile(out));
  if (record === "none") return undefined;
  const advice = `Choose another --out, or add --restart to throw that work away and begin anew.`;
  if (record === "unreadable") throw new UsageError(`${recordFile(out)} cannot be read. ${advice}`);
  const isSame =
    record.digest === subject.digest && record.column === subject.column && record.hasHeader === subject.hasHeader;
  if (record.isFinished) {
    // Killed between the last record and the end: only the new name was left to do.
    await settle(out);
    return isSame && existsSync(out) ? record : undefined;
  }
  if (!isSame) throw new UsageError(`${out}.partial holds unfinished work on other input or another column. ${advice}`);
  const partialBytes = await stat(`${out}.partial`).then(
    ({ size }) => size,
    () => 0,
  );
  if (partialBytes >= record.outputBytes) return record;
  throw new UsageError(`${out}.partial is shorter than it was left. ${advice}`);
}

function readRecord(path: string): Record | "none" | "unreadable" {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "none" : "unreadable";
  }
  try {
    const record = JSON.parse(text) as Record;
    const counts = [record.inputOffset, record.rowsDone, record.rowsRefused, record.outputBytes];
    return record.version === 1 && counts.every((count) => Number.isSafeInteger(count) && count >= 0)
      ? record
      : "unreadable";
  } catch {
    return "unreadable";
  }
}

/** From finished partial to output; may be done again after a kill in the middle. */
async function settle(out: string): Promise<void> {
  await rename(`${out}.partial`, out).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  const directory = await open(dirname(out));
  await directory.sync().finally(() => directory.close());
  await rm(recordFile(out), { force: true });
}

function takeLock(path: string): () => void {
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = Number.parseInt(readOrEmpty(path), 10);
    if (holder !== process.pid && isRunning(holder)) {
      throw new UsageError(
        `Process ${holder} is writing this output. Wait for it, or remove ${path} if that is no lookup of yours.`,
      );
    }
    rmSync(path, { force: true });
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
