// POST /mcp: the operations of an account as tools of the Model Context Protocol, over its streamable HTTP transport
// without sessions. A call of a tool goes through the same steps as a request to its operation: sign-in, limits,
// validation, idempotency, audit.

import type { ToolAnswer } from "../../../mcp/mcp-server.ts";
import { type OpenApiDocument, type Tool, type ToolRequest, toolsOf } from "../../../mcp/tools.ts";
import { renderProblem } from "../core/answer.ts";
import type { Exchange } from "../core/exchange.ts";
import { problemOfFault } from "../core/fault-problem.ts";
import type { HttpServer } from "../core/http-server.ts";
import { noteAnswer } from "../core/note-answer.ts";
import type { Operation } from "../core/operation.ts";
import { type Caller, type RequestContext, requestIdOf } from "../core/request-context.ts";
import { type ApiDeps, admit, serve } from "../core/run-operation.ts";
import { signIn } from "../core/sign-in.ts";
import { FIELDS_BYTES_MAX } from "../reading/request-body.ts";

export interface McpRouteDeps extends ApiDeps {
  readonly version: string;
  /** The API's document. */
  readonly document: () => OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly mayWrite: (caller: Caller) => boolean;
}

const WRITE_ADVICE =
  'A token that was made with toolWrites may call it: POST /v1/Account/tokens { "toolWrites": true }.';

export function mountMcp(http: HttpServer, deps: McpRouteDeps): void {
  const operations = new Map(deps.operations.map((operation) => [operation.id, operation]));
  let tools: readonly Tool[] | undefined;
  http.route({
    method: "POST",
    path: "/mcp",
    body: { form: "bytes", bytesMax: FIELDS_BYTES_MAX },
    async admit(exchange) {
      const caller = await signIn(deps, "account", exchange);
      if (!caller.ok) return renderProblem(exchange, caller.refusal.problem, caller.refusal.headers);
      exchange.caller = caller.value;
      return undefined;
    },
    async handle(exchange, body) {
      tools ??= toolsOf(deps.document()).filter(({ name }) => operations.has(name));
      // Loaded on first use: few servers need it.
      const { answerMcp } = await import("../../../mcp/streamable-http.ts");
      const answer = await answerMcp(
        {
          version: deps.version,
          tools,
          mayWrite: exchange.caller !== null && deps.mayWrite(exchange.caller),
          writeAdvice: WRITE_ADVICE,
          call: (tool, request) => callOperation(deps, operations.get(tool.name) as Operation, exchange, request),
        },
        { headers: exchange.headers, body: body as Uint8Array | undefined },
      );
      return { ...answer, headers: {} };
    },
  });
}

async function callOperation(
  deps: McpRouteDeps,
  operation: Operation,
  { headers, ip }: Exchange,
  request: ToolRequest,
): Promise<ToolAnswer> {
  const own = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const context: RequestContext = {
    // Records carry the id of the request that made them, so each call gets an id of its own.
    id: requestIdOf({ headers: {} }, deps.uuids),
    method: operation.method,
    url: request.path,
    ip,
    headers: { authorization: headers.authorization, cookie: headers.cookie, ...Object.fromEntries(own) },
    params: request.params,
    query: request.query,
    startedMs: 0,
    caller: null,
    limitHeaders: null,
  };
  const answer = await answerTo(deps, operation, context, request.body);
  noteAnswer(deps, operation, context, answer);
  if (answer.refusal) deps.refusals.note(context, operation, answer.refusal);
  return answer;
}

async function answerTo(deps: McpRouteDeps, operation: Operation, context: RequestContext, body: unknown) {
  try {
    return (await admit(deps, operation, context)) ?? (await serve(deps, operation, context, body));
  } catch (fault) {
    return renderProblem(context, problemOfFault(fault, deps.log, context, operation.path));
  }
}
