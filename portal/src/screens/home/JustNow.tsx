// The newest events, in words.

import type { AccountEvent } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { live, useFeed, useLive } from "../../api/live.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { Party } from "../../components/phone-number.tsx";
import { failureWord, messageStatus, Status, type StatusKind } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { recentTextsQuery } from "./home-queries.ts";

interface Line {
  readonly icon: IconName;
  readonly from: string;
  readonly to: string;
  readonly words: string;
  readonly kind: StatusKind;
  readonly status: string;
  readonly word?: string | undefined;
  readonly page: string;
}

const SHOWN = 8;

const said = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

type Texts = ReadonlyMap<string, string> | undefined;

function lineOf({ type, payload, resourceSid }: AccountEvent, texts: Texts): Line | undefined {
  const fields = payload as Readonly<Record<string, unknown>>;
  const [from, to] = [said(fields.From), said(fields.To)];
  if (type === "OutboundMessageStatusChanged") {
    const errorCode = Number(fields.ErrorCode);
    const status = messageStatus({ status: said(fields.Status), errorCode });
    const text = texts?.get(resourceSid);
    const words = text ? `“${text}”` : said(fields.Carrier);
    const page = `/messages/${resourceSid}`;
    return { icon: "out", from, to, words, kind: "message", status, word: failureWord(errorCode), page };
  }
  if (type === "InboundMessageReceived") {
    const words = `“${said(fields.Text)}”`;
    return { icon: "in", from, to, words, kind: "message", status: "Received", page: `/messages/${resourceSid}` };
  }
  if (type === "CallStatusChangedWebhook") {
    const status = said(fields.EndReason) || said(fields.Status);
    const words = `${said(fields.Leg)} leg ${said(fields.Status).toLowerCase()}`;
    return { icon: "call", from, to, words, kind: "call", status, page: `/calls/${said(fields.CallSid)}` };
  }
  if (type === "PhoneNumberStatusChanged") {
    const number = said(fields.Number);
    const words = said(fields.Reason);
    return {
      icon: "number",
      from: number,
      to: "",
      words,
      kind: "number",
      status: said(fields.Status),
      page: `/numbers/${number}`,
    };
  }
  return undefined;
}

export function JustNow() {
  const { entries } = useFeed();
  const { isLoading, error } = useLive();
  const { data: texts } = useQuery(recentTextsQuery);
  const lines = entries
    .slice(0, 10 * SHOWN)
    .flatMap((entry) => {
      if (entry.kind !== "event") return [];
      const { event } = entry;
      const line = lineOf(event, texts);
      return line ? [{ ...line, id: event.id, at: event.createdOn }] : [];
    })
    .slice(0, SHOWN);
  const more = (
    <Link className="link" to="/log">
      Open the live log <kbd>G</kbd>
      <kbd>L</kbd>
    </Link>
  );
  return (
    <Section title="Just now" aside={more}>
      {lines.length === 0 && (isLoading || error !== undefined) && (
        <NotLoaded query={{ error, refetch: () => live.resume() }} what="The events did not load" />
      )}
      {lines.length === 0 && !isLoading && error === undefined && (
        <Empty what="Quiet" why="Texts, calls and numbers show here as they change." />
      )}
      <ul className="just-now">
        {lines.map(({ id, at, icon, from, to, words, kind, status, word, page }) => (
          <li key={id}>
            <Link to={page} className="hovers">
              <Time at={at} />
              <Icon name={icon} small />
              <span className="just-now-ends">
                <Party value={from} />
                {to && <span className="dim">to</span>}
                {to && <Party value={to} />}
              </span>
              <span className="cut mid">{words}</span>
              <Status kind={kind} value={status} word={word} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
