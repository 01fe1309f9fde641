// Checks the structure of JPEG, PNG and TIFF files from start to end. Pixels are not decoded, so no decompression bomb
// can expand. Any bytes give an answer. The work is bounded by the number of parts, counted each time they are
// referenced, and yields to the event loop.

import { ok, type Result, refused } from "../../base/result.ts";
import { broken, type DocumentFault, faultOfSize, PAGES_MAX, tooComplex } from "./document-fault.ts";
import { BYTES_PER_SLICE, WorkBudget } from "./work-budget.ts";

/** The number of pages. */
type Checked = Result<number, DocumentFault>;

/** Segments, chunks or entries of one file. Images have some hundred, those of many pages some thousand. */
const PARTS_MAX = 50_000;
const JPEG_EOI = Buffer.from([0xff, 0xd9]);

const budgetFor = (bytes: Buffer) => new WorkBudget({ parts: PARTS_MAX, bytes: bytes.length });

/** ITU T.81 B.1: segments up to the scan, and an end marker after it. */
export async function checkJpeg(bytes: Buffer): Promise<Checked> {
  const budget = budgetFor(bytes);
  let isFramed = false;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    budget.takePart();
    if (budget.isSliceOver) await budget.nextSlice();
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return refused(broken("a segment of it is cut off"));
    if (marker === 0xda) {
      if (!isFramed) return refused(broken("it has no frame"));
      const isEnded = await hasJpegEnd(bytes.subarray(at + 3 + length), budget);
      return isEnded ? ok(1) : refused(broken("its end is missing"));
    }
    if (isFrameMarker(marker)) {
      if (length < 8) return refused(broken("its frame is too short"));
      const fault = faultOfSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      if (fault) return refused(fault);
      isFramed = true;
    }
    at += 2 + length;
  }
  return refused(broken("it has no picture"));
}

/** Searches backwards, because the end marker is mostly last; cameras may append data. */
async function hasJpegEnd(scan: Buffer, budget: WorkBudget): Promise<boolean> {
  for (let end = scan.length; end > 0; end -= BYTES_PER_SLICE) {
    const start = Math.max(0, end - BYTES_PER_SLICE);
    // One byte more, because the marker may lie across the boundary.
    if (scan.subarray(start, end + 1).includes(JPEG_EOI)) return true;
    budget.takeBytes(end - start);
    if (budget.isSliceOver) await budget.nextSlice();
  }
  return false;
}

/** SOF0 to SOF15, except the codes of DHT, JPG and DAC. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** ISO 15948: IHDR first, some IDAT, IEND last. */
export async function checkPng(bytes: Buffer): Promise<Checked> {
  const budget = budgetFor(bytes);
  let isFilled = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    budget.takePart();
    if (budget.isSliceOver) await budget.nextSlice();
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (at + 12 + length > bytes.length) return refused(broken("a part of it is cut off"));
    if (at === 8) {
      if (type !== "IHDR" || length !== 13) return refused(broken("it has no header"));
      const fault = faultOfSize(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
      if (fault) return refused(fault);
    }
    if (type === "IDAT" && length > 0) isFilled = true;
    if (type === "IEND") return isFilled ? ok(1) : refused(broken("it has no picture"));
    at += 12 + length;
  }
  return refused(broken("its end is missing"));
}

const ENTRY_BYTES = 12;
const TAG = { width: 256, length: 257, stripOffsets: 273, tileOffsets: 324 } as const;
const TAGS: ReadonlySet<number> = new Set(Object.values(TAG));
const TYPE_BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4 };

/** TIFF 6.0, 2: a chain of directories, one for each page, each with the offset of its image. */
export async function checkTiff(bytes: Buffer): Promise<Checked> {
  // One budget for all pages, because their directories may overlap.
  const budget = budgetFor(bytes);
  const reader = new TiffReader(bytes);
  const seen = new Set<number>();
  let at = reader.u32(4);
  while (at !== undefined && at !== 0) {
    if (seen.has(at)) return refused(broken("its pages run in a circle"));
    if (seen.size >= PAGES_MAX) return refused(tooComplex(`it has over ${PAGES_MAX} pages`));
    seen.add(at);
    const fault = await faultOfPage(reader, at, budget);
    if (fault) return refused(fault);
    at = reader.u32(at + 2 + (reader.u16(at) ?? 0) * ENTRY_BYTES);
  }
  if (at === undefined) return refused(broken("a page of it is cut off"));
  return seen.size > 0 ? ok(seen.size) : refused(broken("it has no pages"));
}

async function faultOfPage(reader: TiffReader, at: number, budget: WorkBudget): Promise<DocumentFault | undefined> {
  const count = reader.u16(at) ?? 0;
  const values = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    budget.takePart();
    if (budget.isSliceOver) await budget.nextSlice();
    const entry = at + 2 + index * ENTRY_BYTES;
    const tag = reader.u16(entry);
    if (tag === undefined) return broken("a page of it is cut off");
    const value = TAGS.has(tag) ? reader.firstValue(entry) : undefined;
    if (value !== undefined) values.set(tag, value);
  }
  const place = values.get(TAG.stripOffsets) ?? values.get(TAG.tileOffsets);
  if (place === undefined || place >= reader.length) return broken("a page of it has no picture");
  return faultOfSize(values.get(TAG.width) ?? 0, values.get(TAG.length) ?? 0);
}

class TiffReader {
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = bytes.length;
    this.#isLittle = bytes[0] === 0x49;
  }

  u16(at: number): number | undefined {
    if (at + 2 > this.length) return undefined;
    return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }

  u32(at: number): number | undefined {
    if (at + 4 > this.length) return undefined;
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  /** The first value of a SHORT or LONG entry, stored inline or at an offset. */
  firstValue(entry: number): number | undefined {
    const type = this.u16(entry + 2) ?? 0;
    const size = TYPE_BYTES[type];
    if (size === undefined) return undefined;
    const at = size * (this.u32(entry + 4) ?? 0) > 4 ? this.u32(entry + 8) : entry + 8;
    if (at === undefined) return undefined;
    return size === 2 ? this.u16(at) : this.u32(at);
  }
}
