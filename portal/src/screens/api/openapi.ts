// The operations of the OpenAPI document that an account may call, with what their forms need. What the document lacks
// is left out of the form; nothing here throws.

import { queryOptions } from "@tanstack/react-query";

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface ParameterText {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

interface OperationText {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly ParameterText[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationText>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
  };
}

/** Where a value of the form goes. */
export type Place = "path" | "query" | "body";

export interface Input {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly description: string;
  /** `text` is sent as it is; everything else is written as JSON. */
  readonly kind: "text" | "json";
  readonly choices: readonly string[];
  readonly example: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly inputs: readonly Input[];
  readonly body: "none" | "json" | "files";
}

export const operationsQuery = queryOptions({
  queryKey: ["openapi"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<readonly Operation[]> => {
    const response = await fetch("/swagger/v1/swagger.json", { signal });
    if (!response.ok) throw new Error(`The OpenAPI document was answered with ${response.status}.`);
    return operationsOf((await response.json()) as Document);
  },
});

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((way) => "account" in way))
      .map(([method, text]) => operationOf(document, method.toUpperCase(), path, text)),
  );
}

function operationOf(document: Document, method: string, path: string, text: OperationText): Operation {
  const content = text.requestBody?.content ?? {};
  const media = content["application/json"] ?? content["multipart/form-data"];
  const parameters = (text.parameters ?? [])
    .filter(({ in: place }) => place === "path" || place === "query")
    .map((parameter) => inputOfParameter(document, parameter));
  return {
    id: text.operationId,
    method,
    path,
    tag: text.tags?.[0] ?? "Other",
    summary: text.summary ?? text.operationId,
    description: text.description ?? "",
    inputs: [...parameters, ...bodyInputs(document, media)],
    body: media === undefined ? "none" : content["application/json"] ? "json" : "files",
  };
}

function inputOfParameter(document: Document, parameter: ParameterText): Input {
  return {
    name: parameter.name,
    place: parameter.in === "path" ? "path" : "query",
    isRequired: parameter.required === true,
    description: parameter.description ?? "",
    kind: "text",
    choices: choicesOf(document, parameter.schema),
    example: parameter.example,
  };
}

function bodyInputs(document: Document, media: Media | undefined): readonly Input[] {
  const schema = resolve(document, media?.schema);
  const example = exampleOf(document, media);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== "files")
    .map(([name, given]) => {
      const property = resolve(document, given);
      return {
        name,
        place: "body" as const,
        isRequired: schema.required?.includes(name) === true,
        description: given.description ?? property.description ?? "",
        kind: property.type === "string" ? ("text" as const) : ("json" as const),
        choices: choicesOf(document, given),
        example: example[name],
      };
    });
}

function exampleOf({ components }: Document, media: Media | undefined): Readonly<Record<string, unknown>> {
  const first = Object.values(media?.examples ?? {})[0];
  const named = first?.$ref ? components.examples?.[first.$ref.split("/").at(-1) ?? ""] : first;
  const value = media?.example ?? named?.value;
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** The document uses no more than one step of `$ref` or `allOf` here. */
function resolve({ components }: Document, schema: Schema | undefined): Schema {
  const ref = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  return (ref === undefined ? schema : components.schemas?.[ref.split("/").at(-1) ?? ""]) ?? {};
}

function choicesOf(document: Document, schema: Schema | undefined): readonly string[] {
  const { enum: values, type } = resolve(document, schema);
  if (type === "boolean") return ["true", "false"];
  return (values ?? []).filter((value) => value !== null).map(String);
}
