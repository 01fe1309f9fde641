// Asks a URL how a call goes on. The URL has fifteen seconds in all, redirections included; a connection that could not
// be opened is tried once more within them, and nothing is sent twice: a request that was begun may have been obeyed.
// Signed like callbacks, with the account's secret, and like Twilio's shape where that is spoken. Cookies go back to
// the host that has set them, also from one redirection to the next.

import { isSuccess } from "../../../rules/webhook-retries.ts";
import type { CookieJar } from "../../base/cookie-jar.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/script-xml.ts";
import type { PayloadShape } from "../events.ts";
import { asSent, type Payload } from "./payload.ts";
import type { PostOutcome, WebhookPoster, WebhookSigner } from "./ports.ts";
import type { HttpMethod } from "./subscription.ts";
import { DEADLINE_MS, postOrder } from "./try-delivery.ts";

export interface AskDocumentDeps {
  readonly poster: WebhookPoster;
  readonly signer: WebhookSigner;
  readonly secretsOf: (accountSid: string) => Promise<readonly string[]>;
  readonly newSid: () => string;
  readonly now: () => Date;
}

export interface AskedDocument {
  readonly accountSid: string;
  readonly callSid: string;
  readonly url: string;
  readonly method: HttpMethod;
  readonly shape: PayloadShape;
  /** Texts, where the shape is Twilio's. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Those of the call. */
  readonly cookies: CookieJar;
}

export type DocumentOutcome =
  | { readonly kind: "answered"; readonly body: Uint8Array; readonly url: string; readonly method: HttpMethod }
  | { readonly kind: "unanswered"; readonly reason: string };

const REDIRECTIONS_MAX = 10;
const REDIRECTING = new Set([301, 302, 303, 307, 308]);
/** Nothing was sent. */
const NOT_CONNECTED = /^(?:dns|connect|tls): /;

export async function askDocument(deps: AskDocumentDeps, asked: AskedDocument): Promise<DocumentOutcome> {
  const untilMs = deps.now().getTime() + DEADLINE_MS;
  const secrets = await deps.secretsOf(asked.accountSid);
  let sent = asSent(asked.url, payloadOf(asked), asked.method);
  /** Without the parameters. */
  let document: { readonly url: string; readonly method: HttpMethod } = { url: asked.url, method: asked.method };
  for (let redirections = 0; redirections <= REDIRECTIONS_MAX; redirections++) {
    const { accountSid, callSid: resourceSid, cookies } = asked;
    const signed = await deps.signer.sign({ ...sent, accountSid, webhookSid: deps.newSid(), secrets, now: deps.now() });
    if (!signed.ok) return { kind: "unanswered", reason: signed.refusal };
    const cookie = cookies.headerFor(sent.url, deps.now());
    const headers = {
      ...signed.value,
      "content-type": sent.payload.contentType,
      ...(cookie !== undefined && { cookie }),
    };
    const post = () => {
      const leftMs = untilMs - deps.now().getTime();
      const order = postOrder({ accountSid, resourceSid }, sent, headers, Math.max(1, leftMs));
      return deps.poster.post({ ...order, keepBytes: DOCUMENT_BYTES_MAX, isOnce: true });
    };
    let outcome = await post();
    if (NOT_CONNECTED.test(outcome.failure ?? "")) outcome = await post();
    cookies.keep(sent.url, outcome.valuesOf?.("set-cookie") ?? [], deps.now());
    const url = locationOf(outcome, sent.url);
    if (url === undefined) return outcomeOf(outcome, document);
    // A redirection is followed without parameters.
    document = { url, method: "GET" };
    sent = { ...document, payload: { ...sent.payload, text: "", parameters: {} } };
  }
  return { kind: "unanswered", reason: `It redirected more than ${REDIRECTIONS_MAX} times.` };
}

function payloadOf({ shape, fields }: AskedDocument): Payload {
  if (shape !== "Twilio") return { contentType: "application/json", text: JSON.stringify(fields) };
  const parameters = fields as Readonly<Record<string, string>>;
  const text = new URLSearchParams(parameters).toString();
  return { contentType: "application/x-www-form-urlencoded", text, parameters };
}

function locationOf({ status, valuesOf }: PostOutcome, base: string): string | undefined {
  if (status === null || !REDIRECTING.has(status)) return undefined;
  const [location] = valuesOf?.("location") ?? [];
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  url.hash = "";
  return url.href;
}

function outcomeOf(
  { status, failure, isCut, answer: body }: PostOutcome,
  from: { readonly url: string; readonly method: HttpMethod },
): DocumentOutcome {
  if (isSuccess({ status }) && !isCut) return { kind: "answered", body, ...from };
  const long = `The answer is longer than ${DOCUMENT_BYTES_MAX} bytes, or its end did not come.`;
  return { kind: "unanswered", reason: failure ?? (isCut ? long : `It answered ${status}.`) };
}
