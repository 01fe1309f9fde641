// Reads and validates parameters, queries and bodies. The reader is compiled from the schema that the OpenAPI document
// is generated from, so what is documented is what is accepted.
//
// Guarantees: names of members and enum values are matched in any case; query and form values are text, and are
// converted to the type of the schema; all faults are reported, each under its path, up to a bounded number. Members
// without faults are read even if others have some, so that a handler can check them. Rules over several members see
// those that could be read. Values and faults come in the order of the schema, whatever the order of the input. Of a
// list that is too long, only as many items as are allowed are read, and only its length is reported.

import { z } from "zod";
import type { Readable } from "../../../base/readable.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import { tableOf } from "../../../base/table.ts";
import { ERRORS_MAX, type FieldErrors } from "../../../domain/problems.ts";
import { splitList } from "./text-list.ts";

/** `text`: values are written as text, or have types already (path, query, form). `json`: values have types. */
export type Form = "text" | "json";

export interface Fault {
  /** As in `phones[0].number`; `$` is the whole input. */
  readonly path: string;
  /** One of ours, or the schema library's code of the broken rule. */
  readonly kind: "missing" | "unknown" | "twice" | z.core.$ZodIssue["code"];
  readonly message: string;
  /** The given value; it is never shown. */
  readonly given?: unknown;
}

export interface Reading<Value> {
  readonly value: Readable<Value>;
  readonly faults: readonly Fault[];
}

/** Other ways to write an object's members. */
export interface Spelling {
  /** Alias in lower case → the member's name. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Unknown name in lower case → the message for it. */
  readonly hints: ReadonlyMap<string, string>;
  /** Members that count as absent when they are blank, as in forms. */
  readonly blankIsAbsent: ReadonlySet<string>;
}

const UNKNOWN_NAMES_MAX = 20;

export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  form: Form,
): Result<z.output<Schema>, FieldErrors> {
  const { value, faults } = readWithFaults(schema, raw, form);
  return faults.length === 0 ? ok(value as z.output<Schema>) : refused(errorsOf(faults));
}

/** Reads the members that have no faults, and returns the faults of the others. */
export function readWithFaults<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  form: Form,
  spelling?: Spelling,
): Reading<z.output<Schema>> {
  const session: Session = { faults: [], unknownCount: 0, spelling };
  let read = compiled[form].get(schema);
  if (!read) {
    read = memberOf(schema, form).read;
    compiled[form].set(schema, read);
  }
  return { value: read(raw, "", session) as Readable<z.output<Schema>>, faults: session.faults };
}

export function errorsOf(faults: readonly Fault[]): FieldErrors {
  const byPath = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const known = byPath.get(path);
    if (known) known.push(message);
    else byPath.set(path, [message]);
  }
  return Object.fromEntries(byPath);
}

const compiled: Readonly<Record<Form, WeakMap<z.ZodType, Read>>> = { text: new WeakMap(), json: new WeakMap() };

interface Session {
  readonly faults: Fault[];
  unknownCount: number;
  readonly spelling: Spelling | undefined;
}

type Read = (given: unknown, path: string, session: Session) => unknown;

interface Member {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly read: Read;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
  /** The value when none is given. */
  readonly absent: unknown;
}

function memberOf(schema: z.ZodType, form: Form, name = ""): Member {
  let inner = schema;
  let isNullable = false;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    isNullable ||= inner instanceof z.ZodNullable;
    inner = inner.def.innerType as z.ZodType;
  }
  const { success: isOptional, data: absent } = schema.safeParse(undefined);
  return { name, schema, read: readerOf(inner, form), isNullable, isOptional, absent };
}

function readerOf(schema: z.ZodType, form: Form): Read {
  if (schema instanceof z.ZodObject) return objectReader(schema, form);
  if (schema instanceof z.ZodArray) return listReader(schema, form);
  return leafReader(schema, form);
}

function objectReader(schema: z.ZodObject, form: Form): Read {
  const members = Object.entries(schema.shape).map(([name, member]) => memberOf(member as z.ZodType, form, name));
  const byName = new Map(members.flatMap(({ name }, at) => [name, name.toLowerCase()].map((n) => [n, at])));
  const isNeeded = members.map(({ isOptional, absent }) => !isOptional || absent !== undefined);
  const advice = `This is not known here. Known are: ${members.map(({ name }) => name).join(", ")}.`;
  const own = ownRules(schema);
  return (given, path, session) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      addIssues(schema, given ?? null, path, session);
      return undefined;
    }
    const values: unknown[] = new Array(members.length);
    for (const name in given) {
      if (!Object.hasOwn(given, name)) continue;
      const at = byName.get(name) ?? findByAlias(byName, name, session);
      if (at === undefined) addUnknown(name, path, advice, session);
      else if (values[at] === undefined) values[at] = (given as Record<string, unknown>)[name];
      else addFault(session, join(path, members[at]?.name ?? name), "twice", GIVEN_TWICE);
    }
    const read: Record<string, unknown> = {};
    for (let at = 0; at < values.length; at++) {
      if (values[at] !== undefined || isNeeded[at]) {
        readMember(members[at] as Member, values[at], path, read, session);
      }
    }
    if (own && run(own, read).issues.length > 0) addIssues(own, read, path, session);
    return read;
  };
}

/** The rules of the list or object itself, without those of its members. */
function ownRules({ def: { checks = [] } }: z.ZodObject | z.ZodArray): z.ZodType | undefined {
  return checks.length > 0 ? z.unknown().check(...(checks as z.core.$ZodCheck<unknown>[])) : undefined;
}

function findByAlias(byName: ReadonlyMap<string, number>, name: string, { spelling }: Session): number | undefined {
  const lower = name.toLowerCase();
  return byName.get(spelling?.aliases.get(lower) ?? lower);
}

function readMember(
  member: Member,
  given: unknown,
  path: string,
  read: Record<string, unknown>,
  session: Session,
): void {
  const { name, isNullable, isOptional, absent } = member;
  if (isAbsent(member, given, session)) {
    if (!isOptional) addIssues(member.schema, undefined, join(path, name), session);
    else if (absent !== undefined) read[name] = absent;
  } else {
    read[name] = given === null && isNullable ? null : member.read(given, join(path, name), session);
  }
}

function isAbsent({ name }: Member, given: unknown, { spelling }: Session): boolean {
  if (typeof given === "string") return spelling?.blankIsAbsent.has(name) === true && given.trim() === "";
  return given === undefined;
}

function listReader(schema: z.ZodArray, form: Form): Read {
  const element = memberOf(schema.def.element as z.ZodType, form);
  const own = ownRules(schema);
  const rules = (schema.def.checks ?? []).map(({ _zod: { def } }) => def as z.core.$ZodCheckDef & { maximum?: number });
  const maximum = rules.find(({ check }) => check === "max_length")?.maximum;
  return (given, path, session) => {
    const items = form === "text" ? splitList(given) : given;
    if (!Array.isArray(items)) {
      addIssues(schema, given, path, session);
      return undefined;
    }
    if (own && run(own, items).issues.length > 0) addIssues(own, items, path, session);
    const allowed = items.slice(0, maximum);
    const itemSession = allowed.length < items.length ? { ...session, faults: [] } : session;
    return allowed.map((item, at) => element.read(item, `${path}[${at}]`, itemSession));
  };
}

function leafReader(schema: z.ZodType, form: Form): Read {
  const spelled = speller(schema, form);
  return (given, path, session) => {
    // A form or query repeats a field; a list in JSON may be shorter.
    if (form === "text" && Array.isArray(given) && given.length > 1) {
      addFault(session, path, "twice", GIVEN_TWICE);
      return undefined;
    }
    const value = spelled ? spelled(given) : given;
    const { issues, value: read } = run(schema, value);
    if (issues.length === 0) return read;
    addIssues(schema, value, path, session);
    return undefined;
  };
}

/** Validates without composing messages, which only faults need. */
function run(schema: z.ZodType, value: unknown): z.core.ParsePayload {
  return schema._zod.run({ value, issues: [] }, SYNCHRONOUS) as z.core.ParsePayload;
}

const SYNCHRONOUS = { async: false };
const GIVEN_TWICE = "This is given more than once.";

/** Converts text to the type of the schema; undefined where that type is text. */
function speller(schema: z.ZodType, form: Form): ((given: unknown) => unknown) | undefined {
  if (schema instanceof z.ZodEnum) {
    const options = new Map(schema.options.map((option) => [String(option).toLowerCase(), option]));
    const bare = (text: string) => (form === "text" ? text.trim() : text).toLowerCase();
    return (given) => (typeof given === "string" ? (options.get(bare(given)) ?? given) : given);
  }
  if (form === "json") return undefined;
  if (schema instanceof z.ZodNumber) {
    return (given) => (typeof given === "string" && /^-?\d{1,15}$/.test(given) ? Number(given) : given);
  }
  if (schema instanceof z.ZodUnion) {
    const [number] = schema.options.filter((option) => option instanceof z.ZodNumber);
    return number && speller(number, form);
  }
  if (schema instanceof z.ZodBoolean) {
    return (given) => (typeof given === "string" ? (FLAGS.get(given.trim().toLowerCase()) ?? given) : given);
  }
  return undefined;
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function addFault({ faults }: Session, path: string, kind: Fault["kind"], message: string, given?: unknown): void {
  if (faults.length < ERRORS_MAX) faults.push({ path, kind, message, given });
}

function addUnknown(name: string, path: string, advice: string, session: Session): void {
  session.unknownCount += 1;
  if (session.unknownCount > UNKNOWN_NAMES_MAX) return;
  const hint = session.spelling?.hints.get(name.toLowerCase());
  addFault(session, join(path, name.slice(0, 64).toWellFormed()), "unknown", hint ?? advice);
}

function addIssues(schema: z.ZodType, value: unknown, path: string, session: Session): void {
  if (session.faults.length >= ERRORS_MAX) return;
  const { error } = schema.safeParse(value, { error: issueText });
  for (const { path: within, code, message } of error?.issues ?? []) {
    let place = path;
    for (const step of within) place = typeof step === "number" ? `${place}[${step}]` : join(place, String(step));
    const isOtherType = code === "invalid_value" && typeof value !== "string";
    const kind = value === undefined ? "missing" : isOtherType ? "invalid_type" : code;
    addFault(session, place === "" ? "$" : place, kind, message.endsWith(".") ? message : `${message}.`, value);
  }
}

const EXPECTED = tableOf<string>({
  string: "Text is expected.",
  int: "A whole number is expected.",
  number: "A number is expected.",
  boolean: "true or false is expected.",
  array: "A list is expected.",
  object: "An object is expected.",
});

/** The message where the schema has none of its own. */
function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "This is required." : EXPECTED.get(issue.expected);
    case "invalid_union":
      return issue.input === undefined ? "This is required." : undefined;
    case "invalid_value":
      return issue.input === undefined ? "This is required." : `One of these is allowed: ${issue.values.join(", ")}.`;
    case "too_small":
      if (issue.origin === "string")
        return issue.input === "" ? "This is empty." : `At least ${issue.minimum} characters are expected.`;
      return `At least ${issue.minimum} is expected.`;
    case "too_big":
      if (Array.isArray(issue.input)) return `${issue.maximum} are allowed; these are ${issue.input.length}.`;
      return `At most ${issue.maximum} ${issue.origin === "string" ? "characters are" : "is"} allowed.`;
    default:
      return undefined;
  }
}
