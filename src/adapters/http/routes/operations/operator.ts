// The rest of the operator's API: named tokens, number inventory, lookup overrides, the audit log.

import { z } from "zod";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { AuditEntry } from "../../../../domain/audit.ts";
import type { LookupOverride } from "../../../../domain/lookup/index.ts";
import { MESSAGING_STATUSES, PHONE_TYPES } from "../../../../domain/lookup/index.ts";
import { type InventoryNumber, NUMBER_FEATURES } from "../../../../domain/numbers/index.ts";
import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { type Operation, type OperationGroup, operatorOperation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { type OperatorAccountDeps, operatorAccountOperations } from "../accounts/operator-accounts.ts";
import { type OperatorCampaignDeps, operatorCampaignOperations } from "../campaigns/operator-campaigns.ts";
import { type OperatorLinkDeps, operatorLinkOperations } from "../messaging/operator-links.ts";
import { type OperatorPortDeps, operatorPortOperations } from "../porting/operator-ports.ts";
import { operatorWebhookOperations } from "../webhooks/operator-webhooks.ts";
import { operatorReconcileOperations } from "./operator-reconciles.ts";

export interface OperatorRouteDeps
  extends OperatorAccountDeps,
    OperatorLinkDeps,
    OperatorCampaignDeps,
    OperatorPortDeps {
  /** Answers the number in E.164, or why it is none. */
  readonly parseNumber: (text: string) => Result<string, { readonly reason: string }>;
}

export function operatorRoutes(deps: OperatorRouteDeps): OperationGroup {
  return {
    prefixes: ["/operator/v1"],
    operations: [
      ...operatorAccountOperations(deps),
      ...tokenOperations(deps),
      ...inventoryOperations(deps),
      ...overrideOperations(deps),
      ...operatorLinkOperations(deps),
      ...operatorPortOperations(deps),
      ...operatorReconcileOperations(),
      ...operatorWebhookOperations(),
      ...operatorCampaignOperations(deps),
      auditOperation(),
    ],
  };
}

const tokenName = z.string().regex(/^[A-Za-z0-9._@-]{1,64}$/, "1 to 64 of letters, digits and . _ @ - are allowed.");

function tokenOperations(deps: OperatorRouteDeps): readonly Operation[] {
  const operatorToken = z.strictObject({ name: z.string(), createdOn: timestamp }).meta({ id: "OperatorToken" });
  return [
    operatorOperation({
      id: "listOperatorTokens",
      tag: "Operator",
      summary: "List operator tokens by name",
      method: "GET",
      path: "/Tokens",
      writes: false,
      answers: { 200: { description: "The names.", body: listOf("OperatorTokenList", operatorToken) } },
      refusals: [],
      handle: async (_input, unit) => ok({ status: 200, body: { items: await unit.operatorTokens.list() } }),
    }),
    operatorOperation({
      id: "createOperatorToken",
      tag: "Operator",
      summary: "Make an operator token",
      description: "Its name stands in the audit log beside everything done with it.",
      method: "POST",
      path: "/Tokens",
      writes: true,
      body: z.strictObject({ name: tokenName }).meta({ id: "OperatorTokenOrder" }),
      answers: {
        201: {
          description: "The token, shown once.",
          body: z.strictObject({ ...operatorToken.shape, token: z.string() }).meta({ id: "NewOperatorToken" }),
        },
      },
      refusals: ["conflict"],
      async handle({ body, now }, unit) {
        const token = deps.tokens.make();
        const added = await unit.operatorTokens.insert(body.name, token.digest, now);
        if (!added) return refused(problem("conflict", `There is an operator token named ${body.name} already.`));
        return ok({ status: 201, body: { name: body.name, createdOn: now, token: token.text } });
      },
    }),
    operatorOperation({
      id: "deleteOperatorToken",
      tag: "Operator",
      summary: "Delete an operator token",
      description: "409 when it is the only one.",
      method: "DELETE",
      path: "/Tokens/{name}",
      writes: true,
      params: z.strictObject({ name: tokenName }),
      answers: { 204: { description: "It no longer signs anybody in." } },
      refusals: ["not-found", "conflict"],
      async handle({ params }, unit) {
        if (!(await unit.operatorTokens.remove(params.name))) return refused(problem("not-found"));
        const left = await unit.operatorTokens.list();
        if (left.length === 0) return refused(problem("conflict", "This is the only operator token."));
        return ok({ status: 204 });
      },
    }),
  ];
}

const numberParams = z.strictObject({ number: z.string().max(256) });

function inventoryOperations(deps: OperatorRouteDeps): readonly Operation[] {
  const features = z.array(z.enum(NUMBER_FEATURES).meta({ id: "NumberFeature" })).max(8);
  const inventoryNumber = z
    .strictObject({ number: z.string(), features, createdOn: timestamp })
    .meta({ id: "InventoryNumber" });
  return [
    operatorOperation({
      id: "listInventory",
      tag: "Operator: numbers",
      summary: "List the number inventory",
      method: "GET",
      path: "/Numbers",
      writes: false,
      query: listQuery({}),
      answers: { 200: { description: "A page of numbers.", body: listOf("InventoryList", inventoryNumber) } },
      refusals: [],
      handle: async ({ query }, unit) =>
        ok({ status: 200, body: listBody(await unit.inventory.list(pageRequestOf(query)), (number) => number) }),
    }),
    operatorOperation({
      id: "addInventory",
      tag: "Operator: numbers",
      summary: "Add numbers to the inventory",
      description:
        "All or none: one that is no phone number refuses the whole request. Numbers already here stay as they are.",
      method: "POST",
      path: "/Numbers",
      writes: true,
      body: z
        .strictObject({ numbers: z.array(z.string().max(256)).min(1).max(1000), features: features.optional() })
        .meta({ id: "InventoryOrder" }),
      answers: {
        201: {
          description: "How many were new.",
          body: z
            .strictObject({ added: z.array(z.string()), alreadyHere: z.array(z.string()) })
            .meta({ id: "InventoryAdded" }),
        },
      },
      refusals: [],
      async handle({ body, now }, unit) {
        const faults: Record<string, string[]> = {};
        const numbers = new Map<string, InventoryNumber>();
        body.numbers.forEach((text, index) => {
          const parsed = deps.parseNumber(text);
          if (!parsed.ok) faults[`numbers[${index}]`] = [parsed.refusal.reason];
          else
            numbers.set(parsed.value, {
              number: parsed.value,
              features: body.features ?? NUMBER_FEATURES,
              createdOn: now,
            });
        });
        if (Object.keys(faults).length > 0) return refused(invalid(faults));
        const added = await unit.inventory.add([...numbers.values()]);
        const isNew = new Set(added);
        return ok({
          status: 201,
          body: { added, alreadyHere: [...numbers.keys()].filter((number) => !isNew.has(number)) },
        });
      },
    }),
    operatorOperation({
      id: "removeInventory",
      tag: "Operator: numbers",
      summary: "Take a number out of the inventory",
      description: "409 while it serves an account.",
      method: "DELETE",
      path: "/Numbers/{number}",
      writes: true,
      params: numberParams,
      answers: { 204: { description: "It is gone." } },
      refusals: ["not-found", "conflict"],
      async handle({ params }, unit) {
        const parsed = deps.parseNumber(params.number);
        if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
        const outcome = await unit.inventory.remove(parsed.value);
        if (outcome === "removed") return ok({ status: 204 });
        if (outcome === "unknown") return refused(problem("not-found"));
        return refused(problem("conflict", `${parsed.value} serves an account: the account must remove it first.`));
      },
    }),
  ];
}

function overrideOperations(deps: OperatorRouteDeps): readonly Operation[] {
  const fields = {
    type: z.enum(PHONE_TYPES),
    status: z.enum(MESSAGING_STATUSES),
    carrierName: text(128).nullable(),
  };
  const override = z
    .strictObject({ number: z.string(), ...fields, note: z.string().nullable(), updatedOn: timestamp })
    .meta({ id: "LookupOverride" });
  const withNumber = async (
    given: string,
    work: (number: string) => Promise<LookupOverride | undefined>,
  ): Promise<Result<LookupOverride, Problem>> => {
    const parsed = deps.parseNumber(given);
    if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
    const found = await work(parsed.value);
    return found ? ok(found) : refused(problem("not-found"));
  };
  return [
    operatorOperation({
      id: "listLookupOverrides",
      tag: "Operator: lookup",
      summary: "List lookup overrides",
      method: "GET",
      path: "/LookupOverrides",
      writes: false,
      query: listQuery({}),
      answers: { 200: { description: "A page of overrides.", body: listOf("LookupOverrideList", override) } },
      refusals: [],
      handle: async ({ query }, unit) =>
        ok({ status: 200, body: listBody(await unit.overrides.list(pageRequestOf(query)), (item) => item) }),
    }),
    operatorOperation({
      id: "getLookupOverride",
      tag: "Operator: lookup",
      summary: "A number's lookup override",
      method: "GET",
      path: "/LookupOverrides/{number}",
      writes: false,
      params: numberParams,
      answers: { 200: { description: "The override.", body: override } },
      refusals: ["not-found"],
      async handle({ params }, unit) {
        const found = await withNumber(params.number, (number) => unit.overrides.find(number));
        return found.ok ? ok({ status: 200, body: found.value }) : found;
      },
    }),
    operatorOperation({
      id: "putLookupOverride",
      tag: "Operator: lookup",
      summary: "Say what lookups of a number answer",
      method: "PUT",
      path: "/LookupOverrides/{number}",
      writes: true,
      params: numberParams,
      body: z
        .strictObject({ ...fields, carrierName: fields.carrierName.optional(), note: text(256).nullable().optional() })
        .meta({ id: "LookupOverrideOrder" }),
      answers: { 200: { description: "The override.", body: override } },
      refusals: [],
      async handle({ params, body, now }, unit) {
        const put = await withNumber(params.number, async (number) => {
          const entry: LookupOverride = {
            number,
            type: body.type,
            status: body.status,
            carrierName: body.carrierName ?? null,
            note: body.note ?? null,
            updatedOn: now,
          };
          await unit.overrides.put(entry);
          return entry;
        });
        return put.ok ? ok({ status: 200, body: put.value }) : put;
      },
    }),
    operatorOperation({
      id: "deleteLookupOverride",
      tag: "Operator: lookup",
      summary: "Take a lookup override away",
      method: "DELETE",
      path: "/LookupOverrides/{number}",
      writes: true,
      params: numberParams,
      answers: { 204: { description: "Lookups answer from the other sources again." } },
      refusals: ["not-found"],
      async handle({ params }, unit) {
        const parsed = deps.parseNumber(params.number);
        if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
        return (await unit.overrides.remove(parsed.value)) ? ok({ status: 204 }) : refused(problem("not-found"));
      },
    }),
  ];
}

function auditOperation(): Operation {
  const entry = z
    .strictObject({
      at: timestamp,
      operator: z.string(),
      action: z.string().describe("The operation's id."),
      subject: z.string().nullable(),
      details: z.unknown(),
      requestId: z.string(),
    })
    .meta({ id: "AuditEntry" });
  const show = ({ id: _, ...rest }: AuditEntry) => rest;
  return operatorOperation({
    id: "listAuditLog",
    tag: "Operator",
    summary: "What operators did",
    method: "GET",
    path: "/AuditLog",
    writes: false,
    query: listQuery({ Operator: text(64).optional(), Subject: text(256).optional() }),
    answers: { 200: { description: "A page of entries.", body: listOf("AuditList", entry) } },
    refusals: [],
    async handle({ query }, unit) {
      const page = await unit.audit.list(pageRequestOf(query), { operator: query.Operator, subject: query.Subject });
      return ok({ status: 200, body: listBody(page, show) });
    },
  });
}
