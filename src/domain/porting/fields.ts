// Members of a stranger's JSON object, read by name without regard to case. What is missing, unknown or unfit becomes a fault under its
// path and reading goes on, so that all faults are told together; what is read instead of it never gets out, because whoever has faults
// refuses.

import type { FieldErrors } from "../problems.ts";

const PATHS_MAX = 250;
const NAME_SHOWN_MAX = 64;

export class Faults {
  readonly #byPath = new Map<string, string[]>();

  add(path: string, message: string): void {
    const known = this.#byPath.get(path);
    if (known) known.push(message);
    else if (this.#byPath.size < PATHS_MAX) this.#byPath.set(path, [message]);
  }

  addAll(errors: FieldErrors): void {
    for (const [path, messages] of Object.entries(errors)) for (const message of messages) this.add(path, message);
  }

  get isEmpty(): boolean {
    return this.#byPath.size === 0;
  }

  toErrors(): FieldErrors {
    return Object.fromEntries(this.#byPath);
  }
}

export interface TextRule {
  readonly lengthMax: number;
  readonly pattern?: RegExp;
  /** Said when the pattern does not fit. */
  readonly says?: string;
}

export class Fields {
  readonly #faults: Faults;
  readonly #path: string;
  readonly #members = new Map<string, unknown>();
  /** Of what is none, that has been told, and its members are not missed. */
  readonly isObject: boolean;

  constructor(value: unknown, path: string, names: readonly string[], faults: Faults) {
    this.#faults = faults;
    this.#path = path;
    this.isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!this.isObject) {
      faults.add(path === "" ? "$" : path, "An object is expected.");
      return;
    }
    const canonical = new Map(names.map((name) => [name.toLowerCase(), name]));
    for (const [given, member] of Object.entries(value as object)) {
      const name = canonical.get(given.toLowerCase());
      const place = this.pathOf(name ?? given.slice(0, NAME_SHOWN_MAX).toWellFormed());
      if (name === undefined) faults.add(place, `This is not known here. Known are: ${names.join(", ")}.`);
      else if (this.#members.has(name)) faults.add(place, "This is given more than once.");
      else this.#members.set(name, member);
    }
  }

  pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }

  /** Null counts as not given. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  raw(name: string): unknown {
    return this.#members.get(name) ?? undefined;
  }

  fault(name: string, message: string): void {
    this.#faults.add(this.pathOf(name), message);
  }

  /** Says so where it is missing. */
  required(name: string): boolean {
    if (this.has(name)) return true;
    if (this.isObject) this.fault(name, "This is required.");
    return false;
  }

  /** Of one that is missing, that alone is told. */
  object(name: string, names: readonly string[]): Fields {
    const value = this.required(name) ? this.raw(name) : undefined;
    const faults = this.has(name) ? this.#faults : new Faults();
    return new Fields(value, this.pathOf(name), names, faults);
  }

  text(name: string, rule: TextRule): string {
    return this.required(name) ? this.#readText(name, rule) : "";
  }

  optionalText(name: string, rule: TextRule): string | null {
    return this.has(name) ? this.#readText(name, rule) : null;
  }

  oneOf<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    if (!this.required(name)) return words[0];
    const given = this.raw(name);
    const wanted = typeof given === "string" ? given.toLowerCase() : undefined;
    const change = words.find((candidate) => candidate.toLowerCase() === wanted);
    if (change === undefined) this.fault(name, `One of these is allowed: ${words.join(", ")}.`);
    return change ?? words[0];
  }

  #readText(name: string, rule: TextRule): string {
    const given = this.raw(name);
    if (typeof given !== "string") {
      this.fault(name, "Text is expected.");
      return "";
    }
    const fault = faultOfText(given, rule);
    if (fault !== undefined) this.fault(name, fault);
    return given.trim();
  }
}

function faultOfText(given: string, { lengthMax, pattern, says }: TextRule): string | undefined {
  if (given.length > lengthMax) return `At most ${lengthMax} characters are allowed.`;
  if (!given.isWellFormed()) return "This is not well-formed Unicode.";
  if (/\p{Cc}/u.test(given)) return "Control characters are not allowed.";
  if (given.trim() === "") return "This is empty.";
  return pattern && !pattern.test(given.trim()) ? says : undefined;
}
