// For speed alone (`bench -- webhooks` would notice): writes PostgreSQL's array literals, for statements with hundreds
// of rows: the driver takes ten times as long to write them, and PostgreSQL takes twice as long to read JSON.

import { isoTime } from "../../../base/iso-time.ts";
import { jsonText } from "./json-text.ts";

type Plain = string | number | null;

/** For values that need no quotes: sids, numbers, words of our own, times in ISO 8601. */
export function plainArray(values: readonly Plain[]): string {
  let text = "";
  for (const value of values) text += value === null ? ",NULL" : `,${value}`;
  return `{${text.slice(1)}}`;
}

/** For any text. NUL, which PostgreSQL cannot store, becomes U+FFFD. */
export function textArray(values: readonly (string | null)[]): string {
  let text = "";
  for (const value of values) text += value === null ? ",NULL" : `,"${escaped(value)}"`;
  return `{${text.slice(1)}}`;
}

/**
 * For values of any kind of column; a list among them is written as text, another object as JSON. When no value is set
 * the list is empty, and `unnest` pads it with nulls to the length of the others.
 */
export function listText(values: readonly unknown[]): string {
  let text = "";
  let isEmpty = true;
  for (const value of values) {
    if (value === undefined || value === null) text += ",NULL";
    else {
      text += `,${elementText(value)}`;
      isEmpty = false;
    }
  }
  return isEmpty ? "{}" : `{${text.slice(1)}}`;
}

function elementText(value: unknown): string {
  if (typeof value === "string") return `"${escaped(value)}"`;
  if (value instanceof Date) return isoTime(value);
  if (Array.isArray(value)) return `"${escaped(textArray(value as string[]))}"`;
  return typeof value === "object" ? `"${escaped(jsonText(value))}"` : String(value);
}

function escaped(value: string): string {
  if (!/["\\\0]/.test(value)) return value;
  return value.split("\0").join("\ufffd").replace(/["\\]/g, "\\$&");
}
