// Splits a stream into messages by Content-Length (RFC 3261 18.3). Total and bounded: a header or body that is too
// long, or a length that cannot be read, is a fault, after which the stream must be closed.

export interface Framed {
  readonly messages: readonly string[];
  /** RFC 5626 3.5.1: how many keep-alive pings must be answered. */
  readonly pings: number;
  readonly fault: string | undefined;
}

export const HEADER_OCTETS_MAX = 64 * 1024;
export const BODY_OCTETS_MAX = 64 * 1024;

const LENGTH = /^(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gim;

export class Framer {
  #pending = "";
  #scanned = 0;
  #fault: string | undefined;

  /** `chunk` is a string of octets. */
  push(chunk: string): Framed {
    const messages: string[] = [];
    let pings = 0;
    if (this.#fault === undefined) this.#pending += chunk;
    while (this.#fault === undefined && this.#pending !== "") {
      const skipped = this.#skipLineBreaks();
      pings += skipped;
      const message = this.#next();
      if (message === undefined) break;
      messages.push(message);
    }
    return { messages, pings, fault: this.#fault };
  }

  /** Two line breaks are a ping; a single one is a pong and is ignored. */
  #skipLineBreaks(): number {
    const match = /^(?:\r\n|\n)+/.exec(this.#pending);
    if (!match) return 0;
    this.#pending = this.#pending.slice(match[0].length);
    this.#scanned = 0;
    return match[0].length >= 4 ? 1 : 0;
  }

  #next(): string | undefined {
    const end = this.#endOfHeader();
    if (end === -1) {
      if (this.#pending.length > HEADER_OCTETS_MAX) this.#fault = "the header is too long";
      this.#scanned = Math.max(0, this.#pending.length - 3);
      return undefined;
    }
    const length = end > HEADER_OCTETS_MAX ? undefined : lengthIn(this.#pending.slice(0, end));
    if (length === undefined || length > BODY_OCTETS_MAX) {
      this.#fault = end > HEADER_OCTETS_MAX ? "the header is too long" : "the length of the body cannot be used";
      return undefined;
    }
    if (this.#pending.length < end + length) {
      this.#scanned = Math.max(0, end - 4);
      return undefined;
    }
    const message = this.#pending.slice(0, end + length);
    this.#pending = this.#pending.slice(end + length);
    this.#scanned = 0;
    return message;
  }

  /** The index after the empty line; -1 when it has not arrived yet. */
  #endOfHeader(): number {
    for (let at = this.#pending.indexOf("\n", this.#scanned); at !== -1; at = this.#pending.indexOf("\n", at + 1)) {
      if (this.#pending[at + 1] === "\n") return at + 2;
      if (this.#pending[at + 1] === "\r" && this.#pending[at + 2] === "\n") return at + 3;
    }
    return -1;
  }
}

/** Without the field there is no body; two fields, or a value that is not a number, are a fault. */
function lengthIn(header: string): number | undefined {
  LENGTH.lastIndex = 0;
  const first = LENGTH.exec(header);
  if (!first) return 0;
  const value = (first[1] ?? "").trim();
  if (LENGTH.exec(header) || !/^\d{1,9}$/.test(value)) return undefined;
  return Number(value);
}
