// Refused requests, for the account that made them and for operators, who find them by what a caller can tell: a trace
// or request id.

import { z } from "zod";
import { ok } from "../../../../base/result.ts";
import type { RefusedRequest, RefusedRequestFilters } from "../../../../domain/refused-requests.ts";
import { accountOperation, type Operation, operatorOperation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";

const requestSchema = z
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

const ownedSchema = z
  .strictObject({
    ...requestSchema.shape,
    accountSid: z.string().nullable().describe("Null where the credentials were wrong or none of an account."),
  })
  .meta({ id: "OwnedRefusedRequest" });

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
  const dateOf = (value: string | undefined) => (value === undefined ? undefined : new Date(value));
  return {
    requestId: given.RequestId,
    traceId: given.TraceId,
    status: given.Status,
    from: dateOf(given.CreatedOnFrom),
    to: dateOf(given.CreatedOnTo),
  };
}

const show = ({ accountSid: _, ...rest }: RefusedRequest) => rest;

export function requestOperations(): readonly Operation[] {
  return [
    accountOperation({
      id: "listRequests",
      tag: "Requests",
      summary: "List refused requests",
      description:
        "Of the last 7 days, without their bodies; there some seconds after the answer. Of more than 100 within a minute with the same `code` some are left out.",
      method: "GET",
      path: "/Requests",
      limit: "read",
      isSeenByOperators: true,
      writes: false,
      query: listQuery(filters),
      answers: { 200: { description: "A page of requests.", body: listOf("RefusedRequestList", requestSchema) } },
      refusals: [],
      async handle({ account, query: given }, unit) {
        const asked = { ...filtersOf(given), accountSid: account.sid };
        const page = await unit.refusedRequests.list(pageRequestOf(given), asked);
        return ok({ status: 200, body: listBody(page, show) });
      },
    }),
  ];
}

export function operatorRequestOperations(): readonly Operation[] {
  return [
    operatorOperation({
      id: "listAllRequests",
      tag: "Operator",
      summary: "List refused requests of all callers",
      description:
        "Also those whose credentials were wrong. Of the last 7 days, without their bodies. Entered in the audit log.",
      method: "GET",
      path: "/Requests",
      writes: false,
      query: listQuery(filters),
      answers: { 200: { description: "A page of requests.", body: listOf("OwnedRefusedRequestList", ownedSchema) } },
      refusals: [],
      audit: ({ query: given }) => ({ subject: null, details: given }),
      async handle({ query: given }, unit) {
        const page = await unit.refusedRequests.list(pageRequestOf(given), filtersOf(given));
        return ok({ status: 200, body: listBody(page, (request) => request) });
      },
    }),
  ];
}
