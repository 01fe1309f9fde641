// Where the port clearing house's notifications arrive. They carry no credentials but a signature over their bytes. Answered when what
// they tell is stored; one that comes again tells nothing new.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Result } from "../../../../base/result.ts";
import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { send, sendProblem } from "../../core/answer.ts";

export type HouseNotificationFault = "missing-header" | "too-old" | "too-new" | "no-match" | "bad-body";

export interface ClearingHouseRouteDeps {
  readonly path: string;
  readonly take: (
    headers: FastifyRequest["headers"],
    body: Uint8Array,
  ) => Promise<Result<undefined, HouseNotificationFault>>;
}

const PROBLEMS: Readonly<Record<HouseNotificationFault, Problem>> = {
  "missing-header": problem("unauthorized", "A notification is signed, and says when."),
  "no-match": problem("unauthorized", "The signature is not that of this content."),
  "too-old": problem("unauthorized", "The notification is too old."),
  "too-new": problem("unauthorized", "The notification is of a time to come."),
  "bad-body": invalid({ $: ["This is not a notification of the clearing house."] }),
};

export function mountClearingHouseRoute(app: FastifyInstance, { path, take }: ClearingHouseRouteDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(path, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const taken = await take(request.headers, body);
      if (taken.ok) return send(request, reply, { status: 204, headers: {}, text: "" });
      return sendProblem(request, reply, PROBLEMS[taken.refusal]);
    });
  });
}
