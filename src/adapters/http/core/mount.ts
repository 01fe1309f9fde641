// Puts operations on the router, and the frequent ones on the fast path too.

import { andThen, type MaybePromise } from "../../../base/maybe-promise.ts";
import { type Problem, problem } from "../../../domain/problems.ts";
import { type Upload, UploadLimit } from "../reading/upload-limit.ts";
import { type Answer, answerText, renderProblem } from "./answer.ts";
import { endAfterText } from "./end-connection.ts";
import type { Exchange } from "./exchange.ts";
import { openFastPath } from "./fast-path.ts";
import type { HttpServer, Route } from "./http-server.ts";
import { noteAnswer, noteFault } from "./note-answer.ts";
import type { Operation, OperationGroup } from "./operation.ts";
import { type ApiDeps, admit, serve } from "./run-operation.ts";
import { openUpgrades } from "./web-socket.ts";

interface MountDeps extends ApiDeps {
  readonly uploads: UploadLimit;
}

export function mountOperations(http: HttpServer, deps: ApiDeps, groups: readonly OperationGroup[]): void {
  const mounted = { ...deps, uploads: new UploadLimit() };
  const frequent = new Map<string, Operation>();
  for (const { operations, prefixes } of groups) {
    for (const operation of operations) {
      for (const prefix of prefixes) {
        const path = `${prefix}${operation.path.replace(/\{(\w+)\}/g, ":$1")}`;
        if (operation.isFrequent) frequent.set(path, operation);
        http.route(routeOf(mounted, operation, path));
      }
    }
  }
  if (groups.some(({ operations }) => operations.some(opensSocket))) openUpgrades(http.server);
  if (frequent.size > 0) openFastPath(http.server, { deps, operations: frequent, isLeaving: () => http.isLeaving });
}

function routeOf(deps: MountDeps, operation: Operation, path: string): Route {
  const observed = (exchange: Exchange, answer: Answer): Answer => {
    noteAnswer(deps, operation, exchange, answer);
    return answer;
  };
  const { method, form } = operation;
  return {
    method,
    path,
    operation,
    servesHead: !isStream(operation),
    ...(form && { body: { form: "files", bytesMax: form.bytesMax } }),
    admit: (exchange) =>
      andThen(admitRequest(deps, operation, exchange), (refusal) => refusal && observed(exchange, refusal)),
    async handle(exchange, body) {
      try {
        return observed(exchange, await serve(deps, operation, exchange, body));
      } catch (fault) {
        noteFault(deps, operation, exchange);
        throw fault;
      }
    },
  };
}

function isStream(operation: Operation): boolean {
  return Object.values(operation.answers).some(({ mediaType }) => mediaType === "text/event-stream");
}

function opensSocket({ answers }: Operation): boolean {
  return 101 in answers;
}

function admitRequest(deps: MountDeps, operation: Operation, exchange: Exchange): MaybePromise<Answer | undefined> {
  return andThen(admit(deps, operation, exchange), (refusal) => {
    const { caller } = exchange;
    if (refusal || !operation.form || caller?.kind !== "account") return refusal;
    return admitUpload(deps, caller.account.sid, exchange);
  });
}

async function admitUpload(deps: MountDeps, accountSid: string, exchange: Exchange): Promise<Answer | undefined> {
  const { response } = exchange;
  const release = await deps.uploads.acquire(uploadOf(accountSid, exchange));
  if (!release) return renderProblem(exchange, TOO_MANY_UPLOADS);
  if (response.destroyed) release();
  else response.once("close", release);
  return undefined;
}

function uploadOf(accountSid: string, exchange: Exchange): Upload {
  const { request } = exchange;
  return {
    accountSid,
    isArriving: () => !request.complete,
    bytesRead: () => request.socket.bytesRead,
    cut() {
      const refusal = problem("request-timeout", "This form arrived too slowly while others waited.");
      exchange.isAnswered = true;
      endAfterText(request.socket, answerText(exchange, renderProblem(exchange, refusal), 0));
    },
  };
}

const TOO_MANY_UPLOADS: Problem = {
  ...problem("unavailable", "Too many files are on their way here. Ask again in a moment."),
  retryAfterSeconds: 1,
};
