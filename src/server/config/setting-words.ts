// Describes in words what a setting may be, from its JSON Schema.

import { z } from "zod";

/** The part of JSON Schema that zod writes for settings. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

export function schemaOf(schema: z.ZodType, io: "input" | "output"): SchemaNode {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as SchemaNode;
}

/** The schemas at a path of a value: several where the value may be of several kinds. */
export function nodesAt(root: SchemaNode, path: readonly PropertyKey[], value: unknown): readonly SchemaNode[] {
  let nodes: readonly SchemaNode[] = [root];
  let here = value;
  for (const step of path) {
    nodes = kindsOf(nodes, here).flatMap((node) => childOf(node, step) ?? []);
    here = memberOf(here, step);
  }
  return nodes;
}

/** Such as `one of udp, tcp, tls`, or `a whole number from 1 to 1000`; undefined where the schema gives no rule. */
export function wantedIn(nodes: readonly SchemaNode[], value: unknown): string | undefined {
  const kinds = kindsOf(nodes, value);
  const words = kinds.flatMap((node) => ("const" in node ? [node.const] : (node.enum ?? [])));
  const others = kinds.filter((node) => !("const" in node) && !node.enum).map(wordOf);
  const known = words.length > 1 ? [`one of ${words.join(", ")}`] : words.map(String);
  return [...new Set([...known, ...others])].filter((text) => text !== undefined).join(", or ") || undefined;
}

/** The names of members that an object at this place may have. */
export function memberNames(nodes: readonly SchemaNode[], value: unknown): readonly string[] {
  return [...new Set(kindsOf(nodes, value).flatMap(({ properties = {} }) => Object.keys(properties)))];
}

export function memberOf(value: unknown, step: PropertyKey): unknown {
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** The alternatives that fit the constant members of the value; all of them where none fits. */
function kindsOf(nodes: readonly SchemaNode[], value: unknown): readonly SchemaNode[] {
  const all = nodes.flatMap(alternativesOf);
  const fitting = all.filter(({ properties = {} }) =>
    Object.entries(properties).every(([name, node]) => {
      const given = memberOf(value, name);
      return !("const" in node) || given === undefined || given === node.const;
    }),
  );
  return fitting.length > 0 ? fitting : all;
}

function alternativesOf(node: SchemaNode): readonly SchemaNode[] {
  const alternatives = node.anyOf ?? node.oneOf;
  return alternatives ? alternatives.flatMap(alternativesOf) : [node];
}

function childOf({ properties = {}, items, additionalProperties }: SchemaNode, step: PropertyKey) {
  if (typeof step === "number") return items;
  const name = String(step);
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function wordOf(node: SchemaNode): string | undefined {
  switch (node.type) {
    case "integer":
      return `a whole number${rangeOf(node)}`;
    case "number":
      return `a number${rangeOf(node)}`;
    case "boolean":
      return "true or false";
    case "string":
      if (node.format === "ipv4" || node.format === "ipv6") return "an IP address";
      return `text${countOf(node.minLength, node.maxLength, "character")}`;
    case "array":
      return `a list${countOf(node.minItems, node.maxItems, "item")}`;
    case "object":
      return "an object";
    default:
      return undefined;
  }
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: SchemaNode): string {
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${maximum === undefined ? "" : ` and up to ${maximum}`}`;
  if (minimum === undefined) return maximum === undefined ? "" : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function countOf(min = 0, max: number | undefined, unit: string): string {
  if (max === undefined) return min === 0 ? "" : ` of at least ${min} ${unit}${min === 1 ? "" : "s"}`;
  return min === 0
    ? ` of at most ${max} ${unit}s`
    : ` of ${min === max ? max : `${min} to ${max}`} ${unit}${max === 1 ? "" : "s"}`;
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null;
}
