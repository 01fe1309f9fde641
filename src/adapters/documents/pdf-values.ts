// Values of a PDF's syntax (ISO 32000-1, 7.3), read from text in which a character is a byte. Any text gives values; what is not
// understood is null. Text strings are passed over: nothing here asks for them.
//
// Bounded by depth and by a budget of values that all readers of one file share.

export type PdfValue = number | null | string | PdfRef | readonly PdfValue[] | PdfDict;
/** Names are kept with their slash. */
export type PdfDict = ReadonlyMap<string, PdfValue>;

export class PdfRef {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

export class TooManyValues extends Error {}

export interface ValueBudget {
  left: number;
}

const DEPTH_MAX = 50;
const NAME_LENGTH_MAX = 200;
const PERCENT = 0x25;
const LINE_END = /[\r\n]/g;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)/y;
const REFERENCE = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y;
const HEX_STRING = /<[^>]*>?/y;
const WORD = /[^\0\t\n\f\r ()<>[\]{}/%]+/y;

export class PdfReader {
  at: number;
  readonly text: string;
  readonly #budget: ValueBudget;

  constructor(text: string, at: number, budget: ValueBudget) {
    this.text = text;
    this.at = at;
    this.#budget = budget;
  }

  /** White space and comments. */
  skipBlank(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === PERCENT) this.at = this.#endOfLine();
      else if (!isBlank(code)) return;
    }
  }

  #endOfLine(): number {
    LINE_END.lastIndex = this.at;
    return LINE_END.exec(this.text)?.index ?? this.text.length;
  }

  value(depth = 0): PdfValue {
    this.#budget.left -= 1;
    if (this.#budget.left < 0) throw new TooManyValues();
    this.skipBlank();
    const first = this.text[this.at];
    if (this.text.startsWith("<<", this.at)) return this.#dict(depth);
    if (first === "[") return this.#array(depth);
    if (first === "/") return this.#take(NAME)?.[0].slice(0, NAME_LENGTH_MAX) ?? null;
    if (first === "(") return this.#skipString();
    if (first === "<") return this.#skip(HEX_STRING);
    const reference = this.#take(REFERENCE);
    if (reference) return new PdfRef(Number(reference[1]));
    const number = this.#take(NUMBER);
    if (number) return Number(number[0]);
    if (!this.#take(WORD)) this.at += 1;
    return null;
  }

  #dict(depth: number): PdfDict {
    const dict = new Map<string, PdfValue>();
    this.at += 2;
    while (this.#goesOn(">>", depth)) {
      const name = this.value(depth + 1);
      // A value where a name should be is passed over.
      if (typeof name !== "string" || !this.#goesOn(">>", depth)) continue;
      dict.set(name, this.value(depth + 1));
    }
    this.#end(">>");
    return dict;
  }

  #array(depth: number): readonly PdfValue[] {
    const items: PdfValue[] = [];
    this.at += 1;
    while (this.#goesOn("]", depth)) items.push(this.value(depth + 1));
    this.#end("]");
    return items;
  }

  #goesOn(end: string, depth: number): boolean {
    this.skipBlank();
    return depth < DEPTH_MAX && this.at < this.text.length && !this.text.startsWith(end, this.at);
  }

  #end(end: string): void {
    if (this.text.startsWith(end, this.at)) this.at += end.length;
  }

  #skip(pattern: RegExp): null {
    this.#take(pattern);
    return null;
  }

  /** 7.3.4.2: parentheses inside are balanced or escaped. */
  #skipString(): null {
    let open = 0;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at];
      if (char === "\\") this.at += 1;
      else if (char === "(") open += 1;
      else if (char === ")" && --open === 0) break;
    }
    this.at += 1;
    return null;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x0c || code === 0x00;
}
