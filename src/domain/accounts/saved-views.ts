// Pages of the portal that people have named: a list with its filters. All people of an account see the same ones;
// each operator has their own, by the name of the token.

import type { Ids } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { SessionOwner } from "./ports.ts";

/** Of an account, or of an operator. */
export const VIEWS_MAX = 100;

export interface SavedView {
  readonly sid: string;
  readonly name: string;
  /** Path and query of the page. */
  readonly address: string;
  readonly createdOn: Date;
}

export interface SavedViewStore {
  /** By name. */
  list(owner: SessionOwner): Promise<readonly SavedView[]>;
  /** The same; until the transaction ends, no other one changes them. */
  listLocked(owner: SessionOwner): Promise<readonly SavedView[]>;
  insert(owner: SessionOwner, view: SavedView): Promise<void>;
  rename(sid: string, name: string): Promise<void>;
  remove(owner: SessionOwner, sid: string): Promise<boolean>;
}

export interface ViewDeps {
  readonly savedViews: SavedViewStore;
}

export interface SaveViewDeps extends ViewDeps {
  readonly ids: Ids;
  readonly now: Date;
}

const taken = (name: string) => refused(problem("conflict", `There is a view named ${name} already.`));

export async function saveView(
  { savedViews, ids, now }: SaveViewDeps,
  owner: SessionOwner,
  { name, address }: Pick<SavedView, "name" | "address">,
): Promise<Result<SavedView, Problem>> {
  const views = await savedViews.listLocked(owner);
  if (views.length >= VIEWS_MAX) {
    return refused(problem("conflict", `There are ${VIEWS_MAX} views already: delete one that is not needed.`));
  }
  if (views.some((other) => other.name === name)) return taken(name);
  const view = { sid: ids.sid("SV"), name, address, createdOn: now };
  await savedViews.insert(owner, view);
  return ok(view);
}

export async function renameView(
  { savedViews }: ViewDeps,
  owner: SessionOwner,
  sid: string,
  name: string,
): Promise<Result<SavedView, Problem>> {
  const views = await savedViews.listLocked(owner);
  const view = views.find((one) => one.sid === sid);
  if (!view) return refused(problem("not-found"));
  if (views.some((other) => other.sid !== sid && other.name === name)) return taken(name);
  await savedViews.rename(sid, name);
  return ok({ ...view, name });
}
