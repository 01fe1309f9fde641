// Responses like the server's, generated from the OpenAPI document: every member is present, nothing is null, and a
// list has one item and no further page.

import { readFileSync } from "node:fs";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface KnownOperation {
  /** `GET /v1/Phones/{phone}`. */
  readonly name: string;
  readonly id: string;
  readonly matches: (method: string, path: string) => boolean;
  readonly answer: () => Response;
}

const document = JSON.parse(readFileSync(new URL("../../api/tandem.json", import.meta.url), "utf8")) as OpenApi;

/** Fixed paths go before those with parameters. */
export const OPERATIONS: readonly KnownOperation[] = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => knownOperation(method.toUpperCase(), path, operation)),
  )
  .sort((one, other) => one.name.split("{").length - other.name.split("{").length);

function knownOperation(method: string, path: string, operation: DocumentedOperation): KnownOperation {
  const pattern = new RegExp(`^${path.replace(/\./g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
  return {
    name: `${method} ${path}`,
    id: operation.operationId,
    matches: (asked, at) => asked === method && pattern.test(at),
    answer: () => answerOf(operation),
  };
}

function answerOf({ responses }: DocumentedOperation): Response {
  const [status = "200", { content = {} } = {}] = Object.entries(responses).find(([code]) => code < "300") ?? [];
  const [type, body] = Object.entries(content)[0] ?? [];
  if (type === undefined || body === undefined) return new Response(null, { status: Number(status) });
  const isJson = type === "application/json";
  const text = isJson ? JSON.stringify(sampleOf(body.schema)) : "octets";
  return new Response(text, { status: Number(status), headers: { "Content-Type": type } });
}

function sampleOf(schema: Schema): unknown {
  if (schema.$ref !== undefined) {
    const known = document.components.schemas[schema.$ref.replace("#/components/schemas/", "")];
    return known === undefined ? null : sampleOf(known);
  }
  const [choice] = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined && schema.properties === undefined) return sampleOf(choice);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) {
    const named = Object.entries(schema.properties).filter(([name]) => name !== "searchId");
    return Object.fromEntries(named.map(([name, member]) => [name, sampleOf(member)]));
  }
  if (schema.type === "array") return [sampleOf(schema.items ?? {})];
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type === "boolean") return true;
  if (schema.type === "object") return {};
  return schema.format === "date-time" ? "2026-01-31T09:00:00.000Z" : "text";
}
