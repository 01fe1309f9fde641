// Values from OpenAPI 3.0 schemas: valid ones, valid ones except for one broken rule, and valid ones with one random
// fault.

import { Ajv, type AnySchema, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
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
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
}

export interface SchemaWorld {
  readonly components: Readonly<Record<string, Schema>>;
  /** Values for members whose meaning a schema cannot express, by name and, where there is one, format. */
  readonly byName: Readonly<Record<string, Arbitrary<unknown>>>;
}

export function valid(world: SchemaWorld, schema: Schema, name = ""): Arbitrary<unknown> {
  const plain = notNull(world, schema, name);
  return schema.nullable
    ? fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: fc.constant(null) })
    : plain;
}

function notNull(world: SchemaWorld, schema: Schema, name: string): Arbitrary<unknown> {
  const known = world.byName[schema.format === undefined ? name : `${name} ${schema.format}`];
  if (known && schema.type !== "array") return known;
  if (schema.$ref !== undefined) return valid(world, resolve(world, schema.$ref), name);
  if (schema.properties) return members(world, schema);
  const parts = schema.anyOf ?? schema.allOf;
  if (parts) return fc.oneof(...parts.map((part) => valid(world, part, name)));
  const words = schema.enum?.filter((word) => word !== null);
  if (words) return fc.constantFrom(...words).chain((value) => fc.constantFrom(value, oddCase(value)));
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
  const any = fc.record(shape, { requiredKeys: [...(schema.required ?? [])] });
  const together = combination(world, schema);
  return together ? any.filter(together) : any;
}

/** Rules over several members. */
function combination(world: SchemaWorld, { anyOf, oneOf, not }: Schema): ValidateFunction | undefined {
  const rules = { ...(anyOf && { anyOf }), ...(oneOf && { oneOf }), ...(not && { not }) };
  return Object.keys(rules).length > 0 ? validatorOf(world, rules) : undefined;
}

function text(schema: Schema): Arbitrary<string> {
  const { minLength = 0, maxLength, pattern } = schema;
  if (schema.format !== undefined) {
    const made = FORMATS[schema.format];
    if (!made) throw new Error(`tell the generator what ${schema.format} is`);
    return made;
  }
  const isReadable = pattern !== undefined && !/\\p\{|\(\?=/i.test(pattern);
  if (isReadable) return fc.stringMatching(new RegExp(pattern), { size: "medium" });
  // Patterns that fast-check cannot read: text without control characters, some of which the pattern accepts.
  const fits = new RegExp(pattern ?? "", "u");
  const longest = ["x", "\u{1f984}"]
    .map((character) => character.repeat(maxLength ?? 40))
    .filter((one) => fits.test(one));
  return fc.oneof(
    { weight: 9, arbitrary: printable(minLength, Math.min(maxLength ?? 40, 300)).filter((value) => fits.test(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...longest) },
  );
}

const date = fc.date({
  min: new Date("2000-01-01T00:00:00Z"),
  max: new Date("2099-12-31T00:00:00Z"),
  noInvalidDate: true,
});

const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  "date-time": date.map((day) => day.toISOString()),
  date: date.map((day) => day.toISOString().slice(0, 10)),
  "search-id": fc
    .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 })
    .map((key) => Buffer.from(`k ${key}`).toString("base64url")),
};

function printable(minLength: number, maxLength: number): Arbitrary<string> {
  return fc.string({ minLength, maxLength, unit: "grapheme" }).filter((value) => {
    const { length } = [...value];
    return length >= minLength && length <= maxLength && /^\P{Cc}*$/u.test(value);
  });
}

function oddCase(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value;
}

const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
ajv.addFormat("search-id", (value: string) =>
  /^k [\x20-\x7e]{1,200}$/.test(Buffer.from(value, "base64url").toString()),
);
ajv.addFormat("binary", true);

export function validatorOf({ components }: Pick<SchemaWorld, "components">, schema: Schema): ValidateFunction {
  return ajv.compile(withNulls(inlined(components, schema)) as AnySchema);
}

function inlined(components: SchemaWorld["components"], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(components, item));
  if (value === null || typeof value !== "object") return value;
  if ("$ref" in value) return inlined(components, resolve({ components }, String(value.$ref)));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inlined(components, member)]));
}

/** OpenAPI 3.0 has `nullable` where JSON Schema has `null`. It adds to a type only: an enum has to contain null. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (value === null || typeof value !== "object") return value;
  const { nullable, ...rest } = value as Record<string, unknown>;
  const schema = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withNulls(member)]));
  if (nullable !== true) return schema;
  return schema.enum ? { ...schema, type: [schema.type, "null"] } : { anyOf: [schema, { type: "null" }] };
}

export interface Broken {
  readonly rule: string;
  readonly value: unknown;
}

/** Values that break one of the rules. A query or a path (`text`) has no types. */
export function broken(world: SchemaWorld, schema: Schema, form: "text" | "json"): readonly Arbitrary<Broken>[] {
  if (schema.$ref !== undefined) {
    return broken(world, { ...resolve(world, schema.$ref), ...(schema.nullable ? { nullable: true } : {}) }, form);
  }
  const [only, ...more] = schema.allOf ?? [];
  if (only && more.length === 0) return broken(world, { ...schema, ...only, allOf: [] }, form);
  const breaking = (rule: string, ...values: readonly unknown[]) =>
    values.map((value) => fc.constant({ rule, value: form === "text" ? String(value) : value }));
  return [
    ...(form === "json" && !schema.nullable ? breaking("not null", null) : []),
    ...breaking("type", ...(OTHER_TYPES[form][schema.type ?? "any"] ?? [])),
    ...(schema.enum ? breaking("enum", "no such word") : []),
    ...(schema.minimum === undefined ? [] : breaking("minimum", schema.minimum - 1)),
    ...(schema.maximum === undefined ? [] : breaking("maximum", schema.maximum + 1)),
    ...brokenTexts(schema).flatMap(([rule, value]) => breaking(rule, value)),
    ...brokenItems(world, schema),
    ...brokenMembers(world, schema),
  ];
}

const OTHER_TYPES: Readonly<Record<"text" | "json", Readonly<Record<string, readonly unknown[]>>>> = {
  json: {
    string: [5, true, {}, ["x", "y"]],
    integer: ["x", true, {}, 1.5],
    number: ["x", true, {}],
    boolean: ["maybe", 5, {}],
    array: [5, {}],
    object: [5, "x", []],
    any: [5, {}],
  },
  text: { integer: ["x", "1.5", ""], boolean: ["maybe", ""] },
};

const ODD_TEXTS = ["\u0000", "\ud800", "é", "!", "not so", "x".repeat(2000), "", " "];

function brokenTexts(schema: Schema): readonly [rule: string, text: string][] {
  const { type, minLength = 0, maxLength, pattern, format } = schema;
  if (type !== "string" || schema.enum) return [];
  const unfit = pattern === undefined ? [] : ODD_TEXTS.filter((text) => !new RegExp(pattern, "u").test(text));
  // A blank field of a form counts as absent.
  const seen = unfit.filter((text) => text.trim() !== "");
  return [
    ...(maxLength === undefined
      ? []
      : ["x", "\u{1f984}"].map((c): [string, string] => ["maxLength", c.repeat(maxLength + 1)])),
    ...(minLength === 0 ? [] : [["minLength", "x".repeat(minLength - 1)] as [string, string]]),
    ...(seen.length > 0 ? seen : unfit).map((text): [string, string] => ["pattern", text]),
    ...(format === undefined ? [] : [["format", "not so"] as [string, string]]),
  ];
}

function brokenItems(world: SchemaWorld, { type, items = {}, minItems = 0, maxItems }: Schema): Arbitrary<Broken>[] {
  if (type !== "array") return [];
  const item = valid(world, items);
  const list = (rule: string, length: number) =>
    fc.array(item, { minLength: length, maxLength: length, size: "max" }).map((value) => ({ rule, value }));
  return [
    ...(minItems === 0 ? [] : [list("minItems", minItems - 1)]),
    ...(maxItems === undefined ? [] : [list("maxItems", maxItems + 1)]),
    ...broken(world, items, "json").map((bad) =>
      fc.tuple(fc.array(item, { minLength: minItems, maxLength: 2 }), bad).map(([good, { rule, value }]) => ({
        rule: `items: ${rule}`,
        value: [...good.slice(1), value],
      })),
    ),
  ];
}

function brokenMembers(world: SchemaWorld, schema: Schema): Arbitrary<Broken>[] {
  const { properties, required = [] } = schema;
  if (!properties) return [];
  const good = valid(world, { ...schema, nullable: false }) as Arbitrary<Record<string, unknown>>;
  const { anyOf: _, oneOf: __, not: ____, ...alone } = schema;
  const together = combination(world, schema);
  return [
    good.map((value) => ({ rule: "no other members", value: { ...value, noSuchMember: 1 } })),
    ...required.map((name) =>
      good.map(({ [name]: ___, ...value }) => ({ rule: `required: ${name}`, value: value as unknown })),
    ),
    ...(together
      ? [
          valid(world, alone)
            .filter((value) => !together(value))
            .map((value) => ({ rule: "combination", value })),
        ]
      : []),
    ...Object.entries(properties).flatMap(([name, member]) =>
      broken(world, member, "json").map((bad) =>
        fc.tuple(good, bad).map(([value, { rule, value: unfit }]) => ({
          rule: `${name}: ${rule}`,
          value: { ...value, [name]: unfit },
        })),
      ),
    ),
  ];
}

/** Values that no field accepts. */
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

/** A valid value with one random fault. */
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
