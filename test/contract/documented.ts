// Every operation with its page of the document, as schemas of its reader's input, and input generated from them.

import fc, { type Arbitrary } from "fast-check";
import type { Operation } from "../../src/adapters/http/core/operation.ts";
import { openApiDocument } from "../../src/adapters/http/document/openapi.ts";
import { documentedOperations } from "../../src/server/parts/api.ts";
import { type Schema, type SchemaWorld, valid } from "./from-schema.ts";

export type AnyOperation = Operation<never>;
export const operations: readonly AnyOperation[] = (
  ["lookup", "messaging", "account", "testkit", "operator"] as const
).flatMap(documentedOperations);

interface Page {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The operation's page of the document, as schemas of its reader's input. */
export interface Documented {
  readonly world: SchemaWorld;
  readonly params: Schema;
  readonly query: Schema;
  readonly body: Schema | undefined;
}

export function documented(operation: AnyOperation): Documented {
  const document = openApiDocument({
    title: "",
    description: "",
    version: "",
    groups: [{ prefix: "", operations: [operation] }],
  }) as { paths: Record<string, Record<string, Page>>; components: { schemas: Record<string, Schema> } };
  const page = document.paths[operation.path]?.[operation.method.toLowerCase()];
  if (!page) throw new Error(`${operation.id} is not documented`);
  const content = page.requestBody?.content ?? {};
  const form = content["multipart/form-data"]?.schema.properties?.data;
  return {
    world: { components: document.components.schemas, byName: {} },
    params: objectOf(page, "path"),
    query: objectOf(page, "query"),
    body: content["application/json"]?.schema ?? form,
  };
}

function objectOf({ parameters }: Page, place: "path" | "query"): Schema {
  const given = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    properties: Object.fromEntries(given.map(({ name, schema }) => [name, schema])),
    required: given.filter(({ required }) => required).map(({ name }) => name),
  };
}

export interface Given {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Values in paths and queries are text. */
export const asText = (members: unknown) =>
  Object.fromEntries(Object.entries(members as object).map(([name, value]) => [name, String(value)]));

export function goodInput({ world, params, query, body }: Documented): Arbitrary<Given> {
  return fc.record({
    params: valid(world, params).map(asText),
    query: valid(world, query).map(asText),
    body: body ? valid(world, body) : fc.constant(undefined),
  });
}
