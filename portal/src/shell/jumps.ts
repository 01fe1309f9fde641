// Where a pasted id leads: any sid, request id or number opens what it names.

import type { IconName } from "../components/icon.tsx";

export interface Jump {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly to: string;
}

const SID = /^([A-Z]{2})[0-9a-f]{32}$/;
const TRACE = /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|req_\w+)$/i;

/** Prefix of a sid → the page of what it names. */
const PAGES: Record<string, readonly [string, IconName, string]> = {
  OM: ["Open the message", "message", "/messages/"],
  IM: ["Open the message", "message", "/messages/"],
  CA: ["Open the call", "call", "/calls/"],
  WS: ["Open the webhook", "webhook", "/webhooks/"],
  WH: ["Open the delivery", "webhook", "/webhooks/deliveries/"],
  PO: ["Open the port order", "port", "/operator/ports/"],
  AC: ["Open the account", "people", "/operator/accounts/"],
};

export function jumpsFor(text: string, isOperator: boolean): readonly Jump[] {
  const typed = text.trim();
  const [, prefix] = SID.exec(typed) ?? [];
  const page = prefix && PAGES[prefix];
  if (page) return [{ id: typed, label: page[0], icon: page[1], to: `${page[2]}${typed}` }];
  if (TRACE.test(typed)) {
    return [{ id: typed, label: "Find the request in the log", icon: "log", to: `/log?q=request:${typed}` }];
  }
  const digits = typed.replace(/[\s().-]/g, "");
  if (isOperator || !/^\+?\d{7,15}$/.test(digits)) return campaignJump(typed);
  const number = digits.startsWith("+") ? digits : digits.length === 10 ? `+1${digits}` : `+${digits}`;
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

function campaignJump(typed: string): readonly Jump[] {
  if (!/^C[A-Z0-9]{6}$/.test(typed)) return [];
  return [{ id: typed, label: "Open the campaign's migration", icon: "campaign", to: `/migrations/${typed}` }];
}
