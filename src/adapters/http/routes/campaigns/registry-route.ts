// Where the campaign registry's notifications arrive. They carry no credentials but a signature over their content, so that the bytes are
// handed on as they came. One that was heard before is answered as the first was: the registry would only send it again.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Result } from "../../../../base/result.ts";
import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { send, sendProblem } from "../../core/answer.ts";

export type NotificationRefusal = "unsigned" | "forged" | "unreadable" | "too-large" | "replayed";

export interface RegistryRouteDeps {
  readonly path: string;
  readonly take: (
    headers: FastifyRequest["headers"],
    body: Uint8Array,
  ) => Promise<Result<unknown, NotificationRefusal>>;
}

const PROBLEMS: Readonly<Record<Exclude<NotificationRefusal, "replayed">, Problem>> = {
  unsigned: problem("unauthorized", "A notification is signed in X-Registry-Signature."),
  forged: problem("unauthorized", "The signature is not that of this content at this address."),
  unreadable: invalid({ $: ["This is not a notification of the campaign registry."] }),
  "too-large": problem("body-too-large", "A notification is not that large."),
};

export function mountRegistryRoute(app: FastifyInstance, { path, take }: RegistryRouteDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(path, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const taken = await take(request.headers, body);
      if (taken.ok || taken.refusal === "replayed") return send(request, reply, { status: 204, headers: {}, text: "" });
      return sendProblem(request, reply, PROBLEMS[taken.refusal]);
    });
  });
}
