// From what a stranger sent to what a handler may trust: the one reader of parameters, queries and bodies. It is compiled from the
// schema that the OpenAPI document is generated from, so what is documented is what is accepted.
//
// Guarantees: names of members and enum values are matched without regard to case; query and form values are text and become what the
// schema wants; every fault is reported under its path, not the first alone, and a bounded number of them. What has no fault is read
// all the same, so that a handler may judge the rest. Rules over several members see what could be read of them.

import { z } from "zod";
import type { Readable } from "../../../base/readable.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import type { FieldErrors } from "../../../domain/problems.ts";
import { splitList } from "./text-list.ts";

/** `text`: values are written as text, or have types already (path, query, form). `json`: values have types. */
export type Form = "text" | "json";

export interface Fault {
  /** As in `phones[0].number`; `$` is the whole. */
  readonly path: string;
  /** The name of a broken rule is the schema library's. */
  readonly kind: "missing" | "unknown" | "twice" | z.core.$ZodIssue["code"];
  readonly message: string;
  /** What was given there, which is never told. */
  readonly given?: unknown;
}

export interface Reading<Value> {
  readonly value: Readable<Value>;
  readonly faults: readonly Fault[];
}

/** Other ways to write an object's members. */
export interface Spelling {
  /** In lower case → the member's name. */
  readonly aliases: ReadonlyMap<string, string>;
  /** What is said of a name that is not known; by name in lower case. */
  readonly hints: ReadonlyMap<string, string>;
  /** Members that count as not given when they are blank, as forms write them. */
  readonly blankIsAbsent: ReadonlySet<string>;
}

const UNKNOWN_NAMES_MAX = 20;
const FAULTS_MAX = 250;

export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  form: Form,
): Result<z.output<Schema>, FieldErrors> {
  const { value, faults } = readAsFar(schema, raw, form);
  return faults.length === 0 ? ok(value as z.output<Schema>) : refused(errorsOf(faults));
}

/** Reads as far as there is no fault. */
export function readAsFar<Schema extends z.ZodType>(
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
  /** What is read where nothing is given. */
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
  const byName = new Map(members.flatMap((member) => [member.name, member.name.toLowerCase()].map((n) => [n, member])));
  const needed = members.filter(({ isOptional, absent }) => !isOptional || absent !== undefined);
  const advice = `This is not known here. Known are: ${members.map(({ name }) => name).join(", ")}.`;
  const own = ownRules(schema);
  return (given, path, session) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      tellIssues(schema, given ?? null, path, session);
      return undefined;
    }
    const read: Record<string, unknown> = {};
    for (const name in given) {
      if (!Object.hasOwn(given, name)) continue;
      const member = byName.get(name) ?? otherwiseNamed(byName, name, session);
      if (member) readMember(member, (given as Record<string, unknown>)[name], path, read, session);
      else tellUnknown(name, path, advice, session);
    }
    for (const member of needed) {
      if (Object.hasOwn(read, member.name)) continue;
      if (member.isOptional) read[member.name] = member.absent;
      else tellIssues(member.schema, undefined, join(path, member.name), session);
    }
    if (own && run(own, read).issues.length > 0) tellIssues(own, read, path, session);
    return read;
  };
}

/** The rules of a list or an object itself, without those of what it holds. */
function ownRules({ def: { checks = [] } }: z.ZodObject | z.ZodArray): z.ZodType | undefined {
  return checks.length > 0 ? z.unknown().check(...(checks as z.core.$ZodCheck<unknown>[])) : undefined;
}

function otherwiseNamed(byName: ReadonlyMap<string, Member>, name: string, { spelling }: Session): Member | undefined {
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
  const { name } = member;
  if (given === undefined || (given === null && !member.isNullable && !member.isOptional)) return;
  if (Object.hasOwn(read, name)) {
    tell(session, join(path, name), "twice", GIVEN_TWICE);
  } else if (given === null && member.isNullable) {
    read[name] = null;
  } else if (!(typeof given === "string" && session.spelling?.blankIsAbsent.has(name) && given.trim() === "")) {
    read[name] = member.read(given, join(path, name), session);
  }
}

function listReader(schema: z.ZodArray, form: Form): Read {
  const element = memberOf(schema.def.element as z.ZodType, form);
  const own = ownRules(schema);
  return (given, path, session) => {
    const items = form === "text" ? splitList(given) : given;
    if (!Array.isArray(items)) {
      tellIssues(schema, given, path, session);
      return undefined;
    }
    if (own && run(own, items).issues.length > 0) tellIssues(own, items, path, session);
    return items.map((item, at) => element.read(item, `${path}[${at}]`, session));
  };
}

function leafReader(schema: z.ZodType, form: Form): Read {
  const spelled = speller(schema, form);
  return (given, path, session) => {
    if (form === "text" && Array.isArray(given)) {
      tell(session, path, "invalid_type", GIVEN_TWICE);
      return undefined;
    }
    const value = spelled ? spelled(given) : given;
    const { issues, value: read } = run(schema, value);
    if (issues.length === 0) return read;
    tellIssues(schema, value, path, session);
    return undefined;
  };
}

/** Without the words that only faults need. */
function run(schema: z.ZodType, value: unknown): z.core.ParsePayload {
  return schema._zod.run({ value, issues: [] }, SYNCHRONOUS) as z.core.ParsePayload;
}

const SYNCHRONOUS = { async: false };
const GIVEN_TWICE = "This is given more than once.";

/** The value that a text means, where the schema wants something else than text. */
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

function tell({ faults }: Session, path: string, kind: Fault["kind"], message: string, given?: unknown): void {
  if (faults.length < FAULTS_MAX) faults.push({ path, kind, message, given });
}

function tellUnknown(name: string, path: string, advice: string, session: Session): void {
  session.unknownCount += 1;
  if (session.unknownCount > UNKNOWN_NAMES_MAX) return;
  const hint = session.spelling?.hints.get(name.toLowerCase());
  tell(session, join(path, name.slice(0, 64).toWellFormed()), "unknown", hint ?? advice);
}

/** Of several faults in one place the first is told. */
function tellIssues(schema: z.ZodType, value: unknown, path: string, session: Session): void {
  const { error } = schema.safeParse(value, { error: sayIssue });
  const places = new Set<string>();
  for (const { path: within, code, message } of error?.issues ?? []) {
    let place = path;
    for (const step of within) place = typeof step === "number" ? `${place}[${step}]` : join(place, String(step));
    if (places.has(place)) continue;
    places.add(place);
    const isOtherType = code === "invalid_value" && typeof value !== "string";
    const kind = value === undefined ? "missing" : isOtherType ? "invalid_type" : code;
    tell(session, place === "" ? "$" : place, kind, message.endsWith(".") ? message : `${message}.`, value);
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "Text is expected.",
  int: "A whole number is expected.",
  number: "A number is expected.",
  boolean: "true or false is expected.",
  array: "A list is expected.",
  object: "An object is expected.",
};

/** Said where the schema has no words of its own. */
function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "This is required." : EXPECTED[issue.expected];
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
