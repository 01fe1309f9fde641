// Reads an HTTP/1.1 answer (RFC 9112) out of the bytes of a connection, however they are cut. Total and bounded: any bytes lead to an
// answer, to the want of more, or to a fault; no more than the head and what is kept of the body is ever held.
//
// Stricter than it might be where leniency is dangerous: lines end with CR LF, a field name is a token, folded lines, lengths that
// contradict each other and switched protocols are faults. A body that cannot be followed to its end is `cut`, and so is one that is
// longer than we read; the status stands all the same.

export type AnswerFault =
  | { readonly kind: "too-large"; readonly detail: string }
  | { readonly kind: "protocol"; readonly detail: string };

/** `done`: the answer is complete. `cut`: there is more, and it is of no use. Neither: more bytes are wanted. */
export type ReadResult = "more" | "done" | "cut" | AnswerFault;

const HEAD_BYTES_MAX = 16 * 1024;
/** 1xx may come before the answer, but not for ever. */
const INTERIM_ANSWERS_MAX = 16;
const CHUNK_LINE_BYTES_MAX = 1024;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_VALUES = /[\0\r\n]/;
const LENGTH = /^\d{1,15}$/;
const NOTHING = new Uint8Array();

/** What is to come: of the head, of a body of known length, of a body that ends with the connection, or of one of the parts of a chunk. */
type Part = "head" | "length" | "close" | "chunk-line" | "chunk-data" | "chunk-end" | "trailer" | "over";

interface Fields {
  lengths: string | undefined;
  transferEncoding: string | undefined;
  connection: string | undefined;
  keepAlive: string | undefined;
}

export class AnswerReader {
  /** 0 until the head of the answer is read. */
  status = 0;
  contentType: string | undefined;
  retryAfter: string | undefined;
  /** The connection may carry another exchange: all was read, nothing more came, and the other side keeps it open. */
  isReusable = false;
  /** For how long, if the other side said so. */
  keepAliveMs: number | undefined;
  readonly #keepBytes: number;
  readonly #bytesMax: number;
  #part: Part = "head";
  /** What there is of a head, a chunk's first line or a trailer that has not ended yet. */
  #text = "";
  #interimAnswers = 0;
  /** Of the body, or of the chunk. */
  #left = 0;
  #bodyBytes = 0;
  /** Of all that came behind the head. */
  #bytes = 0;
  #kept: Uint8Array = NOTHING;
  #keptBytes = 0;

  /** `bytesMax`: how much is read behind the head, the frames of chunks included. */
  constructor(keepBytes: number, bytesMax: number) {
    this.#keepBytes = keepBytes;
    this.#bytesMax = bytesMax;
  }

  /** The body, as far as it is kept. */
  get body(): Uint8Array {
    return this.#kept.length === this.#keptBytes ? this.#kept : this.#kept.slice(0, this.#keptBytes);
  }

  /** More was sent than is kept. */
  get isShortened(): boolean {
    return this.#bodyBytes > this.#keptBytes;
  }

  /** The first `length` bytes, which are copied, never held. Not to be called again after anything but `more`. */
  read(bytes: Buffer, length: number): ReadResult {
    let at = 0;
    while (at < length || this.#part === "over") {
      if (this.#part === "over") {
        // What follows an answer nobody asked for.
        if (at < length) this.isReusable = false;
        return "done";
      }
      const isBehindHead = this.#part !== "head";
      const next = this.#readPart(bytes, at, length);
      if (typeof next !== "number") return next;
      if (isBehindHead) this.#bytes += next - at;
      if (this.#bytes > this.#bytesMax) return "cut";
      at = next;
    }
    return "more";
  }

  /** The other side has closed the connection in good order: what has no length ends here. */
  end(): "done" | "cut" {
    return this.#part === "close" ? "done" : "cut";
  }

  /** Answers up to where it has read. */
  #readPart(bytes: Buffer, at: number, length: number): number | ReadResult {
    switch (this.#part) {
      case "head":
        return this.#readHead(bytes, at, length);
      case "length":
      case "close":
      case "chunk-data":
        return this.#readBody(bytes, at, length);
      case "chunk-line":
      case "chunk-end":
      case "trailer":
        return this.#readLine(bytes, at, length);
      case "over":
        return at;
    }
  }

  #readHead(bytes: Buffer, at: number, length: number): number | ReadResult {
    const before = this.#text.length;
    const text = this.#text + bytes.toString("latin1", at, Math.min(length, at + HEAD_BYTES_MAX + 1 - before));
    const end = text.indexOf("\r\n\r\n", Math.max(0, before - 3));
    if (end === -1) {
      if (text.length > HEAD_BYTES_MAX) return { kind: "too-large", detail: "The head of the answer is too long." };
      this.#text = text;
      // What talks another protocol may wait for us to speak.
      return text.startsWith("HTTP/1.") || "HTTP/1.".startsWith(text) ? length : NOT_HTTP;
    }
    this.#text = "";
    const fault = this.#takeHead(text.slice(0, end));
    return fault ?? at + end + 4 - before;
  }

  #takeHead(head: string): AnswerFault | undefined {
    const lineEnd = head.indexOf("\r\n");
    const line = lineEnd === -1 ? head : head.slice(0, lineEnd);
    const found = STATUS_LINE.exec(line);
    if (!found || NOT_IN_VALUES.test(line)) return NOT_HTTP;
    const status = Number(found[2]);
    if (status < 200) return this.#takeInterim(status);
    const fields: Fields = {
      lengths: undefined,
      transferEncoding: undefined,
      connection: undefined,
      keepAlive: undefined,
    };
    let at = lineEnd === -1 ? head.length : lineEnd + 2;
    while (at < head.length) {
      const next = head.indexOf("\r\n", at);
      const end = next === -1 ? head.length : next;
      if (!this.#takeField(fields, head, at, end)) return protocol("The answer has a header that cannot be read.");
      at = end + 2;
    }
    return this.#begin(status, found[1] === "1", fields);
  }

  /** RFC 9110 15.2: interim answers are to be borne, asked for or not. */
  #takeInterim(status: number): AnswerFault | undefined {
    if (status === 101) return protocol("The answer switches to a protocol that nobody asked for.");
    this.#interimAnswers += 1;
    return this.#interimAnswers > INTERIM_ANSWERS_MAX ? protocol("There were interim answers without end.") : undefined;
  }

  #takeField(fields: Fields, head: string, at: number, end: number): boolean {
    const colon = head.indexOf(":", at);
    if (colon === -1 || colon >= end) return false;
    const name = head.slice(at, colon);
    const value = head.slice(colon + 1, end).trim();
    if (!TOKEN.test(name) || NOT_IN_VALUES.test(value)) return false;
    // Most names are none of these, and few have their length.
    switch (name.length) {
      case 10:
        if (isName(name, "connection")) fields.connection = listed(fields.connection, value);
        else if (isName(name, "keep-alive")) fields.keepAlive = value;
        break;
      case 11:
        if (isName(name, "retry-after")) this.retryAfter ??= value;
        break;
      case 12:
        if (isName(name, "content-type")) this.contentType ??= value;
        break;
      case 14:
        if (isName(name, "content-length")) fields.lengths = listed(fields.lengths, value);
        break;
      case 17:
        if (isName(name, "transfer-encoding")) fields.transferEncoding = listed(fields.transferEncoding, value);
        break;
    }
    return true;
  }

  /** RFC 9112 6.3: how long the body is. */
  #begin(status: number, isOne: boolean, fields: Fields): AnswerFault | undefined {
    const { connection, keepAlive, transferEncoding, lengths } = fields;
    const length = lengths === undefined ? undefined : lengthOf(lengths);
    if (length === null) return protocol("The length of the answer cannot be read.");
    this.status = status;
    this.isReusable = isOne ? !names(connection, "close") : names(connection, "keep-alive");
    this.keepAliveMs = keepAlive === undefined ? undefined : timeoutOf(keepAlive);
    if (status === 204 || status === 304) {
      this.#part = "over";
    } else if (transferEncoding !== undefined) {
      // With a length beside it, it may be an attempt to have the rest taken for another answer.
      if (!isOne || lengths !== undefined) this.isReusable = false;
      this.#part = /(?:^|,)[ \t]*chunked$/i.test(transferEncoding) ? "chunk-line" : "close";
    } else if (length !== undefined) {
      this.#left = length;
      this.#part = length === 0 ? "over" : "length";
    } else {
      this.#part = "close";
    }
    if (this.#part === "close") this.isReusable = false;
    return undefined;
  }

  #readBody(bytes: Buffer, at: number, length: number): number | ReadResult {
    const end = this.#part === "close" ? length : Math.min(length, at + this.#left);
    this.#keep(bytes, at, end);
    if (this.#part === "close") return end;
    this.#left -= end - at;
    if (this.#left === 0) this.#part = this.#part === "length" ? "over" : "chunk-end";
    return end;
  }

  /** Copied: a view of two bytes would keep the whole block that was read alive. */
  #keep(bytes: Buffer, at: number, end: number): void {
    this.#bodyBytes += end - at;
    const wanted = Math.min(end - at, this.#keepBytes - this.#keptBytes);
    if (wanted <= 0) return;
    const needed = this.#keptBytes + wanted;
    if (this.#kept.length < needed) {
      // All at once when the length is known; else doubled, so that a body that drips is not copied for every drop.
      const expected = this.#keptBytes === 0 && this.#part === "length" ? this.#left : 2 * this.#kept.length;
      const room = Math.min(this.#keepBytes, Math.max(needed, expected));
      const grown = new Uint8Array(room);
      grown.set(this.#kept.subarray(0, this.#keptBytes));
      this.#kept = grown;
    }
    bytes.copy(this.#kept, this.#keptBytes, at, at + wanted);
    this.#keptBytes = needed;
  }

  /** RFC 9112 7.1: the line before a chunk, the line end behind it, the fields behind the last. */
  #readLine(bytes: Buffer, at: number, length: number): number | ReadResult {
    const before = this.#text.length;
    const text = this.#text + bytes.toString("latin1", at, Math.min(length, at + CHUNK_LINE_BYTES_MAX + 1 - before));
    const end = text.indexOf("\r\n", Math.max(0, before - 1));
    if (end === -1) {
      this.#text = text;
      return text.length > CHUNK_LINE_BYTES_MAX ? "cut" : length;
    }
    this.#text = "";
    return this.#takeLine(text.slice(0, end)) ? at + end + 2 - before : "cut";
  }

  #takeLine(line: string): boolean {
    switch (this.#part) {
      case "chunk-line": {
        const size = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n\0]*)?$/i.exec(line)?.[1];
        if (size === undefined) return false;
        this.#left = Number.parseInt(size, 16);
        this.#part = this.#left === 0 ? "trailer" : "chunk-data";
        return true;
      }
      case "chunk-end":
        this.#part = "chunk-line";
        return line === "";
      default:
        if (line === "") this.#part = "over";
        return true;
    }
  }
}

const NOT_HTTP = protocol("The answer is not HTTP/1.1.");

function protocol(detail: string): AnswerFault {
  return { kind: "protocol", detail };
}

function isName(name: string, wanted: string): boolean {
  return name === wanted || name.toLowerCase() === wanted;
}

/** RFC 9110 5.3: a field that comes several times is one list. */
function listed(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before},${value}`;
}

/** Null when it is no number, or not the same one each time. */
function lengthOf(list: string): number | null {
  if (LENGTH.test(list)) return Number(list);
  const [first = "", ...others] = list.split(",").map((value) => value.trim());
  return LENGTH.test(first) && others.every((other) => other === first) ? Number(first) : null;
}

function names(list: string | undefined, option: string): boolean {
  if (list === undefined) return false;
  if (isName(list, option)) return true;
  return list.split(",").some((value) => isName(value.trim(), option));
}

function timeoutOf(keepAlive: string): number | undefined {
  const seconds = /(?:^|[,;\s])timeout\s*=\s*"?(\d{1,6})/i.exec(keepAlive)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
