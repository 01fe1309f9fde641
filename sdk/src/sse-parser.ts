// Parses server-sent events from chunks of bytes (https://html.spec.whatwg.org/multipage/server-sent-events.html).
//
// Guarantees: never throws, and holds no more than one message, of bounded length. A message beyond the bound breaks
// the stream: nothing after it is read.

export interface SseMessage {
  /** The id of this message or, when it has none, of the one before. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

export const MESSAGE_LENGTH_MAX = 4 * 1024 * 1024;

export class SseParser {
  readonly #lengthMax: number;
  readonly #decoder = new TextDecoder();
  #line = "";
  #endedWithReturn = false;
  #isBroken = false;
  #id = "";
  #type = "";
  #data: string[] = [];
  #dataLength = 0;

  constructor(lengthMax = MESSAGE_LENGTH_MAX) {
    this.#lengthMax = lengthMax;
  }

  /** A message was longer than allowed. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Every message that these bytes complete. */
  feed(bytes: Uint8Array): readonly SseMessage[] {
    const messages: SseMessage[] = [];
    const text = this.#decoder.decode(bytes, { stream: true });
    let at = 0;
    // A line may end in CR LF, and the two may arrive in different chunks.
    if (this.#endedWithReturn && text.startsWith("\n")) at = 1;
    if (text !== "") this.#endedWithReturn = false;
    while (!this.#isBroken && at < text.length) {
      const end = endOfLine(text, at);
      this.#line += text.slice(at, end);
      if (this.#line.length + this.#dataLength > this.#lengthMax) this.#break();
      if (end === text.length) break;
      at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
      this.#endedWithReturn = at === text.length && text[end] === "\r" && end + 1 === at;
      const message = this.#take(this.#line);
      if (message) messages.push(message);
      this.#line = "";
    }
    return messages;
  }

  #take(line: string): SseMessage | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") {
      this.#data.push(value);
      this.#dataLength += value.length + 1;
    } else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\u0000")) this.#id = value;
    return undefined;
  }

  #dispatch(): SseMessage | undefined {
    const [data, type] = [this.#data, this.#type];
    this.#data = [];
    this.#dataLength = 0;
    this.#type = "";
    return data.length === 0 ? undefined : { id: this.#id, type: type || "message", data: data.join("\n") };
  }

  #break(): void {
    this.#isBroken = true;
    this.#line = "";
    this.#data = [];
  }
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}
