// What was found, a line each, with the page that shows it.

import type { AccountSearchResult, FoundText } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon, type IconName } from "../../components/icon.tsx";
import { tableOf } from "../../components/lookup-table.ts";
import { Party, PhoneNumber } from "../../components/phone-number.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { markedParts } from "./marked-parts.ts";

export interface Line {
  readonly key: string;
  readonly content: ReactNode;
}

interface LineGroup {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Without those that have nothing. */
export function linesOf(found: AccountSearchResult, query: string): readonly LineGroup[] {
  const { phones, configs, messages, calls, records, refused } = found;
  const groups: readonly LineGroup[] = [
    { title: "Your numbers", lines: phones.map(phoneLine) },
    { title: "MessagingConfigs", lines: configs.map(configLine) },
    { title: "By its id", lines: [...records.map(recordLine), ...refused.map(refusedLine)] },
    { title: "Texts with this number", lines: messages.map((message) => textLine(message, query)) },
    { title: "Calls with this number", lines: calls.map(callLine) },
  ];
  return groups.filter(({ lines }) => lines.length > 0);
}

interface LineOrder {
  readonly to: string;
  readonly icon: IconName;
  readonly head: ReactNode;
  readonly about?: ReactNode;
  readonly at?: string;
}

const lineOf = (key: string, { to, icon, head, about, at }: LineOrder): Line => ({
  key,
  content: (
    <Link to={to} className="search-line">
      <Icon name={icon} small />
      <span className="search-head">{head}</span>
      <span className="search-about">{about}</span>
      {at !== undefined && <Time at={at} form="day" />}
    </Link>
  ),
});

type Of<Kind extends "phones" | "configs" | "calls" | "records" | "refused"> = AccountSearchResult[Kind][number];

const phoneLine = ({ number, name, status }: Of<"phones">) =>
  lineOf(number, {
    to: `/numbers/${number}`,
    icon: "number",
    head: <PhoneNumber value={number} />,
    about: (
      <>
        {name} <Status kind="number" value={status} />
      </>
    ),
  });

const configLine = ({ sid, name }: Of<"configs">) => lineOf(sid, { to: `/configs/${sid}`, icon: "filter", head: name });

const callLine = ({ sid, direction, from, to, status, endReason, createdOn }: Of<"calls">) =>
  lineOf(sid, {
    to: `/calls/${sid}`,
    icon: direction === "Inbound" ? "in" : "out",
    head: (
      <>
        <Party value={from} /> to <Party value={to} />
      </>
    ),
    about: <Status kind="call" value={endReason ?? status} />,
    at: createdOn,
  });

export const textLine = ({ sid, direction, from, to, text, status, createdOn }: FoundText, query: string): Line =>
  lineOf(sid, {
    to: `/messages/${sid}`,
    icon: direction === "Inbound" ? "in" : "out",
    head: (
      <>
        <PhoneNumber value={direction === "Inbound" ? from : to} />{" "}
        <Status kind="message" value={status ?? "Received"} />
      </>
    ),
    about: <Marked text={text} query={query} />,
    at: createdOn,
  });

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return markedParts(text, query).map(({ part, isMarked, at }) => (isMarked ? <mark key={at}>{part}</mark> : part));
}

const PAGES = tableOf<readonly [noun: string, icon: IconName, page: string]>({
  Message: ["Message", "message", "/messages/"],
  InboundMessage: ["Received message", "message", "/messages/"],
  Call: ["Call", "call", "/calls/"],
  Delivery: ["Delivery", "webhook", "/webhooks/deliveries/"],
  MessagingConfig: ["MessagingConfig", "filter", "/configs/"],
  Subscription: ["Webhook", "webhook", "/webhooks/"],
  Campaign: ["Campaign", "campaign", "/migrations/"],
});

function recordLine({ kind, sid, createdOn }: Of<"records">): Line {
  const [noun, icon, page] = PAGES.get(kind) ?? [kind, "search", "/requests/"];
  return lineOf(sid, {
    to: `${page}${sid}`,
    icon,
    head: noun,
    about: <span className="mono">{sid}</span>,
    at: createdOn,
  });
}

const refusedLine = ({ operation, status, code, requestId, traceId, createdOn }: Of<"refused">) =>
  lineOf(traceId, {
    to: `/requests/${requestId}`,
    icon: "search",
    head: `${operation ?? "A request"} was refused`,
    about: `${status} ${code}`,
    at: createdOn,
  });
