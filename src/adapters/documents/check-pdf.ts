// Checks that a PDF can be opened and counts its pages. One pass over the file collects the objects without using the
// cross-reference table (as readers do with damaged files); then the page tree is walked.
//
// Guarantees: any bytes give an answer. The work is bounded by the number of values, objects and pages, by the inflated
// bytes and by the bytes read, counted each time a part is referenced, so that a small file cannot expand into a large
// one. The check yields to the event loop about every millisecond. Pages are not rendered and no script is run.

import { constants, createInflate } from "node:zlib";
import { ok, type Result, refused } from "../../base/result.ts";
import { broken, type DocumentFault, PAGES_MAX, tooComplex } from "./document-fault.ts";
import { type PdfDict, PdfReader, PdfRef, type PdfValue } from "./pdf-values.ts";
import { BYTES_PER_SLICE, TooMuchWork, WorkBudget } from "./work-budget.ts";

const VALUES_MAX = 300_000;
const OBJECTS_MAX = 50_000;
const INFLATED_BYTES_MAX = 16 * 1024 * 1024;
/** More than the largest file plus everything inflated from it: only a file with overlapping parts needs more. */
const READ_BYTES_MAX = 40 * 1024 * 1024;
const TREE_NODES_MAX = 10 * PAGES_MAX;
/** Readers tolerate this much after the end. */
const TRAILING_BYTES_MAX = 4096;
/** The fixed cost of a search and of unpacking a stream, in bytes read. */
const PLACE_BYTES = 100;
const UNPACK_BYTES = 10_000;
const STEP_BYTES_MIN = 200;
const OBJECT_OR_TRAILER = /\b(?:obj|trailer)(?![A-Za-z0-9])/g;
const END_OF_STREAM = /endstream/g;
/** At least the length of either keyword with the characters that its lookarounds examine. */
const EDGE_BYTES = 10;
/** Number and generation before `obj`. */
const OBJECT_NUMBER = /(?<!\d)(\d{1,10})[\0\t\n\f\r ]{1,20}\d{1,5}[\0\t\n\f\r ]{1,20}$/;
const OBJECT_NUMBER_LENGTH_MAX = 56;
const STREAM = /^stream\r?\n?/;

export async function checkPdf(bytes: Buffer): Promise<Result<number, DocumentFault>> {
  const tail = bytes.subarray(-TRAILING_BYTES_MAX);
  if (!tail.includes("%%EOF")) return refused(broken("its end is missing"));
  const file = new PdfFile(bytes);
  await file.gather();
  if (file.isEncrypted) {
    const says = "The PDF is protected by a password: save it without one, or print it to a new PDF.";
    return refused({ code: "encrypted", says });
  }
  await file.unpack();
  return file.countPages();
}

interface PackedObjects {
  readonly dict: PdfDict;
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

class PdfFile {
  readonly #bytes: Buffer;
  readonly #budget = new WorkBudget({ parts: VALUES_MAX, bytes: READ_BYTES_MAX });
  readonly #objects = new Map<number, { readonly at: number; readonly value: PdfValue }>();
  readonly #packed: PackedObjects[] = [];
  #root: PdfValue = null;
  /** One buffer for all streams: memory is touched only as it fills, and the results need not be joined. */
  #inflated: Buffer | undefined;
  #inflatedBytes = 0;
  isEncrypted = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  async gather(): Promise<void> {
    let at = 0;
    for (let count = 1; ; count++) {
      const place = await this.#find(OBJECT_OR_TRAILER, at);
      if (!place) return;
      if (count > OBJECTS_MAX) throw new TooMuchWork();
      at = place.end;
      const id = place.word === "obj" ? this.#numberBefore(place.start) : undefined;
      if (place.word === "obj" && id === undefined) continue;
      const reader = new PdfReader(this.#bytes, at, this.#budget);
      const end = await this.#take(id, await reader.value(), reader);
      if (end === undefined) return;
      at = end;
    }
  }

  /**
   * Searches in growing steps, because the next object is near and the end of a stream is far. Steps overlap by
   * EDGE_BYTES, so that no keyword is split.
   */
  async #find(pattern: RegExp, from: number): Promise<Place | undefined> {
    this.#budget.takeBytes(PLACE_BYTES);
    for (let at = from, step = STEP_BYTES_MIN; at < this.#bytes.length; at += step, step = longerStep(step)) {
      const start = Math.max(0, at - EDGE_BYTES);
      const text = this.#bytes.toString("latin1", start, at + step + EDGE_BYTES);
      pattern.lastIndex = at - start;
      const match = pattern.exec(text);
      this.#budget.takeBytes(match ? match.index : step);
      if (this.#budget.isSliceOver) await this.#budget.nextSlice();
      if (!match || start + match.index >= at + step) continue;
      return { word: match[0], start: start + match.index, end: start + match.index + match[0].length };
    }
    return undefined;
  }

  #numberBefore(place: number): number | undefined {
    const before = this.#bytes.toString("latin1", Math.max(0, place - OBJECT_NUMBER_LENGTH_MAX), place);
    const id = OBJECT_NUMBER.exec(before)?.[1];
    return id === undefined ? undefined : Number(id);
  }

  /** Returns where to continue; undefined when the rest of the file is an unterminated stream. */
  async #take(id: number | undefined, value: PdfValue, reader: PdfReader): Promise<number | undefined> {
    const dict = asDict(value);
    if (id === undefined || dict?.get("/Type") === "/XRef") this.#readTrailer(dict);
    if (id === undefined) return reader.at;
    this.#set(id, reader.at, value);
    await reader.skipBlank();
    const word = STREAM.exec(this.#bytes.toString("latin1", reader.at, reader.at + 8))?.[0];
    if (!dict || word === undefined) return reader.at;
    const start = reader.at + word.length;
    const end = await this.#endOfStream(dict, start);
    if (end !== undefined && dict.get("/Type") === "/ObjStm") this.#packed.push({ dict, start, end });
    return end;
  }

  async #endOfStream(dict: PdfDict, start: number): Promise<number | undefined> {
    const length = dict.get("/Length");
    if (typeof length === "number" && Number.isSafeInteger(length) && length >= 0) {
      const end = start + length;
      if (/^\s{0,2}endstream/.test(this.#bytes.toString("latin1", end, end + 11))) return end;
    }
    return (await this.#find(END_OF_STREAM, start))?.start;
  }

  #readTrailer(dict: PdfDict | undefined): void {
    if (!dict) return;
    if (dict.get("/Encrypt") instanceof PdfRef || asDict(dict.get("/Encrypt"))) this.isEncrypted = true;
    if (dict.get("/Root") instanceof PdfRef) this.#root = dict.get("/Root") ?? null;
  }

  /** Later objects replace earlier ones with the same number, as in an incrementally updated file. */
  #set(id: number, at: number, value: PdfValue): void {
    if (this.#objects.size >= OBJECTS_MAX) throw new TooMuchWork();
    if ((this.#objects.get(id)?.at ?? -1) < at) this.#objects.set(id, { at, value });
  }

  /** 7.5.7: reads the objects in compressed streams. Skips damaged ones; a missing object shows in the page tree. */
  async unpack(): Promise<void> {
    for (const { dict, start, end } of this.#packed) {
      const unpacked = await this.#inflate(dict, this.#bytes.subarray(start, end));
      const count = dict.get("/N");
      const first = dict.get("/First");
      if (unpacked === undefined || typeof count !== "number" || typeof first !== "number") continue;
      const index = new PdfReader(unpacked, 0, this.#budget);
      for (let n = 0; n < count && index.at < Math.min(first, unpacked.length); n++) {
        const id = await index.value();
        const offset = await index.value();
        if (typeof id !== "number" || typeof offset !== "number" || offset < 0) continue;
        this.#set(id, start, await new PdfReader(unpacked, Math.trunc(first + offset), this.#budget).value());
      }
    }
  }

  async #inflate(dict: PdfDict, bytes: Buffer): Promise<Buffer | undefined> {
    this.#budget.takeBytes(UNPACK_BYTES);
    const filter = dict.get("/Filter") ?? null;
    const [name, ...others] = Array.isArray(filter) ? filter : [filter];
    if (name === null) return bytes;
    if (name !== "/FlateDecode" || others.length > 0) return undefined;
    const start = this.#inflatedBytes;
    const inflater = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    inflater.end(bytes);
    try {
      for await (const chunk of inflater as AsyncIterable<Buffer>) this.#keep(chunk);
    } catch (error) {
      if (error instanceof TooMuchWork) throw error;
      return undefined;
    }
    return this.#inflated?.subarray(start, this.#inflatedBytes);
  }

  /** The output of a stream that turns out to be damaged counts as well. */
  #keep(chunk: Buffer): void {
    if (this.#inflatedBytes + chunk.length > INFLATED_BYTES_MAX) throw new TooMuchWork();
    this.#inflated ??= Buffer.allocUnsafeSlow(INFLATED_BYTES_MAX);
    this.#inflatedBytes += chunk.copy(this.#inflated, this.#inflatedBytes);
  }

  countPages(): Result<number, DocumentFault> {
    const catalog = this.#dictAt(this.#root) ?? this.#findCatalog();
    const waiting: PdfValue[] = [catalog?.get("/Pages") ?? null];
    const seen = new Set<number>();
    let pages = 0;
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (!(node instanceof PdfRef) || seen.has(node.id)) continue;
      seen.add(node.id);
      const dict = this.#dictAt(node);
      const kids = dict && this.#resolve(dict.get("/Kids") ?? null);
      if (Array.isArray(kids)) waiting.push(...kids.slice(0, TREE_NODES_MAX));
      else if (dict) pages += 1;
      if (pages > PAGES_MAX || seen.size > TREE_NODES_MAX || waiting.length > TREE_NODES_MAX) {
        return refused(tooComplex(`it has over ${PAGES_MAX} pages`));
      }
    }
    return pages > 0 ? ok(pages) : refused(broken("no page of it can be found"));
  }

  #findCatalog(): PdfDict | undefined {
    const dicts = [...this.#objects.values()].map(({ value }) => asDict(value));
    return dicts.findLast((dict) => dict?.get("/Type") === "/Catalog");
  }

  #dictAt(value: PdfValue): PdfDict | undefined {
    return asDict(this.#resolve(value));
  }

  #resolve(value: PdfValue): PdfValue {
    return value instanceof PdfRef ? (this.#objects.get(value.id)?.value ?? null) : value;
  }
}

function longerStep(step: number): number {
  return Math.min(2 * step, BYTES_PER_SLICE);
}

function asDict(value: PdfValue | undefined): PdfDict | undefined {
  return value instanceof Map ? value : undefined;
}
