// A message text with columns of a CSV file: `Hello {name}`. A doubled brace stands for itself.

import { findColumn } from "../../bulk/csv-columns.ts";
import { UsageError } from "../../exit-codes.ts";

/** Makes the text of a row from its cells. */
export type TextTemplate = (cells: readonly string[]) => string;

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g;

export function parseTemplate(text: string, columnNames: readonly string[]): TextTemplate {
  const parts: (string | { readonly column: number })[] = [];
  for (const [token, name] of text.matchAll(TOKEN)) {
    if (name !== undefined) parts.push({ column: findColumn(columnNames, name) });
    else if (token === "{" || token === "}") {
      throw new UsageError(`A brace in the text stands alone: write {column}, or ${token}${token} for the character.`);
    } else parts.push(token === "{{" ? "{" : token === "}}" ? "}" : token);
  }
  return (cells) => parts.map((part) => (typeof part === "string" ? part : (cells[part.column] ?? ""))).join("");
}

/** In lower case; the first one found wins. */
const TEXT_COLUMNS = ["text", "message", "body"];

/** The column with whole texts: the wanted one, or one with a usual name. */
export function textColumn(wanted: string | undefined, columnNames: readonly string[]): TextTemplate {
  const column = wanted === undefined ? guessTextColumn(columnNames) : findColumn(columnNames, wanted);
  return (cells) => cells[column] ?? "";
}

function guessTextColumn(columnNames: readonly string[]): number {
  const names = columnNames.map((name) => name.trim().toLowerCase());
  const found = TEXT_COLUMNS.find((name) => names.includes(name));
  if (found !== undefined) return names.indexOf(found);
  throw new UsageError("What to send is missing: give --text, with {column} in it if you like, or --text-column NAME.");
}
