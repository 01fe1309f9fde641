// Operators view an account's records through the account's own operations: one with `isSeenByOperators` is also served
// under `/operator/v1/Accounts/{accountSid}`, with the same filters and answers.
//
// Guarantees: only reads are served; each is recorded in the audit log first, with the account, the operation and the
// parameters; links to media and recordings are shown without their signatures.

import { z } from "zod";
import { ok, refused } from "../../../base/result.ts";
import { problem } from "../../../domain/problems.ts";
import {
  type AccountOperation,
  type Operation,
  operatorOperation,
  plainCommandsOf,
  tagged,
  type Untagged,
} from "./operation.ts";
import { text } from "./schemas.ts";

type Viewable<Deps> = AccountOperation<z.ZodType, z.ZodType, z.ZodType, Deps>;

export function operatorViews<Deps>(operations: readonly Operation<Deps>[]): readonly Operation<Deps>[] {
  const seen = operations.flatMap((operation) =>
    operation.who === "account" && operation.isSeenByOperators ? [viewOf(operation)] : [],
  );
  return tagged("Operator: an account's records", seen);
}

function viewOf<Deps>(operation: Viewable<Deps>): Untagged<Deps> {
  const { id, sdk, method, summary, description, path, params, query, answers, refusals, furtherFaults, handle } =
    operation;
  if (method !== "GET" || operation.writes) throw new Error(`${id} is no read`);
  const own = params instanceof z.ZodObject ? params.shape : {};
  return operatorOperation({
    id: `${id}OfAccount`,
    ...(sdk !== undefined && { sdk: `account(accountSid).${sdk}` }),
    command: plainCommandsOf(operation)
      .filter(({ isAccountsOnly }) => !isAccountsOnly)
      .map((command) => ({ ...command, name: `operator ${command.name}` })),
    summary: `As an account sees it: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    description: `${description === undefined ? "" : `${description} `}Entered in the audit log.`,
    route: `GET /Accounts/{accountSid}${path}`,
    params: z.strictObject({ accountSid: text(64), ...own }),
    ...(query && { query }),
    answers,
    refusals: [...new Set([...refusals, "not-found" as const])],
    ...(furtherFaults && { furtherFaults }),
    audit: ({ params: { accountSid, ...rest }, query: filters }) => ({
      subject: accountSid,
      details: { ...rest, ...(filters as object) },
    }),
    async handle({ params: { accountSid, ...rest }, ...input }, unit, deps: Deps) {
      const account = await unit.accounts.find(accountSid);
      if (!account) return refused(problem("not-found", `There is no account ${accountSid}.`));
      const seen = await handle({ ...input, params: rest, account }, unit, deps);
      return seen.ok ? ok({ ...seen.value, body: withoutSignatures(seen.value.body) }) : seen;
    },
  });
}

/** Of links that open media without credentials, wherever they occur: receivers may have sent them back to us. */
const SIGNATURE = /(signature(?:=|%3D))[\w-]{43}/gi;

export function withoutSignatures(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replace(SIGNATURE, "$1hidden"));
}
