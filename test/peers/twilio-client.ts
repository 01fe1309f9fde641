// Twilio's official client, unchanged: only its request client sends requests for Twilio's hosts to a Tandem instead.

import twilio from "twilio";
import type RequestClient from "twilio/lib/base/RequestClient.js";
import type { TandemApi } from "../tandem.ts";

export type TwilioClient = ReturnType<typeof twilio>;

class RequestsTo extends twilio.RequestClient {
  readonly #url: string;

  constructor(url: string) {
    super();
    this.#url = url;
  }

  override request<Data>(options: RequestClient.RequestOptions<Data>) {
    const { pathname, search } = new URL(options.uri);
    return super.request({ ...options, uri: `${this.#url}${pathname}${search}` });
  }
}

export function twilioClient(
  { url }: Pick<TandemApi, "url">,
  account: { readonly sid: string; readonly token: string },
): TwilioClient {
  return twilio(account.sid, account.token, { httpClient: new RequestsTo(url) });
}
