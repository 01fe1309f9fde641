// The format of a backup: one stream of frames, written and read from the beginning to the end in bounded memory.
//
//   "TANDEM BACKUP 1\n", then frames: kind (1 octet), length of the payload (4 octets, big-endian), payload
//   h  the header, as JSON
//   t  a table begins, f  a file begins: which one, as JSON
//   d  octets of it
//   e  it ends: how many octets it had, and their SHA-256, as JSON
//   z  the backup ends: the SHA-256 of all octets before this frame, as JSON
//
// Guarantee: once the reader has reached the end, what was read is what was written. A file that was truncated, changed
// or extended is refused then at the latest. Nothing that was read before the end may be relied on.

import { createHash, type Hash } from "node:crypto";
import { z } from "zod";

const MAGIC = Buffer.from("TANDEM BACKUP 1\n");
const KIND_AND_LENGTH = 5;
/** Maximum size of a payload. */
const BYTES_MAX = 1024 * 1024;

const name = z.string().min(1).max(200);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const wholeNumber = z.string().regex(/^-?\d{1,19}$/);

const headerSchema = z.object({
  version: name,
  commit: name.nullable(),
  madeOn: z.iso.datetime(),
  steps: z
    .array(z.object({ name, checksum: digest }))
    .min(1)
    .max(10_000),
  keyCheck: z.base64().nullable(),
  nextPosition: z.string().regex(/^\d{1,18}$/),
  sequences: z.array(z.object({ name, lastValue: wholeNumber, isCalled: z.boolean() })).max(10_000),
  /** The data directory whose raw recording files are in the backup. */
  rawHost: name.nullable(),
  hasMedia: z.boolean(),
});

const tableSchema = z.object({
  name,
  columns: z.array(name).min(1).max(2_000),
  partitions: z.array(name).max(10_000),
});

const fileSchema = z.object({
  kind: z.enum(["recording", "raw", "attachment"]),
  key: z.string().min(1).max(1_000),
});

const endSchema = z.object({ sizeBytes: z.number().int().nonnegative(), sha256: digest });
const wholeSchema = z.object({ sha256: digest });

export type BackupHeader = z.output<typeof headerSchema>;
export type BackupTable = z.output<typeof tableSchema>;
export type BackupFile = z.output<typeof fileSchema>;
/** The end of a table's rows or of a file's content. */
export type ContentEnd = z.output<typeof endSchema>;

export type BackupItem =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "table"; readonly table: BackupTable }
  | { readonly kind: "file"; readonly file: BackupFile }
  | { readonly kind: "octets"; readonly octets: Buffer }
  | { readonly kind: "end"; readonly end: ContentEnd };

/** The file is not a backup, or it is incomplete or changed. */
export class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}

export class BackupWriter {
  readonly #write: (octets: Uint8Array) => Promise<void>;
  readonly #whole = createHash("sha256");
  #written = 0;

  /** `write` resolves when more can be written. */
  constructor(write: (octets: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  get sizeBytes(): number {
    return this.#written;
  }

  async header(header: BackupHeader): Promise<void> {
    await this.#put(MAGIC);
    await this.#json("h", header);
  }

  table(table: BackupTable, rows: AsyncIterable<Uint8Array>): Promise<ContentEnd> {
    return this.#section("t", table, rows);
  }

  file(file: BackupFile, content: AsyncIterable<Uint8Array>): Promise<ContentEnd> {
    return this.#section("f", file, content);
  }

  async end(): Promise<void> {
    await this.#json("z", { sha256: this.#whole.copy().digest("hex") });
  }

  async #section(kind: "t" | "f", about: object, content: AsyncIterable<Uint8Array>): Promise<ContentEnd> {
    await this.#json(kind, about);
    const hash = createHash("sha256");
    let sizeBytes = 0;
    for await (const octets of content) {
      hash.update(octets);
      sizeBytes += octets.length;
      for (let at = 0; at < octets.length; at += BYTES_MAX) await this.#frame("d", octets.subarray(at, at + BYTES_MAX));
    }
    const end = { sizeBytes, sha256: hash.digest("hex") };
    await this.#json("e", end);
    return end;
  }

  #json(kind: string, value: object): Promise<void> {
    return this.#frame(kind, Buffer.from(JSON.stringify(value)));
  }

  async #frame(kind: string, payload: Uint8Array): Promise<void> {
    if (payload.length > BYTES_MAX) throw new Error(`a frame of ${payload.length} octets is too long`);
    const head = Buffer.alloc(KIND_AND_LENGTH);
    head.write(kind, "latin1");
    head.writeUInt32BE(payload.length, 1);
    await this.#put(head);
    await this.#put(payload);
  }

  async #put(octets: Uint8Array): Promise<void> {
    this.#whole.update(octets);
    this.#written += octets.length;
    await this.#write(octets);
  }
}

interface Frame {
  readonly kind: string;
  readonly payload: Buffer;
}

/** Throws DamagedBackup unless the source is a complete backup. */
export async function* readBackup(source: AsyncIterable<Uint8Array>): AsyncGenerator<BackupItem> {
  const whole = createHash("sha256");
  let before = "";
  let content: { readonly hash: Hash; sizeBytes: number } | undefined;
  let isFirst = true;
  for await (const { kind, payload } of readFrames(source, whole, (digest) => (before = digest))) {
    if (isFirst !== (kind === "h")) throw new DamagedBackup("The backup does not begin with its header.");
    isFirst = false;
    if (content === undefined) {
      if (kind === "z") {
        if (readJson(wholeSchema, payload).sha256 === before) return;
        throw new DamagedBackup("The backup is damaged: its checksum does not fit.");
      }
      const item = beginningOf(kind, payload);
      if (item.kind !== "header") content = { hash: createHash("sha256"), sizeBytes: 0 };
      yield item;
    } else if (kind === "d") {
      content.hash.update(payload);
      content.sizeBytes += payload.length;
      yield { kind: "octets", octets: payload };
    } else if (kind === "e") {
      const end = readJson(endSchema, payload);
      if (end.sizeBytes !== content.sizeBytes || end.sha256 !== content.hash.digest("hex")) {
        throw new DamagedBackup("The backup is damaged: a checksum does not fit.");
      }
      content = undefined;
      yield { kind: "end", end };
    } else throw new DamagedBackup("The backup is damaged: its frames are out of order.");
  }
  throw new DamagedBackup("The backup is not whole: it ends too early.");
}

function beginningOf(kind: string, payload: Buffer): BackupItem {
  if (kind === "h") return { kind: "header", header: readJson(headerSchema, payload) };
  if (kind === "t") return { kind: "table", table: readJson(tableSchema, payload) };
  if (kind === "f") return { kind: "file", file: readJson(fileSchema, payload) };
  throw new DamagedBackup("The backup is damaged: its frames are out of order.");
}

function readJson<Value>(schema: z.ZodType<Value>, payload: Buffer): Value {
  try {
    return schema.parse(JSON.parse(payload.toString("utf8")));
  } catch (cause) {
    throw new DamagedBackup("The backup is damaged: a part of it cannot be read.", { cause });
  }
}

/** Calls `beforeEnd` with the digest of everything before the last frame, and yields nothing after that frame. */
async function* readFrames(
  source: AsyncIterable<Uint8Array>,
  whole: Hash,
  beforeEnd: (digest: string) => void,
): AsyncGenerator<Frame> {
  const octets = new OctetReader(source);
  const magic = await octets.take(MAGIC.length);
  if (!magic?.equals(MAGIC)) throw new DamagedBackup("This is not a backup of Tandem, or one of a later version.");
  whole.update(magic);
  for (;;) {
    const head = await octets.take(KIND_AND_LENGTH);
    if (!head) return;
    const kind = head.toString("latin1", 0, 1);
    const length = head.readUInt32BE(1);
    if (length > BYTES_MAX) throw new DamagedBackup("The backup is damaged: a frame is too long.");
    const payload = await octets.take(length);
    if (!payload) return;
    if (kind === "z") {
      beforeEnd(whole.digest("hex"));
      if (await octets.take(1)) throw new DamagedBackup("The backup is damaged: something follows its end.");
      yield { kind, payload };
      return;
    }
    whole.update(head).update(payload);
    yield { kind, payload };
  }
}

/** Cuts a stream into pieces of given lengths. */
class OctetReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #length = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Returns undefined when fewer octets are left. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#length < length) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      const { buffer, byteOffset, byteLength } = next.value;
      this.#held.push(Buffer.from(buffer, byteOffset, byteLength));
      this.#length += byteLength;
    }
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held, this.#length);
    const rest = all.subarray(length);
    this.#held = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return all.subarray(0, length);
  }
}
