// Is this a PDF that can be opened, and how many pages has it? Its objects are gathered by one pass over the file, whatever its table of
// contents says (as readers do with damaged files), and the tree of pages is walked.
//
// Guarantees: any bytes give an answer; work is bounded by the number of values, objects and pages, by the bytes inflated and by the bytes
// looked at, however often a part is named, so that a small file cannot become a large one; the event loop is let in every millisecond or
// so. Pages are not drawn and nothing in them is run.

import { constants, createInflate } from "node:zlib";
import { ok, type Result, refused } from "../../base/result.ts";
import { broken, type DocumentFault, PAGES_MAX, tooComplex } from "./document-fault.ts";
import { type PdfDict, PdfReader, PdfRef, type PdfValue } from "./pdf-values.ts";
import { BYTES_PER_TURN, TooMuchWork, WorkBudget } from "./work-budget.ts";

const VALUES_MAX = 300_000;
const OBJECTS_MAX = 50_000;
const INFLATED_BYTES_MAX = 16 * 1024 * 1024;
/** The largest file and what may be inflated from it, and some: only parts that lie over each other need more. */
const READ_BYTES_MAX = 40 * 1024 * 1024;
const TREE_NODES_MAX = 10 * PAGES_MAX;
/** Readers forgive so much after the end. */
const TRAILING_BYTES_MAX = 4096;
/** Each place looked for and each stream unpacked takes some time of its own, as if so many bytes were read. */
const PLACE_BYTES = 100;
const UNPACK_BYTES = 10_000;
const STEP_BYTES_MIN = 200;
const OBJECT_OR_TRAILER = /\b(?:obj|trailer)(?![A-Za-z0-9])/g;
const END_OF_STREAM = /endstream/g;
/** No less than either of these is long, with what may not stand before and after it. */
const EDGE_BYTES = 10;
/** Number and generation, which stand before `obj`. */
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
  /** One for all streams: memory is touched only as it fills up, and nothing is copied together in the end. */
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

  /** In steps, which grow: the next object is near, the end of a stream far. A word is not to be cut in two, so a step has edges. */
  async #find(pattern: RegExp, from: number): Promise<Place | undefined> {
    this.#budget.takeBytes(PLACE_BYTES);
    for (let at = from, step = STEP_BYTES_MIN; at < this.#bytes.length; at += step, step = longerStep(step)) {
      const start = Math.max(0, at - EDGE_BYTES);
      const text = this.#bytes.toString("latin1", start, at + step + EDGE_BYTES);
      pattern.lastIndex = at - start;
      const match = pattern.exec(text);
      this.#budget.takeBytes(match ? match.index : step);
      if (this.#budget.isTurnOver) await this.#budget.nextTurn();
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

  /** Where to go on; undefined when the rest of the file is one stream that never ends. */
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

  /** Later objects of the same number replace earlier ones, as in a file that was changed by appending. */
  #set(id: number, at: number, value: PdfValue): void {
    if (this.#objects.size >= OBJECTS_MAX) throw new TooMuchWork();
    if ((this.#objects.get(id)?.at ?? -1) < at) this.#objects.set(id, { at, value });
  }

  /** 7.5.7: objects inside of compressed streams. What is damaged is left out; what is missing then shows in the tree of pages. */
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

  /** What comes out of a stream before it turns out to be damaged counts as well. */
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
  return Math.min(2 * step, BYTES_PER_TURN);
}

function asDict(value: PdfValue | undefined): PdfDict | undefined {
  return value instanceof Map ? value : undefined;
}
