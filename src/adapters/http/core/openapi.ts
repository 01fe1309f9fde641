// Writes the OpenAPI 3.0.1 documents from the operations themselves: what is documented is what validates.

import { z } from "zod";
import type { ProblemCode } from "../../../domain/problems.ts";
import { type AnswerDescription, needsAdmin, type Operation } from "./operation.ts";
import { PROBLEM_STATUS } from "./problem-answer.ts";
import { problemSchema, validationProblemSchema } from "./schemas.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";

const MEDIA_TYPES = ["application/json", "text/json", "text/plain"] as const;

/** Any operation may answer these. */
const COMMON_REFUSALS: readonly ProblemCode[] = [
  "validation",
  "unauthorized",
  "request-timeout",
  "uri-too-long",
  "rate-limited",
  "headers-too-large",
  "internal",
  "unavailable",
];

const ACCOUNT_REFUSALS: readonly ProblemCode[] = ["account-suspended"];
const ADMIN_REFUSALS: readonly ProblemCode[] = ["admin-only"];
const CHANGE_REFUSALS: readonly ProblemCode[] = ["cross-site", "body-too-large", "unsupported-media-type"];
const POST_REFUSALS: readonly ProblemCode[] = ["idempotency-running", "idempotency-key-reused"];

export interface DocumentOrder {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Each with the one prefix under which it is shown. */
  readonly groups: readonly { readonly prefix: string; readonly operations: readonly Operation<never>[] }[];
}

type Json = Record<string, unknown>;

export function openApiDocument(order: DocumentOrder): Json {
  const components: Json = {};
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
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: Object.fromEntries([...callers].map((who) => [who, SECURITY_SCHEMES[who]])),
    },
  };
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

function describe(operation: Operation<never>, components: Json): Json {
  const responses: Json = {};
  for (const [status, answer] of Object.entries(operation.answers)) {
    responses[status] = success(operation, answer, components);
  }
  for (const [status, codes] of refusalsByStatus(operation))
    responses[status] = refusal(operation, status, codes, components);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    // The handler says who needs none.
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
    responses,
  };
}

function bodyContent({ form, readBody }: Operation<never>, body: z.ZodType, components: Json): Json {
  const schema = schemaOf(body, "input", components);
  return {
    ...(form ? { "multipart/form-data": formOf(schema, form.isRequired) } : {}),
    ...(readBody ? { "application/x-www-form-urlencoded": { schema } } : {}),
    ...(form?.isRequired ? {} : { "application/json": { schema } }),
  };
}

function formOf(data: Json, isRequired: boolean): Json {
  return {
    schema: {
      type: "object",
      properties: { data, files: { type: "array", items: { type: "string", format: "binary" } } },
      ...(isRequired ? { required: ["data", "files"] } : {}),
    },
    encoding: { data: { contentType: "application/json" } },
  };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key and request within 24 hours get the first answer again. Refusals are not remembered.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function takesKey({ method, who }: Operation<never>): boolean {
  return method === "POST" && who !== "anyone";
}

function refusalsByStatus(operation: Operation<never>): Map<number, ProblemCode[]> {
  const codes = new Set([
    ...COMMON_REFUSALS,
    ...(operation.who === "account" ? ACCOUNT_REFUSALS : []),
    ...(needsAdmin(operation) ? ADMIN_REFUSALS : []),
    ...(operation.method === "GET" ? [] : CHANGE_REFUSALS),
    ...(takesKey(operation) ? POST_REFUSALS : []),
    ...operation.refusals,
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const status = PROBLEM_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function success(operation: Operation<never>, answer: AnswerDescription, components: Json): Json {
  return {
    description: answer.description,
    headers: headers({ ...answer.headers }, operation),
    ...(answer.body ? { content: content(schemaOf(answer.body, "output", components)) } : {}),
    ...(answer.mediaType ? { content: { [answer.mediaType]: { schema: contentOf(answer.mediaType) } } } : {}),
  };
}

function contentOf(mediaType: NonNullable<AnswerDescription["mediaType"]>): Json {
  return mediaType === "text/event-stream" ? { type: "string" } : { type: "string", format: "binary" };
}

function refusal(operation: Operation<never>, status: number, codes: readonly ProblemCode[], components: Json): Json {
  const schema = status === 400 ? validationProblemSchema : problemSchema;
  const extra =
    status === 429 || status === 503
      ? { "Retry-After": "Seconds to wait." }
      : status === 401 && operation.who !== "anyone"
        ? { "WWW-Authenticate": "The scheme to use." }
        : {};
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headers(extra, operation),
    content: content(schemaOf(schema, "output", components)),
  };
}

function headers(extra: Readonly<Record<string, string>>, operation: Operation<never>): Json {
  const limited =
    operation.who === "account"
      ? {
          "RateLimit-Limit": "Requests allowed in a window.",
          "RateLimit-Remaining": "Requests left in this window.",
          "RateLimit-Reset": "Seconds until the window ends.",
          "RateLimit-Policy": "The limit and its window, as in `100;w=10`.",
        }
      : {};
  const all = { "X-Request-Id": "Names this exchange in logs; an incoming one is echoed.", ...limited, ...extra };
  return Object.fromEntries(
    Object.entries(all).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

function content(schema: Json): Json {
  return Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema }]));
}

function parameters(schema: z.ZodType | undefined, place: "path" | "query", components: Json): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, member]) => {
    const { description, ...rest } = schemaOf(member as z.ZodType, "input", components);
    return {
      name,
      in: place,
      required: place === "path" || !(member as z.ZodType).safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** Adds named schemas to the components; answers a reference, or a schema without a name itself. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const { definitions = {}, $schema: _, ...rest } = z.toJSONSchema(schema, { target: "openapi-3.0", io }) as Json;
  const named = definitions as Record<string, Json>;
  for (const [name, definition] of Object.entries(named)) components[name] = refined(definition, named) as Json;
  return refined(rest, named) as Json;
}

/** Part of the library's patterns for dates. */
const CALENDAR = "-02-29|";

/**
 * Points references into the components, and unwraps an `allOf` with nothing beside it. Removes bounds and patterns
 * that `integer` and `date-time` imply. Adds the type beside `nullable`, as OpenAPI 3.0 requires.
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
      name === "$ref" ? String(member).replace("#/definitions/", "#/components/schemas/") : refined(member, named),
    ]);
  const type = beside.nullable === true && beside.type === undefined ? typeOf(allOf, named) : undefined;
  return Object.fromEntries(type === undefined ? entries : [["type", type], ...entries]);
}

function typeOf(allOf: unknown, named: Record<string, Json>): unknown {
  const [{ $ref = "" } = {}] = Array.isArray(allOf) ? (allOf as Json[]) : [];
  return named[String($ref).replace("#/definitions/", "")]?.type;
}
