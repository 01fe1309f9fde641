// Looks up all numbers of a CSV file, a hundred at a time, with progress; the results can be saved at any time.

import type { LookupBatchAnswer } from "@tandem/sdk";
import { useRef, useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/form.tsx";
import { readerQuery } from "../../components/number-reader.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { saveFile } from "../../components/save-file.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Problem, Verdict } from "../../components/verdict.tsx";
import { duration } from "../../components/zone.ts";
import { type CsvChoice, type CsvFile, DELIMITERS, ENCODINGS, readCsv, writeCsv } from "./csv.ts";

type Found = LookupBatchAnswer["items"][number];

interface Line {
  readonly at: number;
  readonly asked: string;
  readonly found: Found;
}

const BATCH = 100;
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

/** Looks up the numbers of a file, and continues where it was stopped. */
function useAnswers() {
  const ending = useRef<AbortController>(undefined);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [leftMs, setLeftMs] = useState<number>();
  const [error, setError] = useState<unknown>();
  const run = async (csv: CsvFile, done: readonly Line[]) => {
    ending.current?.abort();
    const own = new AbortController();
    ending.current = own;
    setRunning(true);
    setLines(done);
    setError(undefined);
    setLeftMs(undefined);
    const begunMs = performance.now();
    try {
      for await (const found of answersTo(csv, done, own.signal)) {
        setLines(found);
        const perLineMs = (performance.now() - begunMs) / (found.length - done.length);
        setLeftMs(perLineMs * (csv.rows.length - found.length));
      }
    } catch (thrown) {
      if (!own.signal.aborted) setError(thrown);
    } finally {
      if (ending.current === own) setRunning(false);
    }
  };
  return { lines, isRunning, leftMs, error, run, stop: () => ending.current?.abort() };
}

/** The file as it is read now, and what reads it otherwise. */
function useFile(onRead: (csv: CsvFile) => void) {
  const [bytes, setBytes] = useState<Uint8Array>();
  const [file, setFile] = useState<CsvFile>();
  const [fault, setFault] = useState<string>();
  const read = async (name: string, content: Uint8Array, choice?: CsvChoice) => {
    const { weigh } = await queries.ensureQueryData(readerQuery);
    const csv = readCsv(name, content, weigh, choice);
    setFile(typeof csv === "string" ? undefined : csv);
    setFault(typeof csv === "string" ? csv : undefined);
    if (typeof csv !== "string") onRead(csv);
  };
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > FILE_MAX) {
      setFault("The file is larger than 20 MB.");
      return;
    }
    const content = new Uint8Array(await chosen.arrayBuffer());
    setBytes(content);
    await read(chosen.name, content);
  };
  /** Begins anew with what was chosen; what is found by itself may follow from it. */
  const choose = (choice: CsvChoice) => {
    if (!file || !bytes) return;
    const { encoding, delimiter } = file;
    const kept = choice.encoding ? {} : choice.delimiter ? { encoding } : { encoding, delimiter };
    void read(file.name, bytes, { ...kept, ...choice });
  };
  return { file, fault, open, choose };
}

export function CsvLookup() {
  const picker = useRef<HTMLInputElement>(null);
  const { lines, isRunning, leftMs, error, run, stop } = useAnswers();
  const { file, fault, open, choose } = useFile((csv) => void run(csv, []));
  return (
    <div className="csv-lookup">
      <div className="row">
        <input
          ref={picker}
          className="vh"
          type="file"
          accept=".csv,.tsv,.tab,.txt,text/csv,text/tab-separated-values,text/plain"
          aria-label="CSV file"
          onChange={(event) => void open(event.target.files?.[0])}
        />
        <Button icon="clip" onClick={() => picker.current?.click()} disabled={isRunning}>
          Choose a CSV file
        </Button>
        {isRunning && <Button onClick={stop}>Stop</Button>}
        {file && !isRunning && lines.length < file.rows.length && (
          <Button onClick={() => void run(file, lines)}>Go on</Button>
        )}
        {file && lines.length > 0 && (
          <Button icon="download" onClick={() => save(file, lines)}>
            {isRunning ? "So far" : "Save the answers"}
          </Button>
        )}
      </div>
      {fault && <Verdict tone="bad" what="Not read" why={fault} advice="Choose a file with a column of numbers." />}
      {error !== undefined && <Problem what="Stopped on the way" error={error} />}
      {file && <Choices file={file} onChoose={choose} />}
      {file ? (
        <Progress file={file} lines={lines} leftMs={isRunning ? leftMs : undefined} />
      ) : (
        <p className="mid">
          The column with numbers is found by itself. The file stays in this browser; only its numbers are asked for.
        </p>
      )}
      {file && lines.length > 0 && (
        <div className="csv-table">
          <Table label="Answers" columns={COLUMNS} rows={lines} keyOf={({ at }) => String(at)} dense />
        </div>
      )}
    </div>
  );
}

const DELIMITER_WORDS = { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar" } as const;

interface ChoicesProps {
  readonly file: CsvFile;
  readonly onChoose: (choice: CsvChoice) => void;
}

/** What was found in the file, to be put right. */
function Choices({ file, onChoose }: ChoicesProps) {
  const { header, rows, column, delimiter, encoding } = file;
  const width = Math.max(header?.length ?? 0, ...rows.slice(0, 20).map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => {
    const name = header?.[at]?.trim() || `Column ${at + 1}`;
    const example = rows[0]?.[at]?.trim();
    return [String(at), example ? `${name} (${example.slice(0, 24)})` : name] as const;
  });
  return (
    <div className="csv-choices">
      <SelectField
        label="Column with the numbers"
        value={String(column)}
        onChange={(at) => onChoose({ column: Number(at) })}
        options={columns}
      />
      <SelectField
        label="Delimiter"
        value={delimiter}
        onChange={(next) => onChoose({ delimiter: next })}
        options={DELIMITERS.map((each) => [each, DELIMITER_WORDS[each]] as const)}
      />
      <SelectField
        label="Encoding"
        value={encoding}
        onChange={(next) => onChoose({ encoding: next })}
        options={ENCODINGS}
      />
    </div>
  );
}

interface ProgressProps {
  readonly file: CsvFile;
  readonly lines: readonly Line[];
  /** Only while it runs, once it can be estimated. */
  readonly leftMs: number | undefined;
}

function Progress({ file, lines, leftMs }: ProgressProps) {
  const all = file.rows.length;
  const faults = lines.filter(({ found }) => "error" in found).length;
  return (
    <div className="csv-progress">
      <p>
        <b className="strong">{file.name}</b>
        <span className="num" role="status">
          {lines.length.toLocaleString("en")} of {all.toLocaleString("en")}
          {leftMs !== undefined && leftMs > 0 && `, ${duration(leftMs)} left`}
        </span>
      </p>
      <progress max={all} value={lines.length} aria-label="Looked up" />
      {faults > 0 && (
        <p className="mid">
          {faults.toLocaleString("en")} {faults === 1 ? "is no number" : "are not numbers"}
        </p>
      )}
    </div>
  );
}

/** Yields all results so far after each batch. */
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
  const text = writeCsv([[...header, "status", "type", "carrier", "error"], ...answers], csv.delimiter);
  saveFile(csv.name.replace(/(\.(csv|tsv|tab|txt))?$/i, "-looked-up.csv"), [text], "text/csv");
}
