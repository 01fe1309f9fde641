// Asks a URL that came with a request what to do. The parameters are sent as a form, signed like Twilio's shape and
// with the account's secret for callbacks. Each URL has five seconds; the first that answers decides.

import { ok, type Result, refused } from "../../base/result.ts";
import { ASK_DEADLINE_MS } from "./ask-webhook.ts";
import { asSent } from "./payload.ts";
import type { WebhookPoster, WebhookSigner } from "./ports.ts";
import type { HttpMethod } from "./subscription.ts";
import { postOrder, SCRIPT_BYTES_MAX } from "./try-delivery.ts";

export interface AskUrlDeps {
  readonly poster: WebhookPoster;
  readonly signer: WebhookSigner;
  readonly secretsOf: (accountSid: string) => Promise<readonly string[]>;
  readonly newSid: () => string;
  readonly now: () => Date;
}

export interface Question {
  readonly accountSid: string;
  /** Asked one after another, each by its method. */
  readonly urls: readonly { readonly url: string; readonly method: HttpMethod }[];
  readonly parameters: Readonly<Record<string, string>>;
}

export async function askUrl(deps: AskUrlDeps, question: Question): Promise<Result<Uint8Array, string>> {
  const { accountSid, urls, parameters } = question;
  const secrets = await deps.secretsOf(accountSid);
  const contentType = "application/x-www-form-urlencoded";
  const payload = { contentType, text: new URLSearchParams(parameters).toString(), parameters } as const;
  let reason = "There is no URL to ask.";
  for (const asked of urls) {
    const sent = asSent(asked.url, payload, asked.method);
    const signed = await deps.signer.sign({
      accountSid,
      webhookSid: deps.newSid(),
      url: sent.url,
      payload: sent.payload,
      secrets,
      now: deps.now(),
    });
    if (!signed.ok) return signed;
    const outcome = await deps.poster.post({
      ...postOrder(accountSid, sent, { ...signed.value, "content-type": contentType }, ASK_DEADLINE_MS),
      keepBytes: SCRIPT_BYTES_MAX,
    });
    const { status, failure, isCut, answer } = outcome;
    if (status !== null && status >= 200 && status < 300 && !isCut) return ok(answer);
    reason = failure ?? (isCut ? `The answer is longer than ${SCRIPT_BYTES_MAX} bytes.` : `It answered ${status}.`);
  }
  return refused(reason);
}
