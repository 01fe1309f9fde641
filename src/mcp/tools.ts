// The tools for language models: every operation of an account, read from the API's own OpenAPI document, so that a
// tool's description and input match the operation. Operations with files, streams or sockets are left out, because a
// tool cannot carry those.

import { ok, type Result, refused } from "../base/result.ts";

/** The members of the document that are read here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** True if it changes nothing. */
  readonly "x-read-only"?: boolean;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface DocumentedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface InputSchema extends JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: string[];
}

export interface Tool {
  /** The operation's id. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Whether it changes nothing. */
  readonly isRead: boolean;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Where each parameter goes. Any other goes into the body, or into the query where there is no body. */
  readonly places: ReadonlyMap<string, DocumentedParameter["in"]>;
  readonly hasBody: boolean;
}

/** A call of a tool as a request. */
export interface ToolRequest {
  readonly method: string;
  /** With the values of its parameters. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

const JSON_BODY = "application/json";

export function toolsOf(document: OpenApiDocument): readonly Tool[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isTool(operation))
      .map(([method, operation]) => toolOf(document, method.toUpperCase(), path, operation)),
  );
}

function isTool({ security, requestBody, responses }: DocumentedOperation): boolean {
  const isOfAccount = security.some((scheme) => "account" in scheme);
  const takesJson = requestBody === undefined || JSON_BODY in requestBody.content;
  const answers = Object.entries(responses).filter(([status]) => /^[12]/.test(status));
  const answersJson = answers.every(([status, { content }]) => status !== "101" && (!content || JSON_BODY in content));
  return isOfAccount && takesJson && answersJson;
}

function toolOf(document: OpenApiDocument, method: string, path: string, operation: DocumentedOperation): Tool {
  const { operationId, summary, description, parameters, requestBody } = operation;
  const content = requestBody?.content[JSON_BODY];
  const body = content && resolve(document, content.schema);
  const example = content && exampleOf(document, content);
  const properties = {
    ...Object.fromEntries(
      parameters.map(({ name, description: about, schema }) => [
        name,
        { ...toJsonSchema(document, schema), ...(about && { description: about }) },
      ]),
    ),
    ...((body ? toJsonSchema(document, body).properties : {}) as InputSchema["properties"]),
  };
  return {
    name: operationId,
    description: [
      summary.endsWith(".") ? summary : `${summary}.`,
      ...(description === undefined ? [] : [description]),
      ...(example === undefined ? [] : [`Example: ${JSON.stringify(example)}`]),
    ].join("\n"),
    inputSchema: {
      type: "object",
      properties,
      required: [
        ...parameters.filter(({ required }) => required).map(({ name }) => name),
        ...(requestBody?.required ? ((body?.required ?? []) as readonly string[]) : []),
      ],
      additionalProperties: false,
    },
    isRead: operation["x-read-only"] === true,
    method,
    path,
    places: new Map(parameters.map(({ name, in: place }) => [name, place])),
    hasBody: body !== undefined,
  };
}

/** No segment of a path, or one that leads to another path. */
const NO_SEGMENT = new Set(["", ".", ".."]);

/**
 * Unknown parameters are passed on too, so that the operation refuses them by name. Refused is only a call without a
 * value for its path: its path would be that of another operation.
 */
export function requestOf(tool: Tool, input: Readonly<Record<string, unknown>>): Result<ToolRequest, string> {
  const given = (place: DocumentedParameter["in"]) =>
    Object.fromEntries(
      Object.entries(input)
        .filter(([name, value]) => placeOf(tool, name) === place && value !== null && value !== undefined)
        .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  const params = given("path");
  const names = [...tool.places].filter(([, place]) => place === "path").map(([name]) => name);
  const missing = names.filter((name) => NO_SEGMENT.has(params[name] ?? ""));
  if (missing.length > 0) return refused(`${tool.name} needs a value for ${missing.join(" and ")}.`);
  const body = Object.entries(input).filter(([name]) => placeOf(tool, name) === "body");
  return ok({
    method: tool.method,
    path: tool.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
    params,
    query: given("query"),
    headers: given("header"),
    body: tool.hasBody ? Object.fromEntries(body) : undefined,
  });
}

function placeOf({ places, hasBody }: Tool, name: string): DocumentedParameter["in"] | "body" {
  return places.get(name) ?? (hasBody ? "body" : "query");
}

function resolve({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
  return (name !== undefined && components.schemas[name]) || schema;
}

function exampleOf({ components }: OpenApiDocument, { example, examples }: Content): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples ?? {});
  return components.examples?.[first?.$ref.split("/").at(-1) ?? ""]?.value;
}

/** Resolves references, and converts OpenAPI 3.0's deviations from JSON Schema. The API's inputs have no cycles. */
function toJsonSchema(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { nullable, example: _, ...rest } = resolve(document, schema);
  const entries = Object.entries(rest).map(([name, value]) => [name, convert(document, value)]);
  const converted = Object.fromEntries(entries) as JsonSchema;
  if (nullable !== true) return converted;
  return typeof converted.type === "string" && converted.allOf === undefined
    ? { ...converted, type: [converted.type, "null"] }
    : { anyOf: [converted, { type: "null" }] };
}

function convert(document: OpenApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(document, item));
  return value !== null && typeof value === "object" ? toJsonSchema(document, value as JsonSchema) : value;
}
