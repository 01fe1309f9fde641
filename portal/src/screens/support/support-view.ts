// Where an operator sees what a page of an account shows: the account's tab with the same filter, or the record itself.
// Total: whatever an address says, the operator lands on a page of the account.

import { CALL_DIRECTIONS, CALL_STATUSES, DELIVERY_STATUSES, EVENT_TYPES, MESSAGE_STATUSES } from "@tandem/sdk";
import {
  createdWithin,
  type FilterField,
  type FilterTerm,
  nameOf,
  parseFilter,
  TIME_FIELDS,
  termOf,
} from "../../components/filter.ts";

type Params = Readonly<Record<string, string | undefined>>;

interface Shown {
  /** The parts of the path after the page's name. */
  readonly rest: readonly string[];
  readonly search: URLSearchParams;
}

type View = (shown: Shown) => Params;

const FIELDS: readonly FilterField[] = [
  ...["status", "direction", "from", "to", "error", "type"].map((name) => ({ name })),
  ...TIME_FIELDS,
];

const termsIn = ({ search }: Shown) => parseFilter(search.get("q") ?? "", FIELDS);

/** What all lists of texts and calls can be filtered by. */
function trafficOf(terms: readonly FilterTerm[]): Params {
  const words = terms.filter(({ field }) => field === undefined).map(({ value }) => value);
  const { createdOnFrom: since, createdOnTo: until } = createdWithin(terms);
  return {
    from: termOf(terms, "from"),
    to: termOf(terms, "to"),
    since,
    until,
    find: words.join(" ") || undefined,
  };
}

const ONE_TEXT = /^(OM|IM)/;

const messages: View = (shown) => {
  const [one] = shown.rest;
  if (one !== undefined && ONE_TEXT.test(one)) return { tab: one.startsWith("IM") ? "received" : "messages", sel: one };
  if (one !== undefined && one !== "new") return { tab: "messages", to: one };
  const terms = termsIn(shown);
  const failed = shown.search.get("failed") ? "Failed" : undefined;
  return {
    tab: "messages",
    ...trafficOf(terms),
    status: nameOf(terms, "status", MESSAGE_STATUSES) ?? failed,
    error: termOf(terms, "error"),
  };
};

const calls: View = (shown) => {
  const [one] = shown.rest;
  if (one !== undefined) return { tab: "calls", sel: one };
  const terms = termsIn(shown);
  return {
    tab: "calls",
    ...trafficOf(terms),
    status: nameOf(terms, "status", CALL_STATUSES),
    direction: nameOf(terms, "direction", CALL_DIRECTIONS),
  };
};

const webhooks: View = (shown) => {
  const [one, delivery] = shown.rest;
  if (one === "deliveries" && delivery !== undefined) return { tab: "deliveries", sel: delivery };
  const terms = termsIn(shown);
  const { createdOnFrom: since, createdOnTo: until } = createdWithin(terms);
  return {
    tab: "deliveries",
    webhook: one === "deliveries" ? undefined : one,
    status: nameOf(terms, "status", DELIVERY_STATUSES),
    type: nameOf(terms, "type", EVENT_TYPES),
    since,
    until,
  };
};

/** By the first part of the path. A page without a view of its own shows the account. */
const VIEWS: ReadonlyMap<string, View> = new Map<string, View>([
  ["messages", messages],
  ["calls", calls],
  ["conferences", () => ({ tab: "calls" })],
  ["webhooks", webhooks],
  ["numbers", ({ rest, search }) => ({ tab: "numbers", status: search.get("status") ?? undefined, number: rest[0] })],
  ["", () => ({ tab: "attention" })],
  ["configs", ({ rest }) => ({ tab: "configs", sel: rest[0] === "new" ? undefined : rest[0] })],
  ["opt-outs", ({ search }) => ({ tab: "opt-outs", number: search.get("number") ?? undefined })],
  ["statistics", () => ({ tab: "traffic" })],
  ["campaigns", () => ({ tab: "migrations" })],
  ["migrations", ({ rest }) => ({ tab: "migrations", sel: rest[0] })],
  ["requests", ({ rest }) => ({ tab: "requests", request: rest[0] })],
  [
    "account",
    ({ rest, search }) =>
      rest[0] === "changes" ? { tab: "changes", resource: search.get("resource") ?? undefined } : { tab: "rights" },
  ],
]);

/** Path and query. */
export function supportViewOf(accountSid: string, address: string): string {
  const [path = "", query = ""] = address.split("?", 2);
  const [page = "", ...rest] = path.split("/").filter(Boolean).map(decoded);
  const search = new URLSearchParams(query);
  if (page === "log") {
    const q = [search.get("q") ?? "", `account:${accountSid}`].join(" ").trim();
    return `/log?${new URLSearchParams({ q })}`;
  }
  const params = VIEWS.get(page)?.({ rest, search }) ?? {};
  const given = Object.entries(params).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const shown = new URLSearchParams(given).toString();
  return `/operator/accounts/${encodeURIComponent(accountSid)}${shown === "" ? "" : `?${shown}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
