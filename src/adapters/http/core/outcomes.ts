// The usual outcomes of operations.

import type { Page } from "../../../base/page.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import { type Problem, problem } from "../../../domain/problems.ts";
import type { Outcome } from "./operation.ts";
import { listBody } from "./schemas.ts";

/** The answer says what was not found (not-found.ts). */
export const NOT_FOUND = refused(problem("not-found"));

export const MEDIA_AWAY: Problem = {
  ...problem("unavailable", "Where media are kept cannot be reached just now."),
  retryAfterSeconds: 10,
};

const asItIs = (value: unknown) => value;

export function answerFound<Value>(found: Value | undefined, show: (value: Value) => unknown = asItIs): Outcome {
  return found === undefined ? NOT_FOUND : ok({ status: 200, body: show(found) });
}

export function answerWith<Value>(
  result: Result<Value, Problem>,
  show: (value: Value) => unknown = asItIs,
  status: 200 | 201 = 200,
): Outcome {
  return result.ok ? ok({ status, body: show(result.value) }) : result;
}

export function answerCreated<Value>(result: Result<Value, Problem>, show?: (value: Value) => unknown): Outcome {
  return answerWith(result, show, 201);
}

export function answerDone(result: Result<unknown, Problem>): Outcome {
  return result.ok ? ok({ status: 204 }) : result;
}

export function answerPage<Item>(page: Page<Item>, show: (item: Item) => unknown = asItIs): Outcome {
  return ok({ status: 200, body: listBody(page, show) });
}
