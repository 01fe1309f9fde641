// Reads a source table, plain or gzipped. Every error names the file and the line.

import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export class SourceError extends Error {}

export interface CsvTable {
  readonly file: string;
  readonly rows: readonly CsvRow[];
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A plain `.csv` takes precedence over the `.csv.gz`, so that a newer file can simply be added. */
export function findCsv(path: string): string | undefined {
  return [path, `${path}.gz`].find((candidate) => existsSync(candidate));
}

export function readCsv(file: string, columns: readonly string[]): CsvTable {
  const lines = readText(file).split(/\r?\n/);
  const header = splitRow(lines[0] ?? "");
  if (!header || header.join() !== columns.join()) {
    throw new SourceError(`${file}:1: expected the header "${columns.join(",")}"`);
  }
  const rows: CsvRow[] = [];
  for (let at = 1; at < lines.length; at++) {
    const text = lines[at] ?? "";
    if (text === "") continue;
    const cells = splitRow(text);
    if (!cells) throw new SourceError(`${file}:${at + 1}: a quote is not closed`);
    if (cells.length !== columns.length) {
      throw new SourceError(`${file}:${at + 1}: ${cells.length} cells instead of ${columns.length}`);
    }
    rows.push({ line: at + 1, cells });
  }
  if (rows.length === 0) throw new SourceError(`${file}: no rows`);
  return { file, rows };
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    return new TextDecoder("utf-8", { fatal: true }).decode(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  } catch (error) {
    throw new SourceError(`${file}: cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

function splitRow(text: string): string[] | undefined {
  if (!text.includes('"')) return text.split(",");
  const cells: string[] = [];
  let at = 0;
  while (at <= text.length) {
    if (text[at] !== '"') {
      const comma = text.indexOf(",", at);
      const end = comma < 0 ? text.length : comma;
      cells.push(text.slice(at, end));
      at = end + 1;
      continue;
    }
    const quoted = /"((?:[^"]|"")*)"(?:,|$)/y;
    quoted.lastIndex = at;
    const match = quoted.exec(text);
    if (!match) return undefined;
    cells.push((match[1] ?? "").replaceAll('""', '"'));
    at = quoted.lastIndex;
    if (!match[0].endsWith(",")) return cells;
  }
  return cells;
}
