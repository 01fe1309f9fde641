// Views of the portal that people have named: a page with its filters.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import {
  type Limit,
  renameView,
  type SavedView,
  type SessionOwner,
  saveView,
  VIEWS_MAX,
} from "../../../../domain/accounts/index.ts";
import { type Problem, problem } from "../../../../domain/problems.ts";
import { type AskedBy, openOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerDone, answerWith } from "../../core/outcomes.ts";
import type { Store, Unit } from "../../core/ports.ts";
import { listOf, sidParams, timestamp, words } from "../../core/schemas.ts";
import { ownerName } from "../../core/session-cookie.ts";
import { findSession, type SignInDeps } from "../../core/sign-in.ts";

export interface SavedViewDeps extends SignInDeps {
  readonly ids: Ids;
  readonly transaction: Store["transaction"];
}

const NAME_MAX = 80;
const ADDRESS_MAX = 2_000;
/** Of all people of an account together, or of an operator. */
const CHANGES: Limit = { requests: 100, windowSeconds: 10 };

const viewName = words(NAME_MAX);
/** Path and query of a page of the portal. */
export const pageAddress = z
  .string()
  .max(ADDRESS_MAX)
  .regex(/^\/([!-.0-[\]-~][!-~]*)?$/, "This is no address of the portal: it begins with one slash.");

const viewSchema = z
  .strictObject({
    sid: z.string(),
    name: z.string(),
    address: z.string().describe("Path and query of the page."),
    createdOn: timestamp,
  })
  .meta({ id: "SavedView" });

const ABOUT = "For browsers that have signed in; requests with credentials in `Authorization` are refused.";

export const savedViewOperations = tagged<SavedViewDeps>("Session", [
  openOperation({
    id: "listViews",
    sdk: "session.views.list",
    summary: "Views that people have named",
    description: `By name: those of the account, whoever saved them, or the operator's own. ${ABOUT}`,
    route: "GET /Session/Views",
    answers: { 200: { description: "The views.", body: listOf("SavedViewList", viewSchema) } },
    refusals: ["other-account"],
    async handle({ by }, unit, deps) {
      const session = await findSession(deps, by);
      if (!session.ok) return session;
      return ok({ status: 200, body: { items: await unit.savedViews.list(session.value.owner) } });
    },
  }),
  openOperation({
    id: "saveView",
    sdk: "session.views.save",
    summary: "Save a view",
    description: `A page of the portal with its filters, under a name. 409 where the name is taken, and where there are ${VIEWS_MAX} already. ${ABOUT}`,
    route: "POST /Session/Views",
    body: z.strictObject({ name: viewName, address: pageAddress }).meta({ id: "SavedViewOrder" }),
    answers: { 201: { description: "The view.", body: viewSchema } },
    refusals: ["other-account", "conflict"],
    handle: async ({ body, by, now }, _unit, deps) =>
      answerCreated(
        await change(deps, by, { action: "saveView", now }, ({ savedViews }, owner) =>
          saveView({ savedViews, ids: deps.ids, now }, owner, body),
        ),
      ),
  }),
  openOperation({
    id: "renameView",
    sdk: "session.views.rename(sid, name)",
    summary: "Rename a view",
    description: ABOUT,
    route: "PATCH /Session/Views/{sid}",
    params: sidParams,
    body: z.strictObject({ name: viewName }).meta({ id: "SavedViewName" }),
    answers: { 200: { description: "The view as it is now.", body: viewSchema } },
    refusals: ["other-account", "not-found", "conflict"],
    handle: async ({ params, body, by, now }, _unit, deps) =>
      answerWith(
        await change(deps, by, { action: "renameView", now }, ({ savedViews }, owner) =>
          renameView({ savedViews }, owner, params.sid, body.name),
        ),
      ),
  }),
  openOperation({
    id: "deleteView",
    sdk: "session.views.remove",
    summary: "Delete a view",
    description: ABOUT,
    route: "DELETE /Session/Views/{sid}",
    params: sidParams,
    answers: { 204: { description: "It is gone." } },
    refusals: ["other-account", "not-found"],
    handle: async ({ params, by, now }, _unit, deps) =>
      answerDone(
        await change(deps, by, { action: "deleteView", now }, async ({ savedViews }, owner) =>
          (await savedViews.remove(owner, params.sid))
            ? ok({ sid: params.sid })
            : refused<Problem>(problem("not-found")),
        ),
      ),
  }),
]);

type Changed = Result<Pick<SavedView, "sid">, Problem>;

/** Changes views of whom the session belongs to. The session is looked for outside the transaction. */
async function change<Outcome extends Changed>(
  deps: SavedViewDeps,
  by: AskedBy,
  { action, now }: { readonly action: string; readonly now: Date },
  work: (unit: Unit, owner: SessionOwner) => Promise<Outcome>,
): Promise<Outcome | Result<never, Problem>> {
  const session = await findSession(deps, by);
  if (!session.ok) return session;
  const { owner } = session.value;
  const taken = await deps.limits.take(`views ${ownerName(owner)}`, "write", CHANGES, 1);
  if (!taken.admitted) {
    return refused({
      ...problem("rate-limited", "Too many views were changed."),
      retryAfterSeconds: taken.resetSeconds,
    });
  }
  return deps.transaction(async (unit) => {
    const outcome = await work(unit, owner);
    if (outcome.ok && owner.kind === "operator") {
      const { sid: subject } = outcome.value;
      await unit.audit.record({ at: now, operator: owner.name, action, subject, details: null, requestId: by.id });
    }
    return outcome;
  });
}
