// What will happen to a call to the chosen number, before the user tries it.

import type { Phone } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { client } from "../../api/client.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";
import { Party } from "../../components/phone-number.tsx";
import { type Forwarding, forwardingOf } from "./forwarding.ts";

const webhooksQuery = itemsQuery(["webhooks", "answering"], (options) =>
  client.webhooks.list({ pageSize: 200, ...options }),
);

export function ForwardingLine({ phone }: { readonly phone: Phone }) {
  const { number } = phone;
  const voice = useQuery(dataQuery(["phones", "voice", number], (options) => client.phones.voice(number, options)));
  const webhooks = useQuery(webhooksQuery);
  if (!voice.data || !webhooks.data) return null;
  return (
    <p className="mid small" aria-live="polite">
      {wordsOf(forwardingOf(phone, voice.data, webhooks.data), number)}
    </p>
  );
}

function wordsOf(forwarding: Forwarding, number: string): ReactNode {
  const settings = (words: ReactNode) => (
    <Link className="link" to={`/numbers/${number}`}>
      {words}
    </Link>
  );
  switch (forwarding.kind) {
    case "rings":
      return (
        <>
          A call to it rings {settings(<Party value={forwarding.to} />)}
          {forwarding.isRecorded && ", and is recorded"}.{forwarding.does && ` That line: ${forwarding.does}`}
        </>
      );
    case "script":
      return (
        <>
          A call to it asks {webhookLink(forwarding.webhook)}, whose script says what happens. No usable script within 5
          s: it ends.
        </>
      );
    case "off":
      return (
        <>
          A call to it is refused: the webhook of {webhookLink(forwarding.webhook)} would answer it, and is switched off
          {forwarding.webhook.disabledReason && ` (${forwarding.webhook.disabledReason})`}.
        </>
      );
    case "refused":
      return (
        <>
          A call to it is refused: it is not forwarded, and no webhook answers it. {settings("Say where to")}, or{" "}
          <Link className="link" to="/webhooks?subscribe=yes">
            subscribe one
          </Link>
          .
        </>
      );
  }
}

function webhookLink({ sid, url }: { readonly sid: string; readonly url: string }) {
  return (
    <Link className="link" to={`/webhooks/${sid}`}>
      {URL.canParse(url) ? new URL(url).host : url}
    </Link>
  );
}
