// The refusals of an operation, by status, with an example of every code. Refusals that several operations share are
// one component.

import { REFUSALS } from "../../../domain/messaging/index.ts";
import { PROBLEM_TITLES, type Problem, type ProblemCode } from "../../../domain/problems.ts";
import { needsAdmin, type Operation } from "../core/operation.ts";
import { PROBLEM_STATUS, problemBody } from "../core/problem-answer.ts";
import { messageProblemSchema, problemSchema, validationProblemSchema } from "../core/schemas.ts";
import { type Components, type Json, schemaOf } from "./json-schema.ts";
import { headersOf, jsonContent } from "./parts.ts";

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
const SESSION_REFUSALS: readonly ProblemCode[] = ["other-account"];
const ADMIN_REFUSALS: readonly ProblemCode[] = ["admin-only"];
const CHANGE_REFUSALS: readonly ProblemCode[] = ["cross-site", "body-too-large", "unsupported-media-type"];
const POST_REFUSALS: readonly ProblemCode[] = ["idempotency-running", "idempotency-key-reused"];

/** With more codes, the name of the component would be too long. */
const NAMED_CODES_MAX = 4;

export function refusalsOf(operation: Operation<never>, components: Components): Json {
  return Object.fromEntries(
    [...codesByStatus(operation)].map(([status, codes]) => {
      if (operation.refuse || codes.length > NAMED_CODES_MAX) {
        return [status, refusal(operation, status, codes, components)];
      }
      const name = [operation.who, ...codes].map(capitalised).join("");
      components.responses[name] ??= refusal(operation, status, codes, components);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Whether the operation accepts an `Idempotency-Key`. */
export function takesKey({ method, who }: Operation<never>): boolean {
  return method === "POST" && who !== "anyone";
}

const capitalised = (words: string) => words.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());

function codesByStatus(operation: Operation<never>): ReadonlyMap<number, readonly ProblemCode[]> {
  const codes = new Set([
    ...COMMON_REFUSALS,
    ...(operation.who === "account" ? ACCOUNT_REFUSALS : []),
    ...(operation.who === "anyone" ? [] : SESSION_REFUSALS),
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

const EXTRA_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "WWW-Authenticate": "The scheme to use." },
  429: { "Retry-After": "Seconds to wait." },
  503: { "Retry-After": "Seconds to wait." },
};

function refusal(
  operation: Operation<never>,
  status: number,
  codes: readonly ProblemCode[],
  components: Components,
): Json {
  const isCoded = operation.refuse !== undefined;
  const schema = status !== 400 ? problemSchema : isCoded ? messageProblemSchema : validationProblemSchema;
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headersOf(
      operation,
      operation.who === "anyone" && status === 401 ? {} : (EXTRA_HEADERS[status] ?? {}),
      components,
    ),
    content: jsonContent({
      schema: schemaOf(schema, "output", components),
      examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, isCoded, components)])),
    }),
  };
}

/** Refusals of messages carry an error number, too. */
function exampleOf(code: ProblemCode, isCoded: boolean, { examples }: Components): Json {
  const number = REFUSALS.find((refused) => refused.problem === code && (isCoded || code !== "validation"))?.code;
  const name = code === "validation" && isCoded ? "message-validation" : code;
  examples[name] ??= { summary: PROBLEM_TITLES[code], value: problemExample(code, number) };
  return { $ref: `#/components/examples/${name}` };
}

function problemExample(code: ProblemCode, number: number | undefined): Json {
  const problem: Problem = {
    code,
    detail: PROBLEM_TITLES[code],
    ...(PROBLEM_STATUS[code] === 400 ? { errors: { [FIELDS[code] ?? "$"]: [PROBLEM_TITLES[code]] } } : {}),
    ...(number === undefined ? {} : { errorCode: number, errorMessage: PROBLEM_TITLES[code] }),
  };
  return { ...problemBody(problem, "/v1/Phones", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00") };
}

/** The field at fault for each code; other codes concern the whole request. */
const FIELDS: Readonly<Partial<Record<ProblemCode, string>>> = {
  validation: "name",
  "sender-invalid": "From",
  "sender-not-yours": "From",
  "sender-without-config": "From",
  "sender-not-active": "From",
  "sender-changing-campaign": "From",
  "sender-lacks-feature": "From",
  "campaign-suspended": "From",
  "campaign-not-approved": "From",
  "campaign-expired": "From",
  "recipient-invalid": "To",
  "recipient-opted-out": "To",
  "country-not-allowed": "To",
  "text-empty": "Text",
  "text-too-long": "Text",
  "callback-url-refused": "CallbackUrlOverride",
  "expiry-in-the-past": "ExpiresOn",
  "bad-date": "SendAt",
  "bad-media": "MediaUrls",
  "bad-priority": "Priority",
  "campaign-not-linked": "messagingConfigSid",
  "emergency-number": "to",
  "premium-number": "to",
};
