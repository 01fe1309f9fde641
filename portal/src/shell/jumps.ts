// The page for a pasted id: any sid, request id or number opens what it names.

import type { Entry } from "../api/live.ts";
import type { IconName } from "../components/icon.tsx";
import { tableOf } from "../components/lookup-table.ts";
import type { NumberReader } from "../components/number-reader.ts";

export interface Jump {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly to: string;
}

const SID = /^([A-Z]{2})[0-9a-f]{32}$/;
/** Any text that callers may use as a request id, or a trace id; text without a digit is a word. */
const REQUEST = /^(?=.*\d)[A-Za-z0-9._-]{8,128}$/;

/** Prefix of a sid → the page of what it names. */
const PAGES = tableOf<readonly [string, IconName, string]>({
  OM: ["Open the message", "message", "/messages/"],
  IM: ["Open the message", "message", "/messages/"],
  CA: ["Open the call", "call", "/calls/"],
  CF: ["Open the conference", "people", "/conferences/"],
  WS: ["Open the webhook", "webhook", "/webhooks/"],
  WH: ["Open the delivery", "webhook", "/webhooks/deliveries/"],
  PO: ["Open the port order", "port", "/operator/ports/"],
  AC: ["Open the account", "people", "/operator/accounts/"],
});

const SEEN_MAX = 3;

/** Numbers of the newest events that contain the typed digits. */
export function numbersLike(text: string, entries: readonly Entry[]): readonly string[] {
  const digits = text.trim().replace(/[\s().-]/g, "");
  const found = new Set<string>();
  if (!/^\+?\d{3,15}$/.test(digits)) return [];
  for (const entry of entries) {
    if (entry.kind !== "event") continue;
    const { From, To, Number: own } = entry.event.payload as Readonly<Record<string, unknown>>;
    for (const number of [To, From, own]) {
      if (typeof number === "string" && number !== digits && /^\+\d/.test(number) && number.includes(digits)) {
        found.add(number);
      }
    }
    if (found.size >= SEEN_MAX) break;
  }
  return [...found].slice(0, SEEN_MAX);
}

export function jumpsFor(text: string, isOperator: boolean, readNumber: NumberReader): readonly Jump[] {
  const typed = text.trim();
  const [, prefix] = SID.exec(typed) ?? [];
  const page = prefix && PAGES.get(prefix);
  if (page && isOperator !== page[2].startsWith("/operator")) return foundJump(typed);
  if (page) return [{ id: typed, label: page[0], icon: page[1], to: `${page[2]}${typed}` }];
  const number = readNumber(typed);
  // An operator has no page of a migration: the server finds the campaign.
  if (number === undefined) return [...(isOperator ? [] : campaignJump(typed)), ...requestJumps(typed)];
  const of = encodeURIComponent(number);
  return [
    { id: "conversation", label: `Conversation with ${number}`, icon: "message", to: `/messages/${number}` },
    { id: "lookup", label: `Look up ${number}`, icon: "lookup", to: `/lookup?n=${of}` },
    { id: "number", label: `Settings of ${number}`, icon: "number", to: `/numbers/${number}` },
    {
      id: "log",
      label: "Filter the live log by it",
      icon: "filter",
      to: `/log?q=${encodeURIComponent(`who:${number}`)}`,
    },
  ];
}

/** Sids that can be found without knowing their account. */
const FOUND = /^(OM|CA|PO|MC|WS)/;

const foundJump = (sid: string): readonly Jump[] => (FOUND.test(sid) ? [requestJump(sid, "Find what it names")] : []);

const requestJump = (typed: string, label: string): Jump => ({
  id: typed,
  label,
  icon: "search",
  to: `/requests/${typed}`,
});

function requestJumps(typed: string): readonly Jump[] {
  if (!REQUEST.test(typed)) return [];
  return [
    requestJump(typed, "What became of this request"),
    { id: "log", label: "Find it in the live log", icon: "log", to: `/log?q=request:${typed}` },
  ];
}

function campaignJump(typed: string): readonly Jump[] {
  if (!/^C[A-Z0-9]{6}$/.test(typed)) return [];
  return [{ id: typed, label: "Open the campaign's migration", icon: "campaign", to: `/migrations/${typed}` }];
}
