// Refused requests, for the account that made them and for operators, who find them by what a caller can report: a
// trace or request id. The same ids lead to what a request made.

import { z } from "zod";
import { type CommandDescription, members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { MADE_KINDS } from "../../../../domain/made-by-requests.ts";
import { problem } from "../../../../domain/problems.ts";
import type { RefusedRequestFilters } from "../../../../domain/refused-requests.ts";
import { SINCE_UNTIL } from "../../core/command-parts.ts";
import { accountOperation, operatorOperation, tagged } from "../../core/operation.ts";
import { answerFound, answerPage } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { dateOf, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";

export const requestSchema = z
  .strictObject({
    createdOn: timestamp,
    operation: z.string().nullable().describe("The operation's id; null where the address is of none."),
    status: z.int(),
    code: z.string(),
    fault: z.string().nullable().describe("The fields at fault, or what the refusal said."),
    traceId: z.string(),
    requestId: z.string(),
  })
  .meta({ id: "RefusedRequest" });

export const ownedRequestSchema = z
  .strictObject({
    ...requestSchema.shape,
    accountSid: z.string().nullable().describe("Null where the credentials were wrong or none of an account."),
  })
  .meta({ id: "OwnedRefusedRequest" });

const madeSchema = z
  .strictObject({ kind: z.enum(MADE_KINDS), sid: z.string(), createdOn: timestamp })
  .meta({ id: "MadeByRequest" });

const whose = { requestId: z.string().describe("The id that was asked for.") };
const outcomeSchema = z
  .strictObject({ ...whose, made: z.array(madeSchema), refused: z.array(requestSchema) })
  .meta({ id: "RequestOutcome" });
const ownedOutcomeSchema = z
  .strictObject({
    ...whose,
    made: z.array(madeSchema.safeExtend({ accountSid: z.string() }).meta({ id: "OwnedMadeByRequest" })),
    refused: z.array(ownedRequestSchema),
  })
  .meta({ id: "OwnedRequestOutcome" });

const idParams = z.strictObject({
  requestId: text(128).describe("`X-Request-Id` of the answer, `traceId` of a refusal, or the sid of what it made."),
});

const OUTCOME =
  "What it made: messages and calls for as long as they are kept, whoever gave the id; port orders, MessagingConfigs and subscriptions where the id is one of ours. And how it was refused, for 7 days. A repeat under an `Idempotency-Key` made nothing: ask by the id of the first request.";

/** Finds by either id; without an account, among those of all callers. */
async function outcomeOf({ madeByRequests, refusedRequests }: Unit, requestId: string, accountSid?: string) {
  const made = await madeByRequests.find(requestId, accountSid);
  const refusals = await refusedRequests.find(requestId, accountSid);
  return made.length + refusals.length === 0 ? undefined : { requestId, made, refused: refusals };
}

const moment = z.iso.datetime({ offset: true }).optional();
const filters = {
  RequestId: text(128).optional().describe("`X-Request-Id` of the answer."),
  TraceId: text(64).optional().describe("`traceId` of the refusal."),
  Status: z.int().min(400).max(599).optional(),
  CreatedOnFrom: moment,
  CreatedOnTo: moment,
};

const query = z.strictObject(filters);

function filtersOf(given: z.output<typeof query>): RefusedRequestFilters {
  return {
    requestId: given.RequestId,
    traceId: given.TraceId,
    status: given.Status,
    from: dateOf(given.CreatedOnFrom),
    to: dateOf(given.CreatedOnTo),
  };
}

const show = <Owned extends { readonly accountSid: unknown }>({ accountSid: _, ...rest }: Owned) => rest;

const REQUESTS = members("At = createdOn, Account? = accountSid, operation, status, code, fault, requestId");
const LIST_REQUESTS = {
  about: "List refused requests, the newest first.",
  options: {
    "--request-id <id>": ["RequestId", "with this X-Request-Id, which every refusal shows"],
    "--trace-id <id>": ["TraceId", "with this traceId"],
    "--status <status>": ["Status", "with this HTTP status", { kind: "refusalStatus" }],
    ...SINCE_UNTIL,
  },
  isLimited: true,
  shows: [{ table: REQUESTS }],
} as const satisfies Omit<CommandDescription, "name">;
const SHOW_REQUEST = {
  about: "Show what became of a request: what it made, and how it was refused.",
  arguments: { "<id>": ["requestId", "its X-Request-Id, the traceId of a refusal, or the sid of what it made"] },
  shows: [
    { table: members("Made = kind, sid, createdOn, Account? = accountSid"), of: "made?" },
    { table: REQUESTS, of: "refused?" },
  ],
} as const satisfies Omit<CommandDescription, "name">;

export const requestOperations = tagged("Requests", [
  accountOperation({
    id: "listRequests",
    sdk: "requests.list",
    command: { name: "requests list", ...LIST_REQUESTS },
    summary: "List refused requests",
    description:
      "Of the last 7 days, without their bodies; there some seconds after the answer. Of more than 100 within a minute with the same `code` some are left out.",
    route: "GET /Requests",
    isSeenByOperators: true,
    query: listQuery(filters),
    answers: { 200: { description: "A page of requests.", body: listOf("RefusedRequestList", requestSchema) } },
    async handle({ account, query: given }, unit) {
      const asked = { ...filtersOf(given), accountSid: account.sid };
      return answerPage(await unit.refusedRequests.list(pageRequestOf(given), asked), show);
    },
  }),
  accountOperation({
    id: "getRequest",
    sdk: "requests.get",
    command: { name: "requests show", ...SHOW_REQUEST },
    summary: "What became of a request",
    description: OUTCOME,
    route: "GET /Requests/{requestId}",
    isSeenByOperators: true,
    params: idParams,
    answers: { 200: { description: "What it made, and how it was refused.", body: outcomeSchema } },
    refusals: ["not-found"],
    async handle({ account, params: { requestId } }, unit) {
      const found = await outcomeOf(unit, requestId, account.sid);
      if (!found) return refused(problem("not-found"));
      const body = { requestId, made: found.made.map(show), refused: found.refused.map(show) };
      return ok({ status: 200, body });
    },
  }),
]);

export const operatorRequestOperations = tagged("Operator", [
  operatorOperation({
    id: "listAllRequests",
    sdk: "requests.list",
    command: { name: "operator requests list", ...LIST_REQUESTS },
    summary: "List refused requests of all callers",
    description:
      "Also those whose credentials were wrong. Of the last 7 days, without their bodies. Entered in the audit log.",
    route: "GET /Requests",
    query: listQuery(filters),
    answers: {
      200: { description: "A page of requests.", body: listOf("OwnedRefusedRequestList", ownedRequestSchema) },
    },
    audit: ({ query: given }) => ({ subject: null, details: given }),
    handle: async ({ query: given }, unit) =>
      answerPage(await unit.refusedRequests.list(pageRequestOf(given), filtersOf(given))),
  }),
  operatorOperation({
    id: "getAnyRequest",
    sdk: "requests.get",
    command: { name: "operator requests show", ...SHOW_REQUEST },
    summary: "What became of a request of any caller",
    description: `${OUTCOME} Entered in the audit log.`,
    route: "GET /Requests/{requestId}",
    params: idParams,
    answers: { 200: { description: "What it made, and how it was refused.", body: ownedOutcomeSchema } },
    refusals: ["not-found"],
    audit: ({ params: { requestId } }) => ({ subject: requestId, details: null }),
    handle: async ({ params: { requestId } }, unit) => answerFound(await outcomeOf(unit, requestId)),
  }),
]);
