// Serves the media of inbound messages, by a signed link of limited validity or with the account's credentials. Either
// way the account must not be suspended, and its limit for reads applies. Reads by links have a count of their own, so
// that links that were passed on do not keep the account from reading.

import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ok, type Result } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { addLimitHeaders, sendProblem } from "../../core/answer.ts";
import { harmlessType } from "../../core/media-type.ts";
import type { Credentials, RateLimits } from "../../core/ports.ts";
import { refuseSuspended, takeFromLimit } from "../../core/run-operation.ts";
import { type SignInRefusal, signIn } from "../../core/sign-in.ts";

export interface MediaRouteDeps {
  readonly credentials: Credentials;
  readonly limits: RateLimits;
  readonly supportContact: string;
  readonly isGood: (sid: string, link: { readonly expires: string; readonly signature: string }) => boolean;
  readonly find: (sid: string) => Promise<FoundMedia | undefined>;
  readonly findAccount: (sid: string) => Promise<Account | undefined>;
}

export interface FoundMedia {
  readonly accountSid: string;
  readonly contentType: string;
  readonly name: string | null;
  readonly size: number;
  readonly content: () => Promise<Readable | undefined>;
}

const PATHS = ["/v1/Media/:sid", "/messaging/v1/Media/:sid"];

/** Types that browsers show without running anything in them; the rest is downloaded. */
const SHOWN = /^((image|audio|video)\/[\w.-]+|text\/plain)\s*(;|$)/i;

type MediaRequest = FastifyRequest<{ Params: { sid: string }; Querystring: Record<string, unknown> }>;

export function mountMediaRoute(app: FastifyInstance, deps: MediaRouteDeps): void {
  for (const path of PATHS) {
    app.get(path, async (request: MediaRequest, reply) => {
      const reader = await readerOf(deps, request);
      if (!reader.ok) return sendProblem(request, reply, reader.refusal.problem, reader.refusal.headers);
      const { account, subject, found } = reader.value;
      const refusal =
        account &&
        ((await takeFromLimit(deps, account, "read", 1, request, subject)) ?? refuseSuspended(deps, account));
      if (refusal) return sendProblem(request, reply, refusal);
      const content = await found?.content();
      if (!found || !content) return sendProblem(request, reply, problem("not-found", "There is no such media."));
      const name = (found.name ?? request.params.sid).replace(/[^A-Za-z0-9._-]/g, "_");
      const place = SHOWN.test(found.contentType) ? "inline" : "attachment";
      addLimitHeaders(request, reply);
      return (
        reply
          .header("Content-Type", harmlessType(found.contentType))
          .header("Content-Length", found.size)
          .header("Cache-Control", "private, max-age=86400")
          // Outsiders made the file, so no browser may run scripts in it.
          .header("Content-Security-Policy", "sandbox; default-src 'none'")
          .header("X-Content-Type-Options", "nosniff")
          .header("Content-Disposition", `${place}; filename="${name}"`)
          .send(content)
      );
    });
  }
}

interface Reader {
  readonly account: Account | undefined;
  /** Whose reads are counted together. */
  readonly subject: string;
  /** Undefined where there are no such media, or none that this reader may see. */
  readonly found: FoundMedia | undefined;
}

async function readerOf(deps: MediaRouteDeps, request: MediaRequest): Promise<Result<Reader, SignInRefusal>> {
  const { sid } = request.params;
  const find = async () => (/^ME[0-9a-f]{32}$/.test(sid) ? deps.find(sid) : undefined);
  const { expires, signature } = request.query;
  if (typeof expires === "string" && typeof signature === "string" && deps.isGood(sid, { expires, signature })) {
    const found = await find();
    const account = found && (await deps.findAccount(found.accountSid));
    return ok({ account, subject: `links ${account?.sid}`, found: account && found });
  }
  const caller = await signIn(deps, "account", request);
  if (!caller.ok) return caller;
  request.caller = caller.value;
  const account = caller.value.kind === "account" ? caller.value.account : undefined;
  const found = await find();
  return ok({ account, subject: account?.sid ?? "", found: found?.accountSid === account?.sid ? found : undefined });
}
