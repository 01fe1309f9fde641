// An operation in Twilio's shape: below the account in its path, which must be the caller's; parameters arrive as a
// form. Each operation lists which parameters of Twilio's clients it accepts and which it refuses; any other parameter
// is also refused by its name. docs/twilio-api.md is printed from the same values.

import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { refused } from "../../base/result.ts";
import type { Account, LimitClass } from "../../domain/accounts/index.ts";
import { invalid, problem } from "../../domain/problems.ts";
import { accountOperation, type Operation, type OperationRoute, type Outcome } from "../http/core/operation.ts";
import type { Unit } from "../http/core/ports.ts";
import type { RequestName } from "../http/core/request-context.ts";
import { text } from "../http/core/schemas.ts";
import { errorsOf, type Reading, readWithFaults } from "../http/reading/read-input.ts";

export const API_VERSION = "2010-04-01";
export const TWILIO_TAG = "Twilio";

const NOT_DONE = z.never({ error: "This is not done here: docs/twilio-api.md lists what is." }).optional();

/** Parameters of Twilio that are refused by their names. */
export function refusing(names: string): Readonly<Record<never, never>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, NOT_DONE]));
}

export const isRefused = (schema: unknown) => schema === NOT_DONE;

/** As docs/twilio-api.md shows it. */
export interface TwilioMethod {
  /** The official client's method, as in `messages.create`; none for paths that only URLs in answers lead to. */
  readonly client?: string | undefined;
  /** How it differs from Twilio. */
  readonly differs?: string | undefined;
}

export type TwilioOperation<Deps> = Operation<Deps> & TwilioMethod;

export const NOT_FOUND = refused(problem("not-found", "The requested resource was not found."));

type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

interface TwilioOrder<Params extends z.ZodRawShape, Query extends z.ZodRawShape, Body extends z.ZodRawShape, Deps>
  extends TwilioMethod {
  readonly id: string;
  readonly summary: string;
  /** The path is relative to the account. */
  readonly route: OperationRoute;
  readonly limit?: LimitClass;
  readonly writes?: boolean | "grouped";
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: (
    input: {
      readonly account: Account;
      readonly params: Values<Params>;
      readonly query: Values<Query>;
      readonly body: Values<Body>;
      readonly now: Date;
      readonly headers: IncomingHttpHeaders;
      readonly request: RequestName;
    },
    unit: Unit,
    deps: Deps,
  ) => Promise<Outcome>;
}

export function twilioOperation<
  Deps,
  Params extends z.ZodRawShape = Record<never, never>,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodRawShape = Record<never, never>,
>(order: TwilioOrder<Params, Query, Body, Deps>): TwilioOperation<Deps> {
  const { client, differs, route, params: ownParams, query: ownQuery, body, handle, ...described } = order;
  const operation = accountOperation({
    ...described,
    route: route.replace(" ", " /Accounts/{AccountSid}") as OperationRoute,
    params: z.strictObject({ AccountSid: text(64), ...ownParams }),
    query: z.strictObject(ownQuery ?? {}),
    ...(route.startsWith("POST") && {
      body: z.strictObject(body ?? {}),
      readBody: (schema: z.ZodType, raw: unknown) => readWithFaults(schema, raw ?? {}, "text"),
    }),
    answers: {},
    async handle({ account, params, query, body: read, now, headers, request }, unit, deps: Deps): Promise<Outcome> {
      if (params.AccountSid !== account.sid) return NOT_FOUND;
      const given = read as Reading<unknown> | undefined;
      if (given && given.faults.length > 0) return refused(invalid(errorsOf(given.faults)));
      // Safe: the schemas of the order have read these.
      const input = { params, query, body: given?.value ?? {} } as unknown as {
        readonly params: Values<Params>;
        readonly query: Values<Query>;
        readonly body: Values<Body>;
      };
      return handle({ account, now, headers, request, ...input }, unit, deps);
    },
  });
  return { ...operation, tag: TWILIO_TAG, client, differs };
}
