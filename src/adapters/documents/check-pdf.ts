// Is this a PDF that can be opened, and how many pages has it? Its objects are gathered by one pass over the file, whatever its table of
// contents says (as readers do with damaged files), and the tree of pages is walked.
//
// Guarantees: any bytes give an answer; work is bounded by the number of values, objects and pages and by the bytes inflated, so that a
// small file cannot become a large one; the event loop is let in between. Pages are not drawn and nothing in them is run.

import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, inflate } from "node:zlib";
import { ok, type Result, refused } from "../../base/result.ts";
import { broken, type DocumentFault, PAGES_MAX, tooComplex } from "./document-fault.ts";
import { type PdfDict, PdfReader, PdfRef, type PdfValue, TooManyValues, type ValueBudget } from "./pdf-values.ts";

const VALUES_MAX = 300_000;
const OBJECTS_MAX = 50_000;
const INFLATED_BYTES_MAX = 16 * 1024 * 1024;
const TREE_NODES_MAX = 10 * PAGES_MAX;
/** Readers forgive so much after the end. */
const TRAILING_BYTES_MAX = 4096;
const OBJECTS_PER_TURN = 500;
const OBJECT_OR_TRAILER = /\b(?:obj|trailer)(?![A-Za-z0-9])/g;
/** Number and generation, which stand before `obj`. */
const OBJECT_NUMBER = /(?<!\d)(\d{1,10})[\0\t\n\f\r ]{1,20}\d{1,5}[\0\t\n\f\r ]{1,20}$/;
const OBJECT_NUMBER_LENGTH_MAX = 56;
const STREAM = /stream\r?\n?/y;

const inflated = promisify(inflate);

export async function checkPdf(bytes: Buffer): Promise<Result<number, DocumentFault>> {
  const end = bytes.lastIndexOf("%%EOF");
  if (end === -1 || end < bytes.length - TRAILING_BYTES_MAX) return refused(broken("its end is missing"));
  try {
    const file = new PdfFile(bytes);
    await file.gather();
    if (file.isEncrypted) {
      const says = "The PDF is protected by a password: save it without one, or print it to a new PDF.";
      return refused({ code: "encrypted", says });
    }
    await file.unpack();
    return file.countPages();
  } catch (error) {
    if (error instanceof TooManyValues) return refused(tooComplex("it has too many parts"));
    throw error;
  }
}

interface PackedObjects {
  readonly dict: PdfDict;
  readonly start: number;
  readonly end: number;
}

class PdfFile {
  readonly #bytes: Buffer;
  readonly #text: string;
  readonly #budget: ValueBudget = { left: VALUES_MAX };
  readonly #objects = new Map<number, { readonly at: number; readonly value: PdfValue }>();
  readonly #packed: PackedObjects[] = [];
  #root: PdfValue = null;
  #inflatedBytes = 0;
  isEncrypted = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#text = bytes.toString("latin1");
  }

  async gather(): Promise<void> {
    const places = new RegExp(OBJECT_OR_TRAILER);
    for (let count = 1; ; count++) {
      const place = places.exec(this.#text);
      if (!place) return;
      if (count > OBJECTS_MAX) throw new TooManyValues();
      if (count % OBJECTS_PER_TURN === 0) await setImmediate();
      const id = place[0] === "obj" ? this.#numberBefore(place.index) : undefined;
      if (place[0] === "obj" && id === undefined) continue;
      const reader = new PdfReader(this.#text, places.lastIndex, this.#budget);
      const end = this.#take(id, reader.value(), reader);
      if (end === undefined) return;
      places.lastIndex = end;
    }
  }

  #numberBefore(place: number): number | undefined {
    const before = this.#text.slice(Math.max(0, place - OBJECT_NUMBER_LENGTH_MAX), place);
    const id = OBJECT_NUMBER.exec(before)?.[1];
    return id === undefined ? undefined : Number(id);
  }

  /** Where to go on; undefined when the rest of the file is one stream that never ends. */
  #take(id: number | undefined, value: PdfValue, reader: PdfReader): number | undefined {
    const dict = asDict(value);
    if (id === undefined || dict?.get("/Type") === "/XRef") this.#readTrailer(dict);
    if (id === undefined) return reader.at;
    this.#set(id, reader.at, value);
    reader.skipBlank();
    STREAM.lastIndex = reader.at;
    if (!dict || !STREAM.test(this.#text)) return reader.at;
    const start = STREAM.lastIndex;
    const end = this.#endOfStream(dict, start);
    if (end !== undefined && dict.get("/Type") === "/ObjStm") this.#packed.push({ dict, start, end });
    return end;
  }

  #endOfStream(dict: PdfDict, start: number): number | undefined {
    const length = dict.get("/Length");
    if (typeof length === "number" && Number.isSafeInteger(length) && length >= 0) {
      const end = start + length;
      if (/^\s{0,2}endstream/.test(this.#text.slice(end, end + 11))) return end;
    }
    const end = this.#text.indexOf("endstream", start);
    return end === -1 ? undefined : end;
  }

  #readTrailer(dict: PdfDict | undefined): void {
    if (!dict) return;
    if (dict.get("/Encrypt") instanceof PdfRef || asDict(dict.get("/Encrypt"))) this.isEncrypted = true;
    if (dict.get("/Root") instanceof PdfRef) this.#root = dict.get("/Root") ?? null;
  }

  /** Later objects of the same number replace earlier ones, as in a file that was changed by appending. */
  #set(id: number, at: number, value: PdfValue): void {
    if (this.#objects.size >= OBJECTS_MAX) throw new TooManyValues();
    if ((this.#objects.get(id)?.at ?? -1) < at) this.#objects.set(id, { at, value });
  }

  /** 7.5.7: objects inside of compressed streams. What is damaged is left out; what is missing then shows in the tree of pages. */
  async unpack(): Promise<void> {
    for (const { dict, start, end } of this.#packed) {
      const text = await this.#inflate(dict, start, end);
      const count = dict.get("/N");
      const first = dict.get("/First");
      if (text === undefined || typeof count !== "number" || typeof first !== "number") continue;
      const index = new PdfReader(text, 0, this.#budget);
      for (let n = 0; n < count && index.at < Math.min(first, text.length); n++) {
        const id = index.value();
        const offset = index.value();
        if (typeof id !== "number" || typeof offset !== "number") continue;
        this.#set(id, start, new PdfReader(text, first + offset, this.#budget).value());
      }
    }
  }

  async #inflate(dict: PdfDict, start: number, end: number): Promise<string | undefined> {
    const filter = dict.get("/Filter") ?? null;
    const [name, ...others] = Array.isArray(filter) ? filter : [filter];
    const bytes = this.#bytes.subarray(start, end);
    if (name === null) return bytes.toString("latin1");
    if (name !== "/FlateDecode" || others.length > 0) return undefined;
    const maxOutputLength = INFLATED_BYTES_MAX - this.#inflatedBytes;
    try {
      const output = await inflated(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
      this.#inflatedBytes += output.length;
      return output.toString("latin1");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw new TooManyValues();
      return undefined;
    }
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

function asDict(value: PdfValue | undefined): PdfDict | undefined {
  return value instanceof Map ? value : undefined;
}
