// Publishes answered requests to the live tap. GETs of session pages are left out, and so are streams: a page that
// shows requests would see its own.

import type { Answer } from "./answer.ts";
import type { LiveTap } from "./live-tap.ts";
import type { Operation } from "./operation.ts";
import type { RequestContext } from "./request-context.ts";

const PATH_LENGTH_MAX = 256;

/** Records begin with their sid. */
const RECORD = /^\{"sid":"([A-Z]{2}[0-9a-f]{32})"/;

export function tellRequest(
  tap: LiveTap,
  operation: Pick<Operation, "id">,
  context: RequestContext,
  { status, refusal, stream, text }: Pick<Answer, "status" | "refusal" | "stream" | "text">,
): void {
  if (!tap.isListened("ApiRequest") || stream) return;
  const { method, headers, caller } = context;
  if (method === "GET" && headers.authorization === undefined && headers.cookie !== undefined) return;
  const nowMs = Date.now();
  const [path = ""] = context.url.split("?", 1);
  tap.publish(
    {
      kind: "ApiRequest",
      accountSid: caller?.kind === "account" ? caller.account.sid : null,
      data: {
        at: new Date(nowMs),
        method,
        path: path.slice(0, PATH_LENGTH_MAX),
        operation: operation.id,
        status,
        ms: Math.round(performance.now() - context.startedMs),
        requestId: context.id,
        resourceSid: (method !== "GET" && RECORD.exec(text)?.[1]) || null,
        code: refusal?.problem.code ?? null,
        traceId: refusal?.traceId ?? null,
      },
      isUrgent: refusal !== undefined,
    },
    nowMs,
  );
}
