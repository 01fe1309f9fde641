import fc from "fast-check";
import { expect, test } from "vitest";
import { type BackupHeader, type BackupItem, BackupWriter, DamagedBackup, readBackup } from "./backup-file.ts";

const HEADER: BackupHeader = {
  version: "0.1.0",
  commit: null,
  madeOn: "2026-01-31T09:00:00.000Z",
  steps: [{ name: "0001-accounts", checksum: "0".repeat(64) }],
  keyCheck: "c2VhbGVk",
  nextPosition: "1099511627776",
  sequences: [{ name: "events_id_seq", lastValue: "7", isCalled: true }],
  rawHost: null,
  hasMedia: true,
};

async function* chunksOf(octets: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}

async function write(rows: readonly Uint8Array[]): Promise<Buffer> {
  const written: Buffer[] = [];
  const writer = new BackupWriter(async (octets) => void written.push(Buffer.from(octets)));
  async function* content() {
    yield* rows;
  }
  await writer.header(HEADER);
  await writer.table({ name: "events", columns: ["id", "xid"], partitions: ["events_20260126"] }, content());
  await writer.file({ kind: "recording", key: "AC1/CA1/RE1-1.mp3" }, content());
  await writer.end();
  expect(writer.sizeBytes).toBe(Buffer.concat(written).length);
  return Buffer.concat(written);
}

async function read(octets: Uint8Array, size = 100): Promise<readonly BackupItem[]> {
  const items: BackupItem[] = [];
  for await (const item of readBackup(chunksOf(octets, size))) items.push(item);
  return items;
}

const contentOf = (items: readonly BackupItem[], at: number) => {
  const sections = items.slice(1).reduce<Buffer[][]>((all, item) => {
    if (item.kind === "table" || item.kind === "file") all.push([]);
    else if (item.kind === "octets") all.at(-1)?.push(item.octets);
    return all;
  }, []);
  return Buffer.concat(sections[at] ?? []);
};

test("what was written is read, however it is cut into chunks", async () => {
  const rows = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 300 }), async (given, size) => {
      const items = await read(await write(given), size);
      expect(items[0]).toEqual({ kind: "header", header: HEADER });
      expect(contentOf(items, 0)).toEqual(Buffer.concat(given));
      expect(contentOf(items, 1)).toEqual(Buffer.concat(given));
    }),
    { numRuns: 50 },
  );
});

test("content of more than a frame is cut and put together again", async () => {
  const row = Buffer.alloc(2_500_000, "abcdefg");
  const items = await read(await write([row]), 70_000);
  expect(contentOf(items, 0).equals(row)).toBe(true);
});

test("one that was cut, changed or lengthened anywhere is refused", async () => {
  const good = await write([Buffer.from("one\n"), Buffer.from("two\n")]);
  const changes = fc.oneof(
    fc.nat(good.length - 1).map((at) => good.subarray(0, at)),
    fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
      const changed = Buffer.from(good);
      changed.writeUInt8(changed.readUInt8(at) ^ by, at);
      return changed;
    }),
    fc.uint8Array({ minLength: 1, maxLength: 20 }).map((more) => Buffer.concat([good, more])),
  );
  await fc.assert(
    fc.asyncProperty(changes, async (octets) => {
      await expect(read(octets)).rejects.toThrow(DamagedBackup);
    }),
    { numRuns: 300 },
  );
});

test("whatever octets come, they are refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (octets) => {
      const begun = Buffer.concat([Buffer.from("TANDEM BACKUP 1\n"), octets]);
      for (const given of [octets, begun]) await expect(read(given)).rejects.toThrow(DamagedBackup);
    }),
    { numRuns: 100 },
  );
});
