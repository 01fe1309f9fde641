// The route for notifications of external systems. A notification has a signature over its content instead of
// credentials, so its bytes are passed on unchanged. It is answered when its content is stored.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Result } from "../../../base/result.ts";
import type { Problem } from "../../../domain/problems.ts";
import { send, sendProblem } from "../core/answer.ts";

export interface NotificationRoute<Refusal extends string> {
  readonly path: string;
  readonly take: (headers: FastifyRequest["headers"], body: Uint8Array) => Promise<Result<unknown, Refusal>>;
}

/** A refusal without a problem is answered like success. */
export function mountNotificationRoute<Refusal extends string>(
  app: FastifyInstance,
  { path, take }: NotificationRoute<Refusal>,
  problems: Readonly<Record<Refusal, Problem | undefined>>,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(path, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const taken = await take(request.headers, body);
      const refusal = taken.ok ? undefined : problems[taken.refusal];
      if (refusal) return sendProblem(request, reply, refusal);
      return send(request, reply, { status: 204, headers: {}, text: "" });
    });
  });
}
