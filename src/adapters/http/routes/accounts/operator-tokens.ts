// The operators' named tokens, and the audit log.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { OPERATOR_ROLES, type TokenMaker } from "../../../../domain/accounts/index.ts";
import type { AuditEntry } from "../../../../domain/audit.ts";
import { problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerPage } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";

export interface OperatorTokenDeps {
  readonly tokens: TokenMaker;
}

const tokenName = z.string().regex(/^[A-Za-z0-9._@-]{1,64}$/, "1 to 64 of letters, digits and . _ @ - are allowed.");

const role = z.enum(OPERATOR_ROLES).meta({ id: "OperatorRole" });
const operatorToken = z.strictObject({ name: z.string(), role, createdOn: timestamp }).meta({ id: "OperatorToken" });

export const operatorTokenOperations = tagged<OperatorTokenDeps>("Operator", [
  operatorOperation({
    id: "listOperatorTokens",
    sdk: "tokens.list",
    command: {
      name: "operator tokens list",
      about: "List the names and roles of operators' tokens.",
      shows: [{ table: members("name, role, createdOn") }],
    },
    summary: "List operator tokens",
    route: "GET /Tokens",
    answers: { 200: { description: "Their names and roles.", body: listOf("OperatorTokenList", operatorToken) } },
    handle: async (_input, unit) => ok({ status: 200, body: { items: await unit.operatorTokens.list() } }),
  }),
  operatorOperation({
    id: "createOperatorToken",
    sdk: "tokens.create",
    command: {
      name: "operator tokens create",
      about: "Make a token for an operator, shown this once. Its name stands in the audit log.",
      arguments: { "<name>": "whose it is, such as ann@example.com" },
      options: { "--role <role>": ["role", "admin does everything, support only reads", { default: "admin" }] },
      shows: [
        { print: "{token}" },
        { say: "This is the token of {<name>}, who may {<role>|roleMay}. It is shown this once." },
      ],
    },
    summary: "Make an operator token",
    description:
      "Its name stands in the audit log beside everything done with it. The role `support` reads, and is refused everything else with 403.",
    route: "POST /Tokens",
    body: z.strictObject({ name: tokenName, role: role.default("admin") }).meta({ id: "OperatorTokenOrder" }),
    answers: {
      201: {
        description: "The token, shown once.",
        body: z.strictObject({ ...operatorToken.shape, token: z.string() }).meta({ id: "NewOperatorToken" }),
      },
    },
    refusals: ["conflict"],
    async handle({ body, now }, unit, { tokens }) {
      const token = tokens.make();
      const made = { name: body.name, role: body.role, createdOn: now };
      if (!(await unit.operatorTokens.insert(made, token.digest)))
        return refused(problem("conflict", `There is an operator token named ${body.name} already.`));
      return ok({ status: 201, body: { ...made, token: token.text } });
    },
  }),
  operatorOperation({
    id: "deleteOperatorToken",
    sdk: "tokens.remove",
    command: {
      name: "operator tokens delete",
      about: "Delete an operator's token. What uses it is refused from then on.",
      arguments: { "<name>": "the token's name" },
      done: "deleted",
      shows: [{ say: "The token of {<name>} is deleted." }],
    },
    summary: "Delete an operator token",
    description: "409 when it is the only one of the role `admin`.",
    route: "DELETE /Tokens/{name}",
    params: z.strictObject({ name: tokenName }),
    answers: { 204: { description: "It no longer signs anybody in." } },
    refusals: ["not-found", "conflict"],
    async handle({ params }, unit) {
      if (!(await unit.operatorTokens.remove(params.name))) return refused(problem("not-found"));
      const left = await unit.operatorTokens.list();
      if (!left.some((token) => token.role === "admin")) {
        return refused(problem("conflict", "This is the only operator token of the role admin."));
      }
      return ok({ status: 204 });
    },
  }),
]);

const auditEntry = z
  .strictObject({
    at: timestamp,
    operator: z.string(),
    action: z.string().describe("The operation's id."),
    subject: z.string().nullable(),
    details: z.unknown(),
    requestId: z.string(),
  })
  .meta({ id: "AuditEntry" });
const showEntry = ({ id: _, ...rest }: AuditEntry) => rest;

export const auditOperations = tagged("Operator", [
  operatorOperation({
    id: "listAuditLog",
    sdk: "auditLog.list",
    command: {
      name: "operator audit list",
      about: "List what operators did, the newest first.",
      options: {
        "--operator <name>": ["Operator", "with this operator's token"],
        "--subject <sid>": ["Subject", "to this account, order, number, …"],
      },
      isLimited: true,
      shows: [
        {
          table: members("at, operator, action, subject, details, requestId"),
        },
      ],
    },
    summary: "What operators did",
    route: "GET /AuditLog",
    query: listQuery({ Operator: text(64).optional(), Subject: text(256).optional() }),
    answers: { 200: { description: "A page of entries.", body: listOf("AuditList", auditEntry) } },
    handle: async ({ query }, unit) =>
      answerPage(
        await unit.audit.list(pageRequestOf(query), { operator: query.Operator, subject: query.Subject }),
        showEntry,
      ),
  }),
]);
