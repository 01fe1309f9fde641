// Generates sdk/src/api.generated.ts: the types of the API for its client, from the OpenAPI documents. Every named
// schema becomes an interface or an alias; a named enum also becomes a list of its words; every operation becomes an
// entry of `Operations`. Members begin in lower case, in queries and bodies too: the API matches names without regard
// to case.

type Json = Readonly<Record<string, unknown>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly description?: string;
  /** With null beside `nullable`. */
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly "x-webhooks": object;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Properties of a schema that its comment contains in addition to the description. */
const TAGS = ["default", "minimum", "maximum", "minItems", "maxItems", "maxLength"] as const;

const HEADER = `// The API's types, printed from its OpenAPI documents: npm run generate. Not written by hand.\n`;

/** The parts of an operation as TypeScript types. */
const TYPES_OF_PARAMS = new Map([
  ["integer", "number"],
  ["string", "string"],
]);

export interface OperationTypes {
  readonly params: readonly { readonly name: string; readonly isNumber: boolean; readonly type: string }[];
  readonly query?: { readonly type: string; readonly members: readonly string[]; readonly isRequired: boolean };
  readonly body?: string;
  readonly isBodyOptional: boolean;
  readonly form?: string;
  readonly answer: string;
  /** The type of a list's items. */
  readonly item?: string;
}

/** The types of each operation, by its method and path. */
export function operationTypes(written: object): ReadonlyMap<string, OperationTypes> {
  const { paths, components } = written as Document;
  const printer = new TypePrinter(components.schemas);
  const typesOf = (path: string, methods: Document["paths"][string]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, printer.typesOf(operation)] as const,
    );
  return new Map(Object.entries(paths).flatMap(([path, methods]) => typesOf(path, methods)));
}

/** `more`: further types, such as those of events, whose members keep their case because the API sends them. */
export function sdkTypes(written: object, more: string): string {
  const { paths, components, "x-webhooks": webhooks } = written as Document;
  const payloads = new Set(JSON.stringify(webhooks).match(/(?<=#\/components\/schemas\/)\w+/g));
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => !payloads.has(name)));
  const printer = new TypePrinter(schemas);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const queries = operations.flatMap(({ operation }) => printer.query(operation) ?? []);
  const entries = operations.map(({ method, path, operation }) =>
    printer.operation(`${method.toUpperCase()} ${path}`, operation),
  );
  return [
    HEADER,
    ...Object.entries(schemas).map(([name, schema]) => printer.named(name, schema)),
    ...queries,
    `/** Every operation by its method and path. */\nexport interface Operations {\n${entries.join("\n")}\n}\n`,
    more,
  ].join("\n");
}

class TypePrinter {
  /** Inline enums are recognised by their values. */
  readonly #enumNames: ReadonlyMap<string, string>;

  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
    const enums = Object.entries(schemas).filter(([, schema]) => schema.enum !== undefined);
    this.#enumNames = new Map(enums.map(([name, schema]) => [JSON.stringify(schema.enum), name]));
  }

  named(name: string, schema: Schema): string {
    const comment = commentOf(schema, "");
    if (schema.enum) {
      const list = listNameOf(name);
      const words = schema.enum.map((word) => JSON.stringify(word)).join(", ");
      return `export const ${list} = [${words}] as const;\n${comment}export type ${name} = (typeof ${list})[number];\n`;
    }
    if (schema.properties) return `${comment}export interface ${name} ${this.#object(schema, "")}\n`;
    return `${comment}export type ${name} = ${this.#type(schema, "")};\n`;
  }

  query({ operationId, parameters }: Operation): string | undefined {
    const given = parameters.filter((parameter) => parameter.in === "query");
    if (given.length === 0) return undefined;
    const properties = Object.fromEntries(
      given.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    );
    const required = given.filter((parameter) => parameter.required).map(({ name }) => name);
    return `export interface ${queryNameOf(operationId)} ${this.#object({ properties, required }, "")}\n`;
  }

  operation(key: string, operation: Operation): string {
    const { params, query, body, form, answer } = this.typesOf(operation);
    const either = (body && form) || operation.requestBody?.required === false ? "?" : "";
    const members = [
      params.length > 0 && `params: { ${params.map(({ name }) => `readonly ${name}: string`).join("; ")} }`,
      query && `query${query.isRequired ? "" : "?"}: ${query.type}`,
      body && `body${either}: ${body}`,
      form && `form${either}: ${form}`,
      `answer: ${answer}`,
    ].filter(Boolean);
    const lines = members.map((member) => `    readonly ${member};\n`).join("");
    return `${commentOf({ description: operation.summary }, "  ")}  readonly "${key}": {\n${lines}  };`;
  }

  typesOf({ operationId, parameters, requestBody, responses }: Operation): OperationTypes {
    const queries = parameters.filter((parameter) => parameter.in === "query");
    const { "application/json": body, "multipart/form-data": form } = requestBody?.content ?? {};
    const answers = Object.entries(responses)
      .filter(([status]) => status < "300")
      .map(([, { content = {} }]) => Object.values(content)[0]?.schema);
    const types = answers
      .map((schema) => (schema ? this.#type(schema, "    ") : "undefined"))
      .map((type) => (type === "Blob" ? "Uint8Array" : type));
    const items = this.#resolved(answers[0] ?? {}).properties?.items?.items;
    return {
      params: parameters
        .filter((parameter) => parameter.in === "path")
        .map(({ name, schema }) => {
          const type = [schema, ...(schema.anyOf ?? [])]
            .flatMap(({ type }) => TYPES_OF_PARAMS.get(type ?? "") ?? [])
            .join(" | ");
          return { name, isNumber: type.includes("number"), type };
        }),
      ...(queries.length > 0 && {
        query: {
          type: queryNameOf(operationId),
          members: queries.map(({ name }) => memberOf(name)),
          isRequired: queries.some(({ required }) => required),
        },
      }),
      ...(body && { body: this.#type(body.schema, "    ") }),
      isBodyOptional: requestBody?.required === false,
      ...(form && { form: this.#type(form.schema, "    ") }),
      answer: [...new Set(types)].join(" | "),
      ...(items && { item: this.#type(items, "") }),
    };
  }

  #resolved(schema: Schema): Schema {
    return (schema.$ref && this.#schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)]) || schema;
  }

  #object({ properties = {}, required = [] }: Schema, indent: string): string {
    const inner = `${indent}  `;
    const members = Object.entries(properties).map(([name, schema]) => {
      const mark = required.includes(name) ? "" : "?";
      return `${commentOf(schema, inner)}${inner}readonly ${memberOf(name)}${mark}: ${this.#type(schema, inner)};\n`;
    });
    return `{\n${members.join("")}${indent}}`;
  }

  #type(schema: Schema, indent: string): string {
    const plain = this.#plainType(schema, indent);
    return schema.nullable ? `${plain} | null` : plain;
  }

  #plainType(schema: Schema, indent: string): string {
    const { $ref, allOf, anyOf, items, additionalProperties: others } = schema;
    if ($ref) return $ref.slice($ref.lastIndexOf("/") + 1);
    if (allOf) return allOf.map((part) => this.#type(part, indent)).join(" & ");
    if (anyOf) return [...new Set(anyOf.map((part) => this.#type(part, indent)))].join(" | ");
    if (schema.enum) {
      const words = schema.enum.filter((word) => word !== null);
      return this.#enumNames.get(JSON.stringify(words)) ?? words.map((word) => JSON.stringify(word)).join(" | ");
    }
    if (items) {
      const item = this.#type(items, indent);
      return item.includes(" | ") && !item.startsWith("{") ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    if (schema.properties) return this.#object(schema, indent);
    if (others && typeof others === "object") return `Readonly<Record<string, ${this.#type(others, indent)}>>`;
    if (schema.format === "binary") return "Blob";
    if (schema.type === "integer") return "number";
    return schema.type ?? "unknown";
  }
}

function commentOf(schema: Schema, indent: string): string {
  const tags = TAGS.filter((tag) => tag in schema).map((tag) => `@${tag} ${JSON.stringify((schema as Json)[tag])}`);
  return commentLines([...(schema.description ? [schema.description] : []), ...tags], indent);
}

export function commentLines(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

export const memberOf = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const queryNameOf = (operationId: string) => `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;

/** `MessageStatus` → `MESSAGE_STATUSES`, `Priority` → `PRIORITIES`. */
function listNameOf(name: string): string {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  return `${words.replace(/(?<=[^AEIOU])Y$/, "IE").replace(/S$/, "SE")}S`;
}
