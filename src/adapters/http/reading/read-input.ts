// From what a stranger sent to what a handler may trust. Names of members, fields and parameters, and enum values, are matched
// without regard to case; query and form values are text and become what the schema wants; every fault is reported, not the first.

import { z } from "zod";
import { ok, type Result, refused } from "../../../base/result.ts";
import type { FieldErrors } from "../../../domain/problems.ts";

/** `text`: every leaf is a string (path, query, form). `json`: leaves have types already. */
export type Form = "text" | "json";

const NAMES_REPORTED_MAX = 20;

export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  form: Form,
): Result<z.output<Schema>, FieldErrors> {
  const faults = new Map<string, string[]>();
  const folded = fold(schema, raw, form, "", faults);
  const parsed = schema.safeParse(folded);
  if (parsed.success && faults.size === 0) return ok(parsed.data);
  for (const issue of parsed.error?.issues ?? []) {
    const path = nameOf(issue.path);
    if (!faults.has(path)) addFault(faults, path, messageOf(issue));
  }
  return refused(Object.fromEntries(faults));
}

function addFault(faults: Map<string, string[]>, path: string, message: string): void {
  const known = faults.get(path);
  if (known) known.push(message);
  else if (faults.size < NAMES_REPORTED_MAX) faults.set(path, [message]);
}

function nameOf(path: readonly PropertyKey[]): string {
  let name = "";
  for (const step of path) name = typeof step === "number" ? `${name}[${step}]` : join(name, String(step));
  return name === "" ? "$" : name;
}

function join(parent: string, name: string): string {
  return parent === "" || parent === "$" ? name : `${parent}.${name}`;
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "This is required.";
  if (issue.code === "invalid_value") return `One of these is allowed: ${issue.values.map(String).join(", ")}.`;
  return issue.message.endsWith(".") ? issue.message : `${issue.message}.`;
}

function fold(schema: z.ZodType, value: unknown, form: Form, path: string, faults: Map<string, string[]>): unknown {
  if (value === undefined || value === null) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return fold(schema.def.innerType as z.ZodType, value, form, path, faults);
  }
  if (schema instanceof z.ZodObject) return foldObject(schema, value, form, path, faults);
  if (schema instanceof z.ZodArray) {
    const items = form === "text" && !Array.isArray(value) ? [value] : value;
    if (!Array.isArray(items)) return items;
    const element = schema.def.element as z.ZodType;
    return items.map((item, index) => fold(element, item, form, `${path}[${index}]`, faults));
  }
  if (form === "text" && Array.isArray(value)) {
    addFault(faults, path, "This is given more than once.");
    return value[0];
  }
  if (schema instanceof z.ZodEnum && typeof value === "string") {
    return schema.options.find((option) => String(option).toLowerCase() === value.toLowerCase()) ?? value;
  }
  if (form === "text" && typeof value === "string") return fromText(schema, value);
  return value;
}

function fromText(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema instanceof z.ZodBoolean && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

function foldObject(
  schema: z.ZodObject,
  value: unknown,
  form: Form,
  path: string,
  faults: Map<string, string[]>,
): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const canonical = canonicalNames(schema);
  const folded: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = canonical.get(given.toLowerCase());
    const place = join(path, name ?? given.slice(0, 64).toWellFormed());
    if (name === undefined) {
      addFault(faults, place, `This is not known here. Known are: ${[...canonical.values()].join(", ")}.`);
    } else if (Object.hasOwn(folded, name)) {
      addFault(faults, place, "This is given more than once.");
    } else {
      folded[name] = fold(schema.shape[name] as z.ZodType, member, form, place, faults);
    }
  }
  return folded;
}

const namesBySchema = new WeakMap<z.ZodObject, ReadonlyMap<string, string>>();

function canonicalNames(schema: z.ZodObject): ReadonlyMap<string, string> {
  let names = namesBySchema.get(schema);
  if (!names) {
    names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
    namesBySchema.set(schema, names);
  }
  return names;
}
