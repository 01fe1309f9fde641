// Looks up all numbers of a CSV file, a thousand at a time, with progress; the answers can be saved at any time.

import type { LookupBatchAnswer } from "@tandem/sdk";
import { useRef, useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Problem, Verdict } from "../../components/verdict.tsx";
import { type CsvFile, readCsv, writeCsv } from "./csv.ts";

type Found = LookupBatchAnswer["items"][number];

interface Line {
  readonly at: number;
  readonly asked: string;
  readonly found: Found;
}

const BATCH = 1000;
const FILE_MAX = 20_000_000;

const COLUMNS: readonly Column<Line>[] = [
  { id: "line", head: "Line", cell: ({ at }) => <span className="dim num">{at + 1}</span>, phone: "second-right" },
  { id: "number", head: "Number", cell: ({ asked }) => <PhoneNumber value={asked} />, phone: "first" },
  {
    id: "status",
    head: "Status",
    cell: ({ found }) => ("error" in found ? "No number" : found.status),
    phone: "first-right",
  },
  { id: "type", head: "Type", cell: ({ found }) => ("error" in found ? "" : found.type) },
  {
    id: "carrier",
    head: "Carrier",
    cell: ({ found }) => ("error" in found ? found.error : (found.carrierName ?? "not known")),
    grow: true,
    phone: "second",
  },
];

export function CsvLookup() {
  const picker = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController>(undefined);
  const [file, setFile] = useState<CsvFile>();
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [isRunning, setRunning] = useState(false);

  const run = async (csv: CsvFile, done: readonly Line[]) => {
    stop.current = new AbortController();
    setRunning(true);
    setError(undefined);
    try {
      for await (const found of answersTo(csv, done, stop.current.signal)) setLines(found);
    } catch (thrown) {
      if (!stop.current.signal.aborted) setError(thrown);
    } finally {
      setRunning(false);
    }
  };
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    const read = chosen.size > FILE_MAX ? "The file is larger than 20 MB." : readCsv(chosen.name, await chosen.text());
    setLines([]);
    setFile(typeof read === "string" ? undefined : read);
    setFault(typeof read === "string" ? read : undefined);
    if (typeof read !== "string") void run(read, []);
  };
  return (
    <div className="csv-lookup">
      <div className="row">
        <input
          ref={picker}
          className="vh"
          type="file"
          accept=".csv,text/csv,text/plain"
          aria-label="CSV file"
          onChange={(event) => void open(event.target.files?.[0])}
        />
        <Button icon="clip" onClick={() => picker.current?.click()} disabled={isRunning}>
          Choose a CSV file
        </Button>
        {isRunning && <Button onClick={() => stop.current?.abort()}>Stop</Button>}
        {file && !isRunning && lines.length < file.rows.length && (
          <Button onClick={() => void run(file, lines)}>Go on</Button>
        )}
        {file && lines.length > 0 && <Button onClick={() => save(file, lines)}>Save the answers</Button>}
      </div>
      {fault && <Verdict tone="bad" what="Not read" why={fault} advice="Choose a file with a column of numbers." />}
      {error !== undefined && <Problem what="Stopped on the way" error={error} />}
      {file ? (
        <Progress file={file} done={lines.length} />
      ) : (
        <p className="mid">
          The column with numbers is found by itself. The file stays in this browser; only its numbers are asked for.
        </p>
      )}
      {lines.length > 0 && (
        <div className="csv-table">
          <Table label="Answers" columns={COLUMNS} rows={lines} keyOf={({ at }) => String(at)} dense />
        </div>
      )}
    </div>
  );
}

function Progress({ file, done }: { readonly file: CsvFile; readonly done: number }) {
  const all = file.rows.length;
  return (
    <div className="csv-progress">
      <progress max={all} value={done} aria-label="Looked up" />
      <span className="num" role="status">
        {done} of {all} in {file.name}
      </span>
    </div>
  );
}

/** All answers so far, again and again. */
async function* answersTo(csv: CsvFile, done: readonly Line[], signal: AbortSignal): AsyncGenerator<readonly Line[]> {
  let lines = done;
  while (lines.length < csv.rows.length) {
    const from = lines.length;
    const asked = csv.rows.slice(from, from + BATCH).map((row) => (row[csv.column] ?? "").trim());
    const { items } = (await client.lookup.numbers(asked, { signal })).data;
    lines = [...lines, ...items.map((found, at) => ({ at: from + at, asked: asked[at] ?? "", found }))];
    yield lines;
  }
}

function save(csv: CsvFile, lines: readonly Line[]): void {
  const width = Math.max(csv.header?.length ?? 0, ...csv.rows.slice(0, 20).map((row) => row.length));
  const header =
    csv.header ?? Array.from({ length: width }, (_, at) => (at === csv.column ? "number" : `column ${at + 1}`));
  const answers = lines.map(({ at, found }) => [
    ...(csv.rows[at] ?? []),
    ...("error" in found ? ["", "", "", found.error] : [found.status, found.type, found.carrierName ?? "", ""]),
  ]);
  const text = writeCsv([[...header, "status", "type", "carrier", "error"], ...answers]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = csv.name.replace(/(\.csv)?$/i, "-looked-up.csv");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
