// Examples of requests and answers, made from their schemas: every member gets its sample from the table of
// sample-values.ts, by the schema that it belongs to or by its name alone. A member that is not in the table gets a
// value of its type, so that every operation has an example from the start.

import { type Json, nameOf } from "./json-schema.ts";
import { LEFT_OUT, SAMPLES } from "./sample-values.ts";

type Schemas = Readonly<Record<string, Json>>;

/** `input`: members that a request may leave out are shown only if the table has a sample. */
export function exampleOf(schema: Json, schemas: Schemas, io: "input" | "output", owner = "", member = ""): unknown {
  const sample = sampleOf(schema, schemas, owner, member);
  if (sample !== undefined) return sample;
  const name = nameOf(schema);
  if (name !== undefined) return exampleOf(schemas[name] ?? {}, schemas, io, name, member);
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const [first] = (schema.enum ?? schema.allOf ?? []) as readonly unknown[];
  if (schema.enum) return first;
  if (schema.allOf) return exampleOf(first as Json, schemas, io, owner, member);
  if (schema.properties) return membersOf(schema, schemas, io, owner);
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as readonly Json[];
  if (choice) return exampleOf(choice, schemas, io, owner, member);
  return anyValue(schema, (item) => exampleOf(item, schemas, io, owner, member));
}

function membersOf({ properties, required = [] }: Json, schemas: Schemas, io: "input" | "output", owner: string): Json {
  const needed = required as readonly string[];
  return Object.fromEntries(
    Object.entries(properties as Schemas).flatMap(([name, schema]): [string, unknown][] => {
      const sample = sampleOf(schema, schemas, owner, name);
      const isShown = needed.includes(name) || (io === "output" ? sample !== LEFT_OUT : isTold(sample));
      return isShown ? [[name, exampleOf(schema, schemas, io, owner, name)]] : [];
    }),
  );
}

function isTold(sample: unknown): boolean {
  return sample !== undefined && sample !== null && sample !== LEFT_OUT;
}

/** A sample of another type belongs to a different member of the same name. */
function sampleOf(schema: Json, schemas: Schemas, owner: string, member: string): unknown {
  return [SAMPLES.get(`${owner}.${member}`), SAMPLES.get(member)].find(
    (sample) => sample !== undefined && (sample === LEFT_OUT || fits(sample, schema, schemas)),
  );
}

function fits(sample: unknown, schema: Json, schemas: Schemas): boolean {
  const name = nameOf(schema);
  if (name !== undefined) return fits(sample, schemas[name] ?? {}, schemas);
  if (sample === null) return schema.nullable === true;
  const parts = (schema.allOf ?? schema.anyOf) as readonly Json[] | undefined;
  if (parts && !schema.properties) return parts.some((part) => fits(sample, part, schemas));
  if (schema.enum) return (schema.enum as readonly unknown[]).includes(sample);
  if (Array.isArray(sample)) {
    return schema.type === "array" && sample.every((item) => fits(item, schema.items as Json, schemas));
  }
  const type = typeof sample === "number" && Number.isInteger(sample) ? ["integer", "number"] : [typeof sample];
  return schema.type === undefined || (type.includes(schema.type as string) && hasForm(sample, schema));
}

function hasForm(sample: unknown, { format, pattern }: Json): boolean {
  if (typeof sample !== "string") return true;
  if (format === "date-time" && !/^\d{4}-\d{2}-\d{2}T/.test(sample)) return false;
  return pattern === undefined || new RegExp(pattern as string, "u").test(sample);
}

/** A value for a type of which nothing else is known. */
function anyValue(schema: Json, itemOf: (item: Json) => unknown): unknown {
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" ? "2026-01-31T12:00:00.000Z" : "text";
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return [itemOf(schema.items as Json)];
    default:
      return {};
  }
}
