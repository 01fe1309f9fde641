// Which rows of the log are shown: the terms of the URL, applied to what the page holds.

import { type FilterField, type FilterTerm, matchesPattern, sinceOf } from "../../components/filter.ts";
import { KINDS, type LogRow } from "./log-row.ts";
import { isFailure } from "./log-shown.ts";

export const FIELDS: readonly FilterField[] = [
  { name: "kind", values: [...KINDS.keys()] },
  { name: "status", values: ["failed", "4xx", "5xx", "Delivered", "Sent", "Answered"] },
  { name: "who", values: ["+1"] },
  { name: "to", values: ["+1"] },
  { name: "trace" },
  { name: "account" },
  { name: "request" },
  { name: "since", values: ["10m", "1h", "24h"], isValid: (value) => sinceOf(value, new Date()) !== undefined },
];

/** Whether a row matches a term, regardless of its `not`. */
function has(row: LogRow, { field, value }: FilterTerm, now: Date): boolean {
  const wanted = value.toLowerCase();
  switch (field) {
    case "kind":
      return row.kind.toLowerCase() === wanted;
    case "status":
      if (wanted === "failed") return isFailure(row);
      return row.result.split(", ").some((word) => matchesPattern(word, value));
    case "who":
    case "to":
      return row.who !== undefined && matchesPattern(row.who, value.includes("*") ? value : `${value}*`);
    case "trace":
      return row.trace.toLowerCase().includes(wanted);
    case "account":
      return row.accountSid?.toLowerCase().includes(wanted) === true;
    case "request":
      return row.requestId?.toLowerCase().includes(wanted) === true || row.trace.toLowerCase().includes(wanted);
    case "since": {
      const since = sinceOf(value, now);
      return since === undefined || Date.parse(row.at) >= since.getTime();
    }
    default:
      return `${row.what} ${row.result} ${row.who ?? ""} ${row.trace}`.toLowerCase().includes(wanted);
  }
}

const asksForRequests = ({ field, value, isNot }: FilterTerm): boolean =>
  !isNot && (field === "request" || field === "trace" || (field === "kind" && value.toLowerCase() === "api"));

export function isShown(row: LogRow, terms: readonly FilterTerm[], now: Date): boolean {
  if (row.isQuiet && !terms.some(asksForRequests)) return false;
  return terms.every((term) => term.isBad || has(row, term, now) !== term.isNot);
}
