// Serves the media of inbound messages, by a signed link of limited validity or with the account's credentials. Either
// way the account must not be suspended, and its limit for reads applies. Reads by links are counted separately, so
// that shared links do not use up the account's own limit.

import type { Readable } from "node:stream";
import { ok, type Result } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { type Answer, renderProblem } from "../../core/answer.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { HttpServer } from "../../core/http-server.ts";
import { harmlessType } from "../../core/media-type.ts";
import { MEDIA_AWAY } from "../../core/outcomes.ts";
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
  /** Undefined where there is no such file on this machine. */
  readonly content: () => Promise<Readable | "away" | undefined>;
}

const PATHS = ["/v1/Media/:sid", "/messaging/v1/Media/:sid"];

/** Types that browsers show without running anything in them; other types are downloaded. */
const SHOWN = /^((image|audio|video)\/[\w.-]+|text\/plain)\s*(;|$)/i;

export function mountMediaRoute(http: HttpServer, deps: MediaRouteDeps): void {
  for (const path of PATHS) http.get(path, (exchange) => answerWithMedia(deps, exchange));
}

async function answerWithMedia(deps: MediaRouteDeps, exchange: Exchange): Promise<Answer> {
  const { sid } = exchange.params as { readonly sid: string };
  const reader = await readerOf(deps, exchange, sid);
  if (!reader.ok) return renderProblem(exchange, reader.refusal.problem, reader.refusal.headers);
  const { account, subject, found } = reader.value;
  const refusal =
    account && ((await takeFromLimit(deps, account, "read", 1, exchange, subject)) ?? refuseSuspended(deps, account));
  if (refusal) return renderProblem(exchange, refusal);
  const content = await found?.content();
  if (content === "away") return renderProblem(exchange, MEDIA_AWAY);
  if (!found || !content) return renderProblem(exchange, problem("not-found", "There is no such media."));
  const name = (found.name ?? sid).replace(/[^A-Za-z0-9._-]/g, "_");
  const place = SHOWN.test(found.contentType) ? "inline" : "attachment";
  const headers = {
    "Content-Type": harmlessType(found.contentType),
    "Content-Length": String(found.size),
    "Cache-Control": "private, max-age=86400",
    // Outsiders made the file, so browsers must not run scripts in it.
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Content-Disposition": `${place}; filename="${name}"`,
  };
  return { status: 200, headers, text: "", raw: content };
}

interface Reader {
  readonly account: Account | undefined;
  /** The subject under which reads are counted. */
  readonly subject: string;
  /** Undefined where there are no such media, or none that this caller may see. */
  readonly found: FoundMedia | undefined;
}

async function readerOf(deps: MediaRouteDeps, exchange: Exchange, sid: string): Promise<Result<Reader, SignInRefusal>> {
  const find = async () => (/^ME[0-9a-f]{32}$/.test(sid) ? deps.find(sid) : undefined);
  const { expires, signature } = exchange.query as Readonly<Record<string, unknown>>;
  if (typeof expires === "string" && typeof signature === "string" && deps.isGood(sid, { expires, signature })) {
    const found = await find();
    const account = found && (await deps.findAccount(found.accountSid));
    return ok({ account, subject: `links ${account?.sid}`, found: account && found });
  }
  const caller = await signIn(deps, "account", exchange);
  if (!caller.ok) return caller;
  exchange.caller = caller.value;
  const account = caller.value.kind === "account" ? caller.value.account : undefined;
  const found = await find();
  return ok({ account, subject: account?.sid ?? "", found: found?.accountSid === account?.sid ? found : undefined });
}
