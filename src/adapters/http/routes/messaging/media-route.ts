// Serves the media of inbound messages, by a signed link of limited validity or with the account's credentials.

import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { problem } from "../../../../domain/problems.ts";
import { sendProblem } from "../../core/answer.ts";
import type { Credentials, RateLimits } from "../../core/ports.ts";
import { signIn } from "../../core/sign-in.ts";

export interface MediaRouteDeps {
  readonly credentials: Credentials;
  readonly limits: RateLimits;
  readonly isGood: (sid: string, link: { readonly expires: string; readonly signature: string }) => boolean;
  readonly find: (sid: string) => Promise<FoundMedia | undefined>;
}

export interface FoundMedia {
  readonly accountSid: string;
  readonly contentType: string;
  readonly name: string | null;
  readonly size: number;
  readonly content: () => Promise<Readable | undefined>;
}

const PATHS = ["/v1/Media/:sid", "/messaging/v1/Media/:sid"];

export function mountMediaRoute(app: FastifyInstance, deps: MediaRouteDeps): void {
  for (const path of PATHS) {
    app.get<{ Params: { sid: string }; Querystring: Record<string, unknown> }>(path, async (request, reply) => {
      const { sid } = request.params;
      const found = /^ME[0-9a-f]{32}$/.test(sid) ? await deps.find(sid) : undefined;
      const { expires, signature } = request.query;
      const isSigned =
        typeof expires === "string" && typeof signature === "string" && deps.isGood(sid, { expires, signature });
      if (!isSigned) {
        const caller = await signIn(deps, "account", request);
        if (!caller.ok) return sendProblem(request, reply, caller.refusal.problem, caller.refusal.headers);
        const isOwner = caller.value.kind === "account" && found?.accountSid === caller.value.account.sid;
        if (!isOwner) return sendProblem(request, reply, problem("not-found"));
      }
      const content = await found?.content();
      if (!found || !content) return sendProblem(request, reply, problem("not-found"));
      return (
        reply
          .header("Content-Type", found.contentType)
          .header("Content-Length", found.size)
          .header("Cache-Control", "private, max-age=86400")
          // Outsiders made the file, so no browser may run scripts in it.
          .header("Content-Security-Policy", "sandbox; default-src 'none'")
          .header("X-Content-Type-Options", "nosniff")
          .header("Content-Disposition", `inline; filename="${(found.name ?? sid).replace(/[^A-Za-z0-9._-]/g, "_")}"`)
          .send(content)
      );
    });
  }
}
