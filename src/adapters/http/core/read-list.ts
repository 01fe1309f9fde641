// Reads a page of a list. A long one is put together of slices, as if the caller had asked for one small page after the
// other, so that requests of others are answered between two of them (list-places.ts).

import { z } from "zod";
import type { MaybePromise } from "../../../base/maybe-promise.ts";
import type { RunUnit } from "../../../base/resting-places.ts";
import { ok } from "../../../base/result.ts";
import { type Problem, problem } from "../../../domain/problems.ts";
import { type Answer, renderProblem } from "./answer.ts";
import { carryOut, type Work } from "./carry-out.ts";
import { LISTS_PER_ACCOUNT_MAX, type ListPlaces, SLICE } from "./list-places.ts";
import type { Operation, Outcome } from "./operation.ts";
import type { RequestContext } from "./request-context.ts";

interface PageQuery {
  readonly PageSize: number;
  readonly SearchId?: string | undefined;
}

interface ListBody {
  readonly items: readonly unknown[];
  readonly searchId?: string;
}

type Deps = Parameters<typeof carryOut>[0] & { readonly lists: ListPlaces };
type ReadPage = (query: PageQuery) => Promise<Outcome>;
type Handle = (input: { readonly query: PageQuery }, unit: unknown, own: unknown) => MaybePromise<Outcome>;

const TOO_MANY_LISTS: Problem = {
  ...problem(
    "unavailable",
    `This list waited too long for its turn: at most ${LISTS_PER_ACCOUNT_MAX} of an account are read at the same time. Ask again in a moment.`,
  ),
  retryAfterSeconds: 1,
};

export async function readList(deps: Deps, work: Work, context: RequestContext): Promise<Answer> {
  const { caller } = work;
  const reader = caller?.kind === "account" ? caller.account.sid : "operators";
  const { PageSize: size } = work.input.query as PageQuery;
  const read = async (slice: RunUnit) =>
    carryOut(deps, { ...work, operation: inTurns(work.operation, slice) }, context);
  return (await deps.lists.run(reader, size, read)) ?? renderProblem(context, TOO_MANY_LISTS);
}

/** The same operation, which takes a turn for what it reads. */
function inTurns(operation: Operation, slice: RunUnit): Operation {
  const isSliced = operation.query instanceof z.ZodObject && "SearchId" in operation.query.shape;
  const handle: Handle = (input, unit, own) => {
    const read: ReadPage = (query) => slice(async () => (operation.handle as Handle)({ ...input, query }, unit, own));
    const { query } = input;
    return isSliced && query.PageSize > SLICE ? readSlices(query, read) : read(query);
  };
  return { ...operation, handle } as Operation;
}

async function readSlices(query: PageQuery, read: ReadPage): Promise<Outcome> {
  const texts: string[] = [];
  for (let { PageSize: left, SearchId } = query; ; left -= SLICE) {
    const outcome = await read({ ...query, PageSize: Math.min(left, SLICE), SearchId });
    if (!outcome.ok) return outcome;
    const { items, searchId } = outcome.value.body as ListBody;
    if (items.length > 0) texts.push(JSON.stringify(items).slice(1, -1));
    if (searchId === undefined || left <= SLICE) {
      const next = searchId === undefined ? "" : `,"searchId":${JSON.stringify(searchId)}`;
      return ok({ status: 200, json: `{"items":[${texts.join(",")}]${next}}` });
    }
    SearchId = searchId;
  }
}
