// Values out of OpenAPI 3.0 schemas: valid ones, and valid ones with something wrong done to them.

import fc, { type Arbitrary } from "fast-check";

export interface Schema {
  readonly $ref?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface SchemaWorld {
  readonly components: Readonly<Record<string, Schema>>;
  /** Members whose values mean something a schema cannot say. */
  readonly byName: Readonly<Record<string, Arbitrary<unknown>>>;
}

export function valid(world: SchemaWorld, schema: Schema, name = ""): Arbitrary<unknown> {
  const plain = notNull(world, schema, name);
  return schema.nullable
    ? fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: fc.constant(null) })
    : plain;
}

function notNull(world: SchemaWorld, schema: Schema, name: string): Arbitrary<unknown> {
  const known = world.byName[name];
  if (known && schema.type !== "array") return known;
  if (schema.$ref !== undefined) return valid(world, resolve(world, schema.$ref), name);
  const parts = schema.anyOf ?? schema.allOf;
  if (parts) return fc.oneof(...parts.map((part) => valid(world, part, name)));
  if (schema.enum) return fc.constantFrom(...schema.enum).chain((value) => fc.constantFrom(value, oddCase(value)));
  switch (schema.type) {
    case "string":
      return text(schema);
    case "integer":
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 1000),
      );
    case "number":
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array": {
      const maxLength = Math.min(schema.maxItems ?? 5, 5);
      return fc.array(valid(world, schema.items ?? {}, name), { minLength: schema.minItems ?? 0, maxLength });
    }
    case "object":
      return members(world, schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

export function resolve(world: Pick<SchemaWorld, "components">, ref: string): Schema {
  const found = world.components[ref.replace("#/components/schemas/", "")];
  if (!found) throw new Error(`the document refers to ${ref}, which is not in it`);
  return found;
}

function members(world: SchemaWorld, schema: Schema): Arbitrary<unknown> {
  const entries = Object.entries(schema.properties ?? {});
  const shape = Object.fromEntries(entries.map(([name, member]) => [name, valid(world, member, name)]));
  return fc.record(shape, { requiredKeys: [...(schema.required ?? [])] });
}

function text(schema: Schema): Arbitrary<string> {
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.min(schema.maxLength ?? 40, 300);
  if (schema.format === "date-time") {
    const bounds = {
      min: new Date("2000-01-01T00:00:00Z"),
      max: new Date("2100-01-01T00:00:00Z"),
      noInvalidDate: true,
    };
    return fc.date(bounds).map((date) => date.toISOString());
  }
  // What fast-check cannot read: any text without control characters.
  if (schema.pattern === "^\\P{Cc}*$") return printable(Math.max(1, minLength), maxLength);
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern), { size: "medium" });
  return printable(minLength, maxLength);
}

function printable(minLength: number, maxLength: number): Arbitrary<string> {
  return fc
    .string({ minLength, maxLength, unit: "grapheme" })
    .filter((value) => value.length >= minLength && value.length <= maxLength && /^\P{Cc}*$/u.test(value));
}

function oddCase(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value;
}

/** What no field wants. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    "\u0000",
    "\ud800",
    "a\nb",
    "\u202e",
    "null",
    "-1",
    "1e999",
    "'; drop table accounts; --",
    "{{7*7}}",
    "../../etc/passwd",
    "%00",
    "%s%n",
    "x".repeat(5000),
    -1,
    0,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e300,
    true,
    [],
    {},
    [[[[]]]],
    [null],
    "9".repeat(19),
    "2026-02-30T25:61:61Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "+1",
  ),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A valid value with one thing done to it. */
export function spoiled(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(), hostileValue, fc.constantFrom("replace", "remove", "add", "recase", "whole"))
    .map(spoil);
}

function spoil([value, pick, hostile, how]: [unknown, number, unknown, string]): unknown {
  if (how === "whole" || value === null || typeof value !== "object") return hostile;
  if (Array.isArray(value)) return value.length === 0 ? [hostile] : value.with(pick % value.length, hostile);
  const entries = Object.entries(value);
  const at = entries.length === 0 ? -1 : pick % entries.length;
  const [name = "", member] = entries[at] ?? [];
  if (how === "add" || at < 0)
    entries.push([typeof hostile === "string" ? hostile.slice(0, 100) : "__proto__", hostile]);
  else if (how === "remove") entries.splice(at, 1);
  else if (how === "recase") entries.push([name.toUpperCase(), member]);
  else entries[at] = [name, pick % 3 === 0 ? spoil([member, pick >> 2, hostile, how]) : hostile];
  return Object.fromEntries(entries);
}
