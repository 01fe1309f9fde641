// Parses the values of PDF syntax (ISO 32000-1, 7.3). Any bytes give values; what is not understood becomes null.
// Strings are skipped, because no caller needs them.
//
// Bounded by depth and by a budget that all readers of one file share: every value and every byte is charged each time
// it is read. The reader yields to the event loop between values and within long ones.

import { BYTES_PER_SLICE, type WorkBudget } from "./work-budget.ts";

export type PdfValue = number | null | string | PdfRef | readonly PdfValue[] | PdfDict;
/** Names include their slash. */
export type PdfDict = ReadonlyMap<string, PdfValue>;

export class PdfRef {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

const DEPTH_MAX = 50;
const NAME_LENGTH_MAX = 200;
const [PERCENT, OPEN, CLOSE, BACKSLASH, GREATER, LF, CR] = [0x25, 0x28, 0x29, 0x5c, 0x3e, 0x0a, 0x0d];
/** Enough for both patterns. */
const HEAD_LENGTH = 64;
const REFERENCE = /^(\d{1,10})[\0\t\n\f\r ]{1,20}\d{1,5}[\0\t\n\f\r ]{1,20}R(?![^\0\t\n\f\r ()<>[\]{}/%])/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)/;

export class PdfReader {
  at: number;
  readonly #bytes: Buffer;
  readonly #budget: WorkBudget;

  constructor(bytes: Buffer, at: number, budget: WorkBudget) {
    this.#bytes = bytes;
    this.at = at;
    this.#budget = budget;
  }

  async value(): Promise<PdfValue> {
    await this.skipBlank();
    if (this.#budget.isSliceOver) await this.#budget.nextSlice();
    return this.#value(0);
  }

  /** White space and comments. */
  skipBlank(): Promise<void> | undefined {
    let isComment = false;
    return this.#skipWhile((byte) => {
      isComment = isComment ? byte !== LF && byte !== CR : byte === PERCENT;
      return isComment || isBlank(byte);
    });
  }

  #value(depth: number): PdfValue | Promise<PdfValue> {
    this.#budget.takePart();
    if (this.#isAt("<<")) return this.#dict(depth);
    if (this.#isAt("[")) return this.#array(depth);
    if (this.#isAt("/")) return this.#name();
    if (this.#isAt("(")) return this.#skipString();
    if (this.#isAt("<")) return this.#skipHexString();
    return this.#number() ?? this.#skipWord();
  }

  async #dict(depth: number): Promise<PdfDict> {
    const dict = new Map<string, PdfValue>();
    this.at += 2;
    while (await this.#goesOn(">>", depth)) {
      const name = await this.#value(depth + 1);
      // A value in place of a name is skipped.
      if (typeof name !== "string" || !(await this.#goesOn(">>", depth))) continue;
      dict.set(name, await this.#value(depth + 1));
    }
    this.#end(">>");
    return dict;
  }

  async #array(depth: number): Promise<readonly PdfValue[]> {
    const items: PdfValue[] = [];
    this.at += 1;
    while (await this.#goesOn("]", depth)) items.push(await this.#value(depth + 1));
    this.#end("]");
    return items;
  }

  async #goesOn(end: string, depth: number): Promise<boolean> {
    const blank = this.skipBlank();
    if (blank) await blank;
    if (this.#budget.isSliceOver) await this.#budget.nextSlice();
    return depth < DEPTH_MAX && this.at < this.#bytes.length && !this.#isAt(end);
  }

  #end(end: string): void {
    if (this.#isAt(end)) this.at += end.length;
  }

  async #name(): Promise<string> {
    const start = this.at;
    this.at += 1;
    await this.#skipWhile(isRegular);
    return this.#bytes.toString("latin1", start, Math.min(this.at, start + NAME_LENGTH_MAX));
  }

  #number(): number | PdfRef | undefined {
    const head = this.#bytes.toString("latin1", this.at, this.at + HEAD_LENGTH);
    const reference = REFERENCE.exec(head);
    const taken = reference ?? NUMBER.exec(head);
    if (!taken) return undefined;
    this.at += taken[0].length;
    return reference ? new PdfRef(Number(reference[1])) : Number(taken[0]);
  }

  async #skipWord(): Promise<null> {
    const start = this.at;
    await this.#skipWhile(isRegular);
    if (this.at === start) this.at += 1;
    return null;
  }

  /** 7.3.4.2: parentheses inside are balanced or escaped. */
  async #skipString(): Promise<null> {
    let open = 0;
    let isEscaped = false;
    await this.#skipWhile((byte) => {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === OPEN) open += 1;
      else if (byte === CLOSE) open -= 1;
      return open > 0;
    });
    this.at += 1;
    return null;
  }

  async #skipHexString(): Promise<null> {
    await this.#skipWhile((byte) => byte !== GREATER);
    this.at += 1;
    return null;
  }

  /** Calls `isPart` for each byte once, in order. Returns undefined for a short part, as nearly all are. */
  #skipWhile(isPart: (byte: number) => boolean): Promise<void> | undefined {
    return this.#skipStep(isPart) ? undefined : this.#skipOn(isPart);
  }

  async #skipOn(isPart: (byte: number) => boolean): Promise<void> {
    do {
      await this.#budget.nextSlice();
    } while (!this.#skipStep(isPart));
  }

  /** True when the part has ended. */
  #skipStep(isPart: (byte: number) => boolean): boolean {
    const start = this.at;
    const end = Math.min(start + BYTES_PER_SLICE, this.#bytes.length);
    this.at = endOfPart(this.#bytes, start, end, isPart);
    this.#budget.takeBytes(this.at - start);
    return this.at < end || end === this.#bytes.length;
  }

  #isAt(word: string): boolean {
    for (let index = 0; index < word.length; index++) {
      if (this.#bytes[this.at + index] !== word.charCodeAt(index)) return false;
    }
    return true;
  }
}

function endOfPart(bytes: Buffer, start: number, end: number, isPart: (byte: number) => boolean): number {
  let at = start;
  while (at < end && isPart(bytes[at] as number)) at += 1;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LF || byte === CR || byte === 0x09 || byte === 0x0c || byte === 0x00;
}

const DELIMITERS = Buffer.from("()<>[]{}/%");
const REGULAR = Array.from({ length: 256 }, (_, byte) => !isBlank(byte) && !DELIMITERS.includes(byte));

function isRegular(byte: number): boolean {
  return REGULAR[byte] === true;
}
