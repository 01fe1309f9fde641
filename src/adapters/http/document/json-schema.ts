// Schemas as OpenAPI 3.0 writes them. Named ones become components, and references point at those.

import { z } from "zod";

export type Json = Record<string, unknown>;

/** What operations share: each part occurs once in the document. */
export interface Components {
  readonly schemas: Record<string, Json>;
  readonly examples: Record<string, Json>;
  readonly responses: Record<string, Json>;
  readonly headers: Record<string, Json>;
}

/** Adds named schemas to the components; returns a reference, or the schema itself if it has no name. */
export function schemaOf(schema: z.ZodType, io: "input" | "output", { schemas }: Pick<Components, "schemas">): Json {
  const { definitions = {}, $schema: _, ...rest } = z.toJSONSchema(schema, { target: "openapi-3.0", io }) as Json;
  const named = definitions as Record<string, Json>;
  for (const [name, definition] of Object.entries(named)) schemas[name] = refined(definition, named) as Json;
  return refined(rest, named) as Json;
}

const SCHEMAS = "#/components/schemas/";

/** The name of the component that a schema refers to. */
export function nameOf({ $ref }: Json): string | undefined {
  return typeof $ref === "string" ? $ref.slice(SCHEMAS.length) : undefined;
}

/** Part of the library's patterns for dates. */
const CALENDAR = "-02-29|";

/**
 * Points references into the components, and unwraps an `allOf` that stands alone. Removes bounds and patterns that
 * `integer` and `date-time` imply. Adds the type beside `nullable`, and null to its `enum`, as OpenAPI 3.0 requires.
 */
function refined(value: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => refined(item, named));
  if (value === null || typeof value !== "object") return value;
  const { allOf, ...beside } = value as Json;
  if (Array.isArray(allOf) && allOf.length === 1 && Object.keys(beside).length === 0) return refined(allOf[0], named);
  const entries = Object.entries(value)
    .filter(([, member]) => Math.abs(member as number) !== Number.MAX_SAFE_INTEGER)
    .filter(([name, member]) => !(name === "pattern" && String(member).includes(CALENDAR)))
    .map(([name, member]): [string, unknown] => [
      name,
      name === "$ref" ? String(member).replace("#/definitions/", SCHEMAS) : refined(member, named),
    ]);
  if (beside.nullable !== true) return Object.fromEntries(entries);
  const type = beside.type === undefined ? typeOf(allOf, named) : undefined;
  const words = Array.isArray(beside.enum) ? { enum: [...new Set([...beside.enum, null])] } : {};
  return { ...(type !== undefined && { type }), ...Object.fromEntries(entries), ...words };
}

function typeOf(allOf: unknown, named: Record<string, Json>): unknown {
  const [{ $ref = "" } = {}] = Array.isArray(allOf) ? (allOf as Json[]) : [];
  return named[String($ref).replace("#/definitions/", "")]?.type;
}
