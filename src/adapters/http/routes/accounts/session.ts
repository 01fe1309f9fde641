// Sessions of people who use the portal: the browser keeps a cookie, and the portal calls the same API as every client.
//
// Guarantees: callers that are not signed in yet are checked outside a transaction, which would hold one connection
// while it waits for another.

import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { ok, type Result, refused } from "../../../../base/result.ts";
import {
  OPERATOR_ROLES,
  type OpenedSession,
  openAccountSession,
  openOperatorSession,
  openTicketSession,
  type Session,
  type TokenMaker,
} from "../../../../domain/accounts/index.ts";
import { invalid, type Problem } from "../../../../domain/problems.ts";
import { type AskedBy, openOperation, tagged } from "../../core/operation.ts";
import { answerWith } from "../../core/outcomes.ts";
import type { Store, Unit } from "../../core/ports.ts";
import { text, timestamp } from "../../core/schemas.ts";
import { endedCookie, sessionCookie, sessionTextOf } from "../../core/session-cookie.ts";
import { countFailure, findSession, judgePage, type SignInDeps } from "../../core/sign-in.ts";

export interface SessionRouteDeps extends SignInDeps {
  readonly tokens: TokenMaker;
  readonly digestOf: (token: string) => Uint8Array;
  readonly transaction: Store["transaction"];
  readonly isSandbox: boolean;
  /** Where the credentials of this account are kept for the people of a sandbox; null for any other account. */
  readonly demoEnvOf: (accountSid: string) => string | null;
  /** Whether browsers reach the server over TLS. */
  readonly isSecure: () => boolean;
}

const orderSchema = z
  .strictObject({
    accountSid: text(64).optional().describe("Together with `token`."),
    token: text(256).optional(),
    operatorToken: text(256).optional(),
    ticket: text(256).optional().describe("Of a link that signs in once."),
  })
  .describe("`accountSid` and `token`, or `operatorToken`, or `ticket`.")
  .meta({ id: "SessionOrder" });

type Order = z.output<typeof orderSchema>;

const sessionSchema = z
  .strictObject({
    kind: z.enum(["Account", "Operator"]),
    accountSid: z.string().nullable().describe("Null for operators."),
    name: z.string().describe("Of the account or the operator's token."),
    role: z.enum(OPERATOR_ROLES).nullable().describe("Null for accounts."),
    token: z.int().nullable().describe("The place of the account's token by which it was opened; null for operators."),
    sandbox: z.boolean().describe("Whether the world outside is simulated."),
    demoEnv: z
      .string()
      .nullable()
      .describe(
        "The file with the account's credentials, for shells in the server's folder: a sandbox's demo account.",
      ),
    expiresOn: timestamp.describe("Every use puts it off, up to 7 days after it was opened; an open stream does not."),
  })
  .meta({ id: "Session" });

const COOKIE = { "Set-Cookie": "`tandem_session`, for the browser." };

export const sessionOperations = tagged<SessionRouteDeps>("Session", [
  openOperation({
    id: "openSession",
    sdk: "session.signIn",
    summary: "Sign in by a page",
    description:
      "For browsers: the answer sets a cookie, and requests with it and without `Authorization` have the rights of the token. Whatever is not read with GET also needs the header `X-Tandem-Session: 1`, this operation too. A request may name whom the page shows as signed in, by `X-Tandem-Account: SID`, of an operator `operator:NAME`; in the session of any other it is refused with 409 `other-account`. A session ends after 12 hours without use, 7 days after it was opened, with its token, and when the account is suspended.",
    route: "POST /Session",
    body: orderSchema,
    answers: { 201: { description: "The session.", body: sessionSchema, headers: COOKIE } },
    refusals: ["account-suspended"],
    async handle({ body, by, now }, _unit, deps) {
      const opened = await open(deps, body, by, now);
      if (!opened.ok) return opened;
      const headers = { "Set-Cookie": sessionCookie(opened.value.text, deps.isSecure()) };
      return ok({ status: 201, body: show(opened.value, deps), headers });
    },
  }),
  openOperation({
    id: "getSession",
    sdk: "session.get",
    summary: "Who has signed in",
    description: "`null` where nobody has, and after the session has ended.",
    route: "GET /Session",
    answers: { 200: { description: "The session, or null.", body: sessionSchema.nullable() } },
    refusals: ["other-account"],
    async handle({ by }, _unit, deps) {
      const session = await findSession(deps, by);
      if (!session.ok && session.refusal.code === "unauthorized") return ok({ status: 200, body: null });
      return answerWith(session, (value) => show(value, deps));
    },
  }),
  openOperation({
    id: "endSession",
    sdk: "session.signOut",
    summary: "Sign out",
    route: "DELETE /Session",
    query: z.strictObject({
      Everywhere: z.boolean().optional().describe("Ends all sessions of the account or the operator's token."),
    }),
    answers: { 204: { description: "The session has ended.", headers: COOKIE } },
    refusals: ["other-account"],
    async handle({ query, by, now }, _unit, deps) {
      const session = await findSession(deps, by);
      if (!session.ok) return session;
      await deps.transaction(async (unit) => {
        await endGiven(deps, unit, by.headers);
        if (query.Everywhere) await unit.sessions.endAllOf(session.value.owner);
        await audit(unit, "endSession", session.value, by, now);
      });
      return ok({ status: 204, headers: { "Set-Cookie": endedCookie(deps.isSecure()) } });
    },
  }),
]);

function show({ owner, token, expiresOn }: Session, { isSandbox: sandbox, demoEnvOf }: SessionRouteDeps): object {
  if (owner.kind === "operator") {
    const { name, role } = owner;
    return { kind: "Operator", accountSid: null, name, role, token, sandbox, demoEnv: null, expiresOn };
  }
  const { sid: accountSid, name } = owner.account;
  return { kind: "Account", accountSid, name, role: null, token, sandbox, demoEnv: demoEnvOf(accountSid), expiresOn };
}

/** The browser's previous session ends when the new one opens. */
async function open(
  deps: SessionRouteDeps,
  order: Order,
  by: AskedBy,
  now: Date,
): Promise<Result<OpenedSession, Problem>> {
  const forged = judgePage(by);
  if (forged) return refused(forged);
  const opening = await openerOf(deps, order, by, now);
  if (!opening.ok) return opening;
  const outcome = await deps.transaction(async (unit) => {
    const opened = await opening.value(unit);
    if (!opened.ok) return opened;
    await endGiven(deps, unit, by.headers);
    await audit(unit, "openSession", opened.value, by, now);
    return opened;
  });
  if (outcome.ok || outcome.refusal.code !== "unauthorized") return outcome;
  return refused(await countFailure(deps.limits, by.ip, outcome.refusal.detail ?? ""));
}

type Opener = (unit: Unit) => Promise<Result<OpenedSession, Problem>>;

/** Credentials are checked before the transaction begins, so that guesses do not hold one open. */
async function openerOf(
  { credentials, limits, tokens, digestOf }: SessionRouteDeps,
  { accountSid, token, operatorToken, ticket }: Order,
  { ip }: AskedBy,
  now: Date,
): Promise<Result<Opener, Problem>> {
  const depsOf = ({ accounts, sessions }: Unit) => ({ accounts, sessions, tokens, now });
  const given = [accountSid ?? token, operatorToken, ticket].filter((value) => value !== undefined);
  if (given.length !== 1) return refused(invalid({ $: ["Give accountSid and token, or operatorToken, or ticket."] }));
  if (ticket !== undefined) return ok((unit) => openTicketSession(depsOf(unit), digestOf(ticket)));
  if (operatorToken !== undefined) {
    const operator = await credentials.operator(operatorToken);
    if (!operator) return refused(await countFailure(limits, ip, "The token is wrong."));
    return ok(async (unit) => ok(await openOperatorSession(depsOf(unit), operator)));
  }
  if (accountSid === undefined || token === undefined) {
    return refused(invalid({ [accountSid === undefined ? "accountSid" : "token"]: ["This is required."] }));
  }
  if (!(await credentials.account(accountSid, token))) {
    return refused(await countFailure(limits, ip, "The account or the token is wrong."));
  }
  return ok((unit) => openAccountSession(depsOf(unit), accountSid, digestOf(token)));
}

async function endGiven({ digestOf }: SessionRouteDeps, unit: Unit, headers: IncomingHttpHeaders): Promise<void> {
  const before = sessionTextOf(headers);
  if (before) await unit.sessions.end(digestOf(before));
}

/** All actions of operators are recorded, including signing in and out. */
async function audit(unit: Unit, action: string, { owner }: Session, by: AskedBy, at: Date): Promise<void> {
  if (owner.kind !== "operator") return;
  await unit.audit.record({ at, operator: owner.name, action, subject: owner.name, details: null, requestId: by.id });
}
