// Writes the OpenAPI 3.0.1 documents from the operations themselves: what is documented is what validates. Every
// request and every answer has an example. What operations share (schemas, examples, headers, refusals) occurs once, as
// a component.

import { z } from "zod";
import type { AnswerDescription, MediaType, Operation } from "../core/operation.ts";
import { SESSION_COOKIE } from "../core/session-cookie.ts";
import { exampleOf } from "./examples.ts";
import { type Components, type Json, nameOf, schemaOf } from "./json-schema.ts";
import { headersOf, jsonContent } from "./parts.ts";
import { refusalsOf, takesKey } from "./refusals.ts";
import { STREAM_SAMPLE } from "./sample-values.ts";
import { type EventDescription, webhookOf } from "./webhook.ts";

export interface DocumentOrder {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Each with the only prefix under which it is shown. */
  readonly groups: readonly { readonly prefix: string; readonly operations: readonly Operation<never>[] }[];
  /** Events that the server sends. OpenAPI 3.0 can hold them only in an extension. */
  readonly events?: readonly EventDescription[];
}

export function openApiDocument(order: DocumentOrder): Json {
  const components: Components = { schemas: {}, examples: {}, responses: {}, headers: {} };
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  const callers = new Set<Scheme>();
  for (const { prefix, operations } of order.groups) {
    for (const operation of operations) {
      const path = `${prefix}${operation.path}`;
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, components) };
      tags.add(operation.tag);
      callers.add(schemeOf(operation));
    }
  }
  const events = order.events ?? [];
  const webhooks = Object.fromEntries(events.map((event) => [event.type, { post: webhookOf(event, components) }]));
  for (const { tag } of events) tags.add(tag);
  return {
    openapi: "3.0.1",
    info: {
      title: order.title,
      description: order.description,
      version: order.version,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    ...(events.length === 0 ? {} : { "x-webhooks": webhooks }),
    components: {
      ...Object.fromEntries(Object.entries(components).map(([kind, parts]) => [kind, sorted(parts as Json)])),
      securitySchemes: Object.fromEntries([...callers].map((who) => [who, SECURITY_SCHEMES[who]])),
    },
  };
}

function sorted(parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Scheme = "account" | "operator" | "session";

function schemeOf({ who }: Operation<never>): Scheme {
  return who === "anyone" ? "session" : who;
}

const SECURITY_SCHEMES: Readonly<Record<Scheme, Json>> = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "Of a browser that has signed in. All other operations take it too, instead of credentials.",
  },
  account: { type: "http", scheme: "basic", description: "Account sid and token." },
  operator: {
    type: "http",
    scheme: "basic",
    description: "`operator` and an operator token. One of the role `support` only reads.",
  },
};

function describe(operation: Operation<never>, components: Components): Json {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    success(operation, answer, components),
  ]);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.method === "GET" || operation.isRead ? { "x-read-only": true } : {}),
    // The handler decides which requests need no credentials.
    security: [...(operation.who === "anyone" ? [{}] : []), { [schemeOf(operation)]: [] }],
    parameters: [
      ...parameters(operation.params, "path", components),
      ...parameters(operation.query, "query", components),
      ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(operation.body
      ? {
          requestBody: {
            required: !(operation.body instanceof z.ZodOptional),
            content: bodyContent(operation, operation.body, components),
          },
        }
      : {}),
    responses: { ...Object.fromEntries(answers), ...refusalsOf(operation, components) },
  };
}

function bodyContent({ form, readBody }: Operation<never>, body: z.ZodType, components: Components): Json {
  const schema = schemaOf(body, "input", components);
  // Client generators take the first.
  return {
    ...(form?.isRequired ? {} : { "application/json": shown(schema, "input", components) }),
    ...(readBody ? { "application/x-www-form-urlencoded": shown(schema, "input", components) } : {}),
    ...(form ? { "multipart/form-data": formOf(schema, form.isRequired, components) } : {}),
  };
}

function formOf(data: Json, isRequired: boolean, { schemas }: Components): Json {
  return {
    schema: {
      type: "object",
      properties: { data, files: { type: "array", items: { type: "string", format: "binary" } } },
      ...(isRequired ? { required: ["data", "files"] } : {}),
    },
    encoding: { data: { contentType: "application/json" } },
    example: { data: exampleOf(data, schemas, "input"), files: ["(the bytes of letter.pdf)"] },
  };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key and request within 24 hours get the first answer again. Refusals are not remembered.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** A schema with its example; the example of a named schema has the same name. */
function shown(schema: Json, io: "input" | "output", components: Components): Json {
  const example = exampleOf(schema, components.schemas, io);
  const name = nameOf(schema);
  if (name === undefined) return { schema, example };
  components.examples[name] ??= { value: example };
  return { schema, examples: { [name]: { $ref: `#/components/examples/${name}` } } };
}

function success(operation: Operation<never>, answer: AnswerDescription, components: Components): Json {
  return {
    description: answer.description,
    headers: headersOf(operation, answer.headers ?? {}, components),
    ...(answer.body
      ? { content: jsonContent(shown(schemaOf(answer.body, "output", components), "output", components)) }
      : {}),
    ...(answer.mediaType && {
      content: Object.fromEntries([answer.mediaType].flat().map((type) => [type, contentOf(type)])),
    }),
  };
}

function contentOf(mediaType: MediaType): Json {
  return mediaType === "text/event-stream"
    ? { schema: { type: "string" }, example: STREAM_SAMPLE }
    : { schema: { type: "string", format: "binary" } };
}

function parameters(schema: z.ZodType | undefined, place: "path" | "query", components: Components): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, member]) => {
    const { description, ...rest } = schemaOf(member as z.ZodType, "input", components);
    const isRequired = place === "path" || !(member as z.ZodType).safeParse(undefined).success;
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(isRequired ? { example: exampleOf(rest, components.schemas, "input", "", name) } : {}),
    };
  });
}
