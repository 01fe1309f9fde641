// Reads the layers that sources.json lists into prefixes with holders. The list's order is the painting order:
// a later layer is painted over an earlier one.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { PHONE_TYPES, type PhoneType } from "../src/domain/lookup/number-info.ts";
import type { NumberingHeader, NumberingHolder, NumberingLayer } from "../src/domain/lookup/numbering-table.ts";
import type { PaintedPrefix } from "./paint-intervals.ts";
import { type CsvRow, type CsvTable, findCsv, readCsv, SourceError } from "./read-csv.ts";

const LAYER_KINDS = ["nanp", "operators", "mobile-carriers", "places"] as const;
type LayerKind = (typeof LAYER_KINDS)[number];

/** In these regions any number may be fixed or mobile and is portable, so only the block list counts. */
const NANP_TABLE_ONLY: readonly (CountryCode | undefined)[] = ["US", "CA", "PR"];
const LINE_TYPES: readonly string[] = [...PHONE_TYPES, "Pager"];
const HOLDERS_MAX = 65_535;

interface LayerSource extends NumberingLayer {
  readonly kind: LayerKind;
  readonly prefixes: string;
  readonly operators?: string;
  readonly optional?: boolean;
}

export interface LayerCount {
  readonly name: string;
  readonly date: string;
  readonly rows: number;
  /** Rows left out on purpose, e.g. mobile carriers of US area codes. */
  readonly skipped: number;
}

export interface Sources {
  readonly header: NumberingHeader;
  readonly prefixes: readonly PaintedPrefix[];
  readonly counts: readonly LayerCount[];
}

type HolderOf = (row: CsvRow, layer: number) => NumberingHolder;

export function readSources(folder: string): Sources {
  const layers: NumberingLayer[] = [];
  const holders = newHolderList();
  const prefixes: PaintedPrefix[] = [];
  const counts: LayerCount[] = [];
  for (const source of readLayerList(join(folder, "sources.json"))) {
    const file = findCsv(join(folder, source.prefixes));
    if (!file && source.optional) continue;
    const rank = layers.push({ name: source.name, date: source.date, licence: source.licence }) - 1;
    const { table, holderOf } = openLayer(folder, source, file);
    let skipped = 0;
    const seen = new Set<string>();
    const idByCell = new Map<string, number>();
    for (const row of table.rows) {
      const prefix = prefixOf(source.kind, table.file, row);
      if (seen.has(prefix)) throw new SourceError(`${table.file}:${row.line}: ${prefix} is named twice`);
      seen.add(prefix);
      if (source.kind === "mobile-carriers" && isLeftToNanp(prefix)) {
        skipped++;
        continue;
      }
      const cell = row.cells[1] ?? "";
      const holder = idByCell.get(cell) ?? holders.idOf(holderOf(row, rank), table, row);
      idByCell.set(cell, holder);
      prefixes.push({ prefix, rank, holder });
    }
    counts.push({ name: source.name, date: source.date, rows: table.rows.length - skipped, skipped });
  }
  return { header: { layers, holders: holders.all }, prefixes, counts };
}

function openLayer(folder: string, source: LayerSource, file: string | undefined) {
  const prefixFile = file ?? missing(join(folder, source.prefixes));
  if (source.kind === "mobile-carriers") {
    const table = readCsv(prefixFile, ["prefix", "carrier"]);
    // No line type: where plans do not define it (Chile, Denmark), the list names carriers of fixed ranges too.
    const holderOf: HolderOf = (row, layer) => ({ carrierName: filled(table, row, 1, "carrier"), layer });
    return { table, holderOf };
  }
  if (source.kind === "places") {
    const table = readCsv(prefixFile, ["prefix", "place"]);
    // A table of places has the place's name in the carrier's column.
    const holderOf: HolderOf = (row, layer) => ({ carrierName: filled(table, row, 1, "place"), layer });
    return { table, holderOf };
  }
  const operators = readOperators(source.kind, findOrFail(folder, source.operators ?? ""));
  const table = readCsv(prefixFile, ["prefix", "operator_id"]);
  const holderOf: HolderOf = (row, layer) => {
    const operator = operators.get(row.cells[1] ?? "");
    if (!operator) throw new SourceError(`${table.file}:${row.line}: no operator has the id "${row.cells[1]}"`);
    return { ...operator, layer };
  };
  return { table, holderOf };
}

function readOperators(kind: LayerKind, file: string): Map<string, Omit<NumberingHolder, "layer">> {
  const operators = new Map<string, Omit<NumberingHolder, "layer">>();
  if (kind === "nanp") {
    const table = readCsv(file, ["id", "registry_name", "display_name", "line_type", "basis", "source"]);
    for (const row of table.rows) {
      const lineType = row.cells[3] ?? "";
      if (!LINE_TYPES.includes(lineType)) {
        throw new SourceError(`${file}:${row.line}: "${lineType}" is none of ${LINE_TYPES.join(", ")}`);
      }
      const carrierName = filled(table, row, 2, "display_name");
      operators.set(row.cells[0] ?? "", { carrierName, lineType: lineType as PhoneType | "Pager" });
    }
    return operators;
  }
  const table = readCsv(file, ["id", "name"]);
  for (const row of table.rows) operators.set(row.cells[0] ?? "", { carrierName: filled(table, row, 1, "name") });
  return operators;
}

function prefixOf(kind: LayerKind, file: string, row: CsvRow): string {
  const digits = row.cells[0] ?? "";
  if (kind === "nanp") {
    if (!/^[2-9]\d{5,6}$/.test(digits)) {
      throw new SourceError(`${file}:${row.line}: "${digits}" is not a block of 6 or 7 digits`);
    }
    return `1${digits}`;
  }
  if (!/^[1-9]\d{0,14}$/.test(digits)) throw new SourceError(`${file}:${row.line}: "${digits}" is not a prefix`);
  return digits;
}

const regionOfAreaCode = new Map<string, CountryCode | undefined>();

/** Some mobile rows wrongly name area codes of the US (659, Alabama); Puerto Rico's are older than the block list. */
function isLeftToNanp(prefix: string): boolean {
  if (!prefix.startsWith("1") || prefix.length < 4) return false;
  const areaCode = prefix.slice(1, 4);
  if (!regionOfAreaCode.has(areaCode)) {
    const sample = parsePhoneNumberFromString(`+1${areaCode}2345678`, { extract: false });
    regionOfAreaCode.set(areaCode, sample?.country);
  }
  return NANP_TABLE_ONLY.includes(regionOfAreaCode.get(areaCode));
}

function filled(table: CsvTable, row: CsvRow, cell: number, column: string): string {
  const text = (row.cells[cell] ?? "").trim();
  if (text === "") throw new SourceError(`${table.file}:${row.line}: ${column} is empty`);
  return text;
}

/** Gives each distinct holder one id, counted from 1. */
function newHolderList() {
  const all: NumberingHolder[] = [];
  const ids = new Map<string, number>();
  function idOf(holder: NumberingHolder, table: CsvTable, row: CsvRow): number {
    const key = `${holder.layer}|${holder.lineType ?? ""}|${holder.carrierName}`;
    const known = ids.get(key);
    if (known) return known;
    if (all.length === HOLDERS_MAX)
      throw new SourceError(`${table.file}:${row.line}: more than ${HOLDERS_MAX} holders`);
    const id = all.push(holder);
    ids.set(key, id);
    return id;
  }
  return { all, idOf };
}

function readLayerList(file: string): readonly LayerSource[] {
  if (!existsSync(file)) missing(file);
  let list: { layers?: unknown };
  try {
    list = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SourceError(`${file}: not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (!Array.isArray(list.layers) || list.layers.length === 0) throw new SourceError(`${file}: "layers" is missing`);
  return list.layers.map((layer: Partial<LayerSource>, at) => {
    const fault = faultOf(layer);
    if (fault) throw new SourceError(`${file}: layer ${at + 1}: ${fault}`);
    return layer as LayerSource;
  });
}

function faultOf(layer: Partial<LayerSource>): string | undefined {
  if (!layer.name) return '"name" is missing';
  if (!LAYER_KINDS.some((kind) => kind === layer.kind)) return `"kind" is none of ${LAYER_KINDS.join(", ")}`;
  if (!/^\d{4}-\d\d-\d\d$/.test(layer.date ?? "") || Number.isNaN(Date.parse(layer.date ?? ""))) {
    return '"date" is not a date such as 2026-09-03';
  }
  if (!layer.licence) return '"licence" is missing';
  if (!layer.prefixes) return '"prefixes" is missing';
  if ((layer.kind === "nanp" || layer.kind === "operators") && !layer.operators) return '"operators" is missing';
  return undefined;
}

function findOrFail(folder: string, path: string): string {
  return findCsv(join(folder, path)) ?? missing(join(folder, path));
}

function missing(path: string): never {
  throw new SourceError(`${path}: missing${path.endsWith(".csv") ? " (neither .csv nor .csv.gz)" : ""}`);
}
