// Parses an HTTP/1.1 response (RFC 9112) from a connection's bytes, however they are split. Never throws, and bounded:
// any bytes give a response, a request for more, or a fault. Holds only the head and the part of the body to keep.
//
// Strict where leniency is dangerous: lines end with CR LF and a field name is a token; folded lines, contradicting
// lengths and switched protocols are faults. A body that cannot be parsed to its end, or is longer than the limit, is
// `cut`; its status is still valid.

export type ResponseFault =
  | { readonly kind: "too-large"; readonly detail: string }
  | { readonly kind: "protocol"; readonly detail: string };

/** `done`: the response is complete. `cut`: the rest of it is not read. `more`: more bytes are needed. */
export type ReadResult = "more" | "done" | "cut" | ResponseFault;

const HEAD_BYTES_MAX = 16 * 1024;
/** 1xx responses may precede the final one. */
const INTERIM_ANSWERS_MAX = 16;
const CHUNK_LINE_BYTES_MAX = 1024;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_VALUES = /[\0\r\n]/;
const LENGTH = /^\d{1,15}$/;
const NOTHING = new Uint8Array();

/** The part that is read next: `length` is a body of known length, `close` one that ends with the connection. */
type Part = "head" | "length" | "close" | "chunk-line" | "chunk-data" | "chunk-end" | "trailer" | "over";

interface Fields {
  lengths: string | undefined;
  transferEncoding: string | undefined;
  connection: string | undefined;
  keepAlive: string | undefined;
}

export class ResponseParser {
  /** 0 until the head is read. */
  status = 0;
  /** Without its empty line. */
  head = "";
  contentType: string | undefined;
  retryAfter: string | undefined;
  /** The connection may carry another exchange: everything was read, nothing followed, and the peer keeps it open. */
  isReusable = false;
  /** How long the peer keeps the connection open, if it announces that. */
  keepAliveMs: number | undefined;
  readonly #keepBytes: number;
  readonly #bytesMax: number;
  #part: Part = "head";
  /** The beginning of an incomplete head, chunk line or trailer. */
  #text = "";
  #interimAnswers = 0;
  /** Bytes left of the body or the chunk. */
  #left = 0;
  #bodyBytes = 0;
  /** All bytes after the head. */
  #bytes = 0;
  #kept: Uint8Array = NOTHING;
  #keptBytes = 0;

  /** `bytesMax`: how much is read after the head, including chunk framing. */
  constructor(keepBytes: number, bytesMax: number) {
    this.#keepBytes = keepBytes;
    this.#bytesMax = bytesMax;
  }

  /** The kept part of the body. */
  get body(): Uint8Array {
    return this.#kept.length === this.#keptBytes ? this.#kept : this.#kept.slice(0, this.#keptBytes);
  }

  /** The body is longer than the kept part. */
  get isShortened(): boolean {
    return this.#bodyBytes > this.#keptBytes;
  }

  /** Reads the first `length` bytes and copies what it keeps. Not to be called again after anything but `more`. */
  read(bytes: Buffer, length: number): ReadResult {
    let at = 0;
    while (at < length || this.#part === "over") {
      if (this.#part === "over") {
        // Bytes after the response belong to no request.
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

  /** The peer has closed the connection in good order, which ends a body without a length. */
  end(): "done" | "cut" {
    return this.#part === "close" ? "done" : "cut";
  }

  /** Returns where it has stopped reading. */
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
      // A server of another protocol may wait for us to send something, so the start is checked now.
      return text.startsWith("HTTP/1.") || "HTTP/1.".startsWith(text) ? length : NOT_HTTP;
    }
    this.#text = "";
    const fault = this.#takeHead(text.slice(0, end));
    return fault ?? at + end + 4 - before;
  }

  #takeHead(head: string): ResponseFault | undefined {
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
    this.head = head;
    return this.#begin(status, found[1] === "1", fields);
  }

  /** RFC 9110 15.2: a client must be able to parse interim responses, even unexpected ones. */
  #takeInterim(status: number): ResponseFault | undefined {
    if (status === 101) return protocol("The answer switches to a protocol that was not requested.");
    this.#interimAnswers += 1;
    return this.#interimAnswers > INTERIM_ANSWERS_MAX ? protocol("There were interim answers without end.") : undefined;
  }

  #takeField(fields: Fields, head: string, at: number, end: number): boolean {
    const colon = head.indexOf(":", at);
    if (colon === -1 || colon >= end) return false;
    const name = head.slice(at, colon);
    const value = head.slice(colon + 1, end).trim();
    if (!TOKEN.test(name) || NOT_IN_VALUES.test(value)) return false;
    // Comparing the length first is fast: most names are none of these.
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

  /** RFC 9112 6.3: determines the length of the body. */
  #begin(status: number, isOne: boolean, fields: Fields): ResponseFault | undefined {
    const { connection, keepAlive, transferEncoding, lengths } = fields;
    const length = lengths === undefined ? undefined : lengthOf(lengths);
    if (length === null) return protocol("The length of the answer cannot be read.");
    this.status = status;
    this.isReusable = isOne ? !names(connection, "close") : names(connection, "keep-alive");
    this.keepAliveMs = keepAlive === undefined ? undefined : timeoutOf(keepAlive);
    if (status === 204 || status === 304) {
      this.#part = "over";
    } else if (transferEncoding !== undefined) {
      // A Content-Length beside it may be an attempt at response splitting.
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

  /** Copies, because a view of two bytes would keep the whole read buffer alive. */
  #keep(bytes: Buffer, at: number, end: number): void {
    this.#bodyBytes += end - at;
    const wanted = Math.min(end - at, this.#keepBytes - this.#keptBytes);
    if (wanted <= 0) return;
    const needed = this.#keptBytes + wanted;
    if (this.#kept.length < needed) {
      // Allocates a known length in one step; otherwise doubles, so that a slow body is not copied with every byte.
      const expected = this.#keptBytes === 0 && this.#part === "length" ? this.#left : 2 * this.#kept.length;
      const room = Math.min(this.#keepBytes, Math.max(needed, expected));
      const grown = new Uint8Array(room);
      grown.set(this.#kept.subarray(0, this.#keptBytes));
      this.#kept = grown;
    }
    bytes.copy(this.#kept, this.#keptBytes, at, at + wanted);
    this.#keptBytes = needed;
  }

  /** RFC 9112 7.1: the line before a chunk, the line end after it, and the trailer fields after the last. */
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

function protocol(detail: string): ResponseFault {
  return { kind: "protocol", detail };
}

function isName(name: string, wanted: string): boolean {
  return name === wanted || name.toLowerCase() === wanted;
}

/** RFC 9110 5.3: a repeated field is one list. */
function listed(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before},${value}`;
}

/** Null for anything but one number, which may be repeated. */
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
