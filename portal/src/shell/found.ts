// What the server finds for operators, as lines of the palette: by kind, each with the account that it is of and the
// page that shows it there.

import type { SearchResult } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { operator } from "../api/client.ts";
import { dataQuery } from "../api/queries.ts";
import type { Jump } from "./jumps.ts";

type Section = readonly [title: string, jumps: readonly Jump[]];
type Phone = SearchResult["phones"][number];
type Found = SearchResult["records"][number];
type Traffic = SearchResult["messages"][number] | SearchResult["calls"][number];

/** Every search is entered in the audit log: nothing is searched while the user types. */
const SETTLED_MS = 300;
const LENGTH_MIN = 3;

/** Undefined until the server has answered. */
export function useFound(text: string, isOperator: boolean): SearchResult | undefined {
  const typed = text.trim();
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    ...dataQuery(["search", settled], (options) => operator.search.find({ query: settled }, options)),
    enabled: isOperator && isSearched(settled),
  });
  return settled === typed ? data : undefined;
}

export const isSearched = (text: string): boolean => text.trim().length >= LENGTH_MIN;

export function foundSections({ phones, accounts, messages, calls, records, refused, numbers }: SearchResult) {
  const sections: readonly Section[] = [
    ["Numbers", eachOnce(phones.flatMap(phoneJumps))],
    ["Accounts", accounts.map(accountJump)],
    ["Texts", trafficJumps(messages, numbers, { icon: "message", noun: "Texts", out: "messages", in: "received" })],
    ["Calls", trafficJumps(calls, numbers, { icon: "call", noun: "Calls", out: "calls", in: "calls" })],
    ["By its id", [...records.map(recordJump), ...refused.slice(0, 1).map(refusedJump)]],
  ];
  return sections;
}

function pageOf(accountSid: string, search: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(search).toString();
  return `/operator/accounts/${accountSid}${query === "" ? "" : `?${query}`}`;
}

const accountJump = ({ sid, name }: SearchResult["accounts"][number]): Jump => ({
  id: `account-${sid}`,
  label: name,
  icon: "people",
  to: pageOf(sid),
});

function phoneJumps({ number, accountSid, accountName, status }: Phone): readonly Jump[] {
  const id = `phone-${accountSid}-${number}`;
  if (status === "Removed") {
    const label = `${number} was ${accountName}'s`;
    return [{ id: `${id}-was`, label, icon: "number", to: pageOf(accountSid, { tab: "numbers" }) }];
  }
  return [
    { id, label: `${number} is ${accountName}'s`, icon: "number", to: pageOf(accountSid, { tab: "numbers" }) },
    {
      id: `${id}-sent`,
      label: `Texts that ${number} sent`,
      icon: "message",
      to: pageOf(accountSid, { tab: "messages", from: number }),
    },
    {
      id: `${id}-got`,
      label: `Texts that ${number} received`,
      icon: "message",
      to: pageOf(accountSid, { tab: "received", to: number }),
    },
  ];
}

interface Kind {
  readonly icon: Jump["icon"];
  readonly noun: string;
  /** The tabs of what the account sent or placed, and of what it received. */
  readonly out: string;
  readonly in: string;
}

/** A line for each account and direction. */
function trafficJumps(found: readonly Traffic[], numbers: readonly string[], kind: Kind): readonly Jump[] {
  const jumps = found.map(({ accountSid, accountName, from, to }): Jump => {
    const isFrom = numbers.includes(from);
    const [party, tab] = isFrom ? [from, kind.in] : [to, kind.out];
    return {
      id: `${kind.noun}-${accountSid}-${isFrom ? "from" : "to"}-${party}`,
      label: `${kind.noun} ${isFrom ? "from" : "to"} ${party}: ${accountName}`,
      icon: kind.icon,
      to: pageOf(accountSid, { tab, [isFrom ? "from" : "to"]: party }),
    };
  });
  return eachOnce(jumps);
}

const eachOnce = (jumps: readonly Jump[]): readonly Jump[] => [
  ...new Map(jumps.map((jump) => [jump.id, jump])).values(),
];

const RECORDS: Readonly<Record<Found["kind"], readonly [noun: string, icon: Jump["icon"], tab?: string]>> = {
  Message: ["Message", "message", "messages"],
  InboundMessage: ["Received message", "message", "received"],
  Call: ["Call", "call", "calls"],
  Delivery: ["Delivery", "webhook", "deliveries"],
  Recording: ["Recording", "call"],
  PortOrder: ["Port order", "port"],
  MessagingConfig: ["MessagingConfig", "number"],
  Subscription: ["Webhook", "webhook"],
  Campaign: ["Campaign", "campaign"],
};

function recordJump(found: Found): Jump {
  const [noun, icon] = RECORDS[found.kind];
  const { sid, accountName } = found;
  return { id: `found-${sid}`, label: `${noun} …${sid.slice(-6)}: ${accountName}`, icon, to: pageOfRecord(found) };
}

function pageOfRecord({ kind, sid, accountSid }: Found): string {
  if (kind === "PortOrder") return `/operator/ports/${sid}`;
  if (kind === "Campaign") return `/operator/campaigns?sel=${sid}`;
  const [, , tab] = RECORDS[kind];
  return pageOf(accountSid, tab ? { tab, sel: sid } : {});
}

const refusedJump = ({ operation, status, requestId }: SearchResult["refused"][number]): Jump => ({
  id: `refused-${requestId}`,
  label: `${operation ?? "A request"} was refused with ${status}`,
  icon: "search",
  to: `/requests/${requestId}`,
});
