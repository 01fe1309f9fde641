// Parses an HTTP/1.1 response (RFC 9112) from a connection's bytes, however they are split. Never throws, and bounded:
// any bytes give a response, a request for more, or a fault. Holds only the head and the part of the body to keep.
//
// response-head.ts reads the head, and is strict. A body that cannot be parsed to its end, or is longer than the limit,
// is `cut`; its status is still valid.

import { NOT_HTTP, protocol, type ResponseFault, type ResponseHead, readHead } from "./response-head.ts";

/** `done`: the response is complete. `cut`: the rest of it is not read. `more`: more bytes are needed. */
export type ReadResult = "more" | "done" | "cut" | ResponseFault;

const HEAD_BYTES_MAX = 16 * 1024;
/** 1xx responses may precede the final one. */
const INTERIM_ANSWERS_MAX = 16;
const CHUNK_LINE_BYTES_MAX = 1024;
const NOTHING = new Uint8Array();
/** Most answers are a few bytes, and `copy` makes a view of them first. */
const COPIED_BY_HAND_MAX = 64;

/** The part that is read next: `length` is a body of known length, `close` one that ends with the connection. */
type Part = "head" | "length" | "close" | "chunk-line" | "chunk-data" | "chunk-end" | "trailer" | "over";

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

  #takeHead(text: string): ResponseFault | undefined {
    const head = readHead(text);
    if (head.kind === "interim") {
      this.#interimAnswers += 1;
      return this.#interimAnswers > INTERIM_ANSWERS_MAX
        ? protocol("There were interim answers without end.")
        : undefined;
    }
    if (head.kind !== "final") return head;
    this.head = text;
    this.status = head.status;
    this.contentType = head.contentType;
    this.retryAfter = head.retryAfter;
    this.isReusable = head.isReusable;
    this.keepAliveMs = head.keepAliveMs;
    this.#left = head.length;
    this.#part = firstPart(head);
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
    if (wanted > COPIED_BY_HAND_MAX) bytes.copy(this.#kept, this.#keptBytes, at, at + wanted);
    else for (let n = 0; n < wanted; n++) this.#kept[this.#keptBytes + n] = bytes[at + n] as number;
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

function firstPart({ bodyEnd, length }: ResponseHead): Part {
  if (bodyEnd === "chunks") return "chunk-line";
  if (bodyEnd === "close") return "close";
  return length === 0 ? "over" : "length";
}
