// Tells those who watch requests of an answered one: metrics, current listeners of the live log, and traces.

import type { Answer } from "./answer.ts";
import { tellRequest } from "./live-requests.ts";
import type { Operation } from "./operation.ts";
import type { RequestContext } from "./request-context.ts";
import type { ApiDeps } from "./run-operation.ts";

type Deps = Pick<ApiDeps, "observe" | "live" | "trace">;

export function noteAnswer(deps: Deps, operation: Operation, context: RequestContext, answer: Answer): void {
  deps.observe(operation.id, answer.status, secondsOf(context));
  tellRequest(deps.live, operation, context, answer);
  deps.trace?.(operation, context, answer);
}

/** A request that ended with a fault, which is answered elsewhere. */
export function noteFault(deps: Deps, operation: Operation, context: RequestContext): void {
  deps.observe(operation.id, 500, secondsOf(context));
  deps.trace?.(operation, context, { status: 500, text: "" });
}

const secondsOf = ({ startedMs }: RequestContext) => (performance.now() - startedMs) / 1000;
