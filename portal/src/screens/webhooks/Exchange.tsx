// Request and response side by side, with how long each part took and the signature recomputed.

import type { DeliveryWithBody } from "@tandem/sdk";
import { isSuccess } from "../../../../rules/webhook-retries.ts";
import { IconButton } from "../../components/button.tsx";
import { Code, CodeTabs } from "../../components/code.tsx";
import { copyText } from "../../components/copy.ts";
import { prettyJson } from "../../components/highlight.ts";
import { Mark } from "../../components/status.tsx";
import { Signature } from "./Signature.tsx";
import type { Attempt, Try } from "./tries.ts";
import { VERIFY_SNIPPETS } from "./verify-snippets.ts";
import { attemptWord } from "./webhook-queries.ts";

export interface ExchangeProps {
  readonly delivery: DeliveryWithBody;
  readonly tried: Try;
}

export function Exchange({ delivery, tried }: ExchangeProps) {
  const { attempt } = tried;
  const sent = sentText(delivery, attempt);
  const answered = answeredText(attempt);
  const isGood = isSuccess(attempt);
  return (
    <section className="exchange" aria-label={`Try ${tried.number}${tried.isBackup ? ", backup URL" : ""}`}>
      <Timing attempt={attempt} />
      <div className="exchange-panes">
        <div className="exchange-pane">
          <div className="exchange-head">
            <h2>We sent</h2>
            {delivery.body !== null && <span className="dim">{bytesOf(delivery.body)}</span>}
            <IconButton icon="copy" label="Copy what we sent" onClick={() => void copyText(sent.raw, "Request")} />
          </div>
          <Code text={sent.head} language="http" label="Head of the request" />
          {sent.body !== "" && <Code text={sent.body} language="json" label="Body of the request" />}
        </div>
        <div className="exchange-pane">
          <div className="exchange-head">
            <h2>It answered</h2>
            <Mark shape={isGood ? "delivered" : "failed"} tone={isGood ? "ok" : "bad"} word={attemptWord(attempt)} />
            {attempt.answer !== null && <span className="dim">{bytesOf(attempt.answer)}</span>}
            <IconButton icon="copy" label="Copy the answer" onClick={() => void copyText(answered, "Answer")} />
          </div>
          <Code text={answered} language="http" label="The answer" />
          <Signature key={attempt.at} delivery={delivery} attempt={attempt} />
        </div>
      </div>
      <div className="exchange-verify">
        <CodeTabs label="Verify it" tabs={VERIFY_SNIPPETS} />
      </div>
    </section>
  );
}

const bytesOf = (text: string) => `${new TextEncoder().encode(text).length.toLocaleString("en")} bytes`;

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function sentText({ body }: DeliveryWithBody, { url, requestHeaders }: Attempt) {
  const lines = (requestHeaders ?? []).map(({ name, value }) => `${name}: ${value}`);
  const head = [
    `POST ${pathOf(url)} HTTP/1.1`,
    ...lines,
    ...(requestHeaders === null ? ["", "(of this attempt the headers were not kept)"] : []),
  ].join("\n");
  return { head, body: prettyJson(body ?? ""), raw: `${head}\n\n${body ?? ""}` };
}

function answeredText({ status, failure, answer, answerHeaders }: Attempt): string {
  if (status === null) return failure ?? "There was no answer.";
  const lines = (answerHeaders ?? []).map(({ name, value }) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, "", answer ?? ""].join("\n").trimEnd();
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const LEFT_OUT = new Set(["host", "connection", "content-length", "accept-encoding", "authorization"]);

/** The same request from a terminal, without credentials. */
export function curlOf({ body }: DeliveryWithBody, { url, requestHeaders }: Attempt): string {
  const headers = (requestHeaders ?? []).filter(({ name }) => !LEFT_OUT.has(name.toLowerCase()));
  return [
    `curl ${quoted(url)}`,
    ...headers.map(({ name, value }) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-raw ${quoted(body ?? "")}`,
  ].join(" \\\n");
}

function Timing({ attempt }: { readonly attempt: Attempt }) {
  const timing = attempt.timing as Attempt["timing"] | null;
  const [dns, connect] = [timing?.dnsMs ?? 0, timing?.connectMs ?? 0];
  const first = timing?.firstByteMs ?? attempt.ms;
  const parts = [
    { id: "dns", name: "DNS", ms: dns, isShown: timing?.dnsMs !== null && timing !== null },
    { id: "connect", name: "connect and TLS", ms: connect, isShown: timing?.connectMs !== null && timing !== null },
    { id: "wait", name: "waited for the answer", ms: Math.max(0, first - dns - connect), isShown: true },
    { id: "read", name: "read it", ms: Math.max(0, attempt.ms - first), isShown: attempt.ms > first },
  ].filter(({ isShown }) => isShown);
  return (
    <>
      <div className="timing" aria-hidden="true">
        {parts.map(({ id, ms }) => (
          <span key={id} className={`timing-${id}`} style={{ flexGrow: ms + 0.5 }} />
        ))}
      </div>
      <div className="timing-words">
        {parts.map(({ id, name, ms }) => (
          <span key={id}>
            <i className={`timing-${id}`} />
            {name} {ms} ms
          </span>
        ))}
        <span className="timing-all dim">
          {attempt.status !== null && timing?.connectMs === null ? "over a connection that was there, " : ""}
          {attempt.ms} ms in all
        </span>
      </div>
    </>
  );
}
