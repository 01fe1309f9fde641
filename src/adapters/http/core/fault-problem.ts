// The answer to a request that failed through a fault of the server. The fault is logged here, once.

import type { Log } from "../../../base/log.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { type Problem, problem } from "../../../domain/problems.ts";
import type { RequestContext } from "./request-context.ts";

export function problemOfFault(
  fault: unknown,
  log: Log,
  { id, method }: Pick<RequestContext, "id" | "method">,
  route: string | undefined,
): Problem {
  if (fault instanceof Unavailable || isOutOfDescriptors(fault)) {
    log.warn({ requestId: id, reason: fault.message }, "request refused, something it needs is out of reach");
    return {
      ...problem("unavailable", "Something the server depends on is out of reach. Ask again in a moment."),
      retryAfterSeconds: 1,
    };
  }
  log.error({ requestId: id, method, route, err: fault }, "request failed");
  return problem("internal", "The fault is ours and has been logged under this trace id and request id.");
}

function isOutOfDescriptors(fault: unknown): fault is Error {
  return fault instanceof Error && /^E[MN]FILE$/.test((fault as NodeJS.ErrnoException).code ?? "");
}
