import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../../../sdk/src/index.ts";
import { type LookupServer, type LookupServerOrder, startLookupServer } from "../../../../test/fakes/lookup-server.ts";
import { CsvJournal } from "../../bulk/csv-journal.ts";
import { surveyCsv } from "../../bulk/csv-survey.ts";
import { outputPreamble, processCsv } from "../../bulk/process-csv.ts";
import { RetryingCaller } from "../../bulk/retrying-caller.ts";
import type { Progress } from "../../progress.ts";
import { ADDED_COLUMNS, BATCH_MAX, csvLookup } from "./csv-lookup.ts";

const SILENT: Progress = { advance: () => undefined, wait: () => undefined, end: () => undefined };

let folder: string;
let server: LookupServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-csv-"));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});

const read = () => readFileSync(join(folder, "out.csv"), "utf8");

interface RunOrder {
  readonly column?: string;
  readonly restart?: boolean;
  readonly retriesMax?: number;
  readonly signal?: AbortSignal;
}

/** One run of the command on in.csv, until it ends or fails. */
async function run({ column, restart = false, retriesMax = 0, signal }: RunOrder = {}): Promise<"done" | Error> {
  const input = join(folder, "in.csv");
  const survey = await surveyCsv(input, { wanted: column, option: "--column" });
  const { hasHeader } = survey.layout;
  const opened = await CsvJournal.open({
    out: join(folder, "out.csv"),
    subject: { digest: survey.digest, column: survey.layout.column, hasHeader },
    rowsStart: survey.rowsStart,
    preamble: outputPreamble(survey, ADDED_COLUMNS),
    again: restart ? "forget" : "continue",
  });
  if (opened.kind === "finished") return "done";
  const { journal } = opened;
  const client = createClient({ baseUrl: server?.url ?? "", accountSid: "AC1", token: "t", retries: 0 });
  try {
    const given = signal ?? new AbortController().signal;
    const caller = new RetryingCaller({ sizeMax: BATCH_MAX, retriesMax, signal: given, onWait: () => undefined });
    const work = csvLookup(client, caller, survey.layout.column);
    await processCsv({ input, survey, journal, work, caller, progress: SILENT });
    await journal.finish();
    return "done";
  } catch (error) {
    await journal.close();
    return error as Error;
  }
}

async function start(order?: LookupServerOrder): Promise<LookupServer> {
  server = await startLookupServer(order);
  return server;
}

function write(text: string | Buffer): void {
  writeFileSync(join(folder, "in.csv"), text);
}

function numbered(count: number): string {
  return `phone\n${Array.from({ length: count }, (_, at) => `+1415474${String(at).padStart(5, "0")}\n`).join("")}`;
}

function expectWhole(count: number): void {
  const rows = Array.from({ length: count }, (_, at) => {
    const number = `+1415474${String(at).padStart(5, "0")}`;
    return `${number},${number},Active,${at % 2 === 0 ? "Wireless" : "Landline"},"Carrier, ${number.slice(-3)}",`;
  });
  expect(read().trimEnd().split("\n").slice(1)).toEqual(rows);
}

describe("every row keeps what it had", () => {
  test("header, quotes, order, blank lines, rows too short and a refused number", async () => {
    await start();
    write('name,phone,note\n"Ann, ""A""",+1002,x\nBob,abc,"two\nlines"\n\nCid,+1003\nDee,,z\n');
    expect(await run()).toBe("done");
    expect(read()).toBe(
      [
        "name,phone,note,number,status,type,carrierName,error",
        '"Ann, ""A""",+1002,x,+1002,Active,Wireless,"Carrier, 002",',
        'Bob,abc,"two\nlines",abc,,,,This is no number.',
        "",
        'Cid,+1003,,+1003,Active,Landline,"Carrier, 003",',
        "Dee,,z,,,,,There is no number in this row.",
        "",
      ].join("\n"),
    );
    expect(server?.batches).toEqual([["+1002", "abc", "+1003"]]);
    expect(readdirSync(folder).sort()).toEqual(["in.csv", "out.csv"]);
  });

  test("byte order mark, semicolons, CRLF, no end of the last line, and bytes that are not UTF-8", async () => {
    await start();
    const latin = Buffer.concat([Buffer.from("\ufeffName;Tel\r\nJ"), Buffer.from([0xf6]), Buffer.from("rg;+1004")]);
    write(latin);
    expect(await run()).toBe("done");
    const out = readFileSync(join(folder, "out.csv"));
    expect(out.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(out.toString("latin1").slice(3)).toBe(
      "Name;Tel;number;status;type;carrierName;error\r\nJ\u00f6rg;+1004;+1004;Active;Wireless;Carrier, 004;\r\n",
    );
  });

  test("a file without a header gets none", async () => {
    await start();
    write("+14154740200\n");
    expect(await run()).toBe("done");
    expect(read()).toBe('+14154740200,+14154740200,Active,Wireless,"Carrier, 200",\n');
  });

  test("a file of a header only, and what is too long to be asked", async () => {
    await start();
    write("phone\n");
    expect(await run()).toBe("done");
    expect(read()).toBe("phone,number,status,type,carrierName,error\n");
    write(`phone\n${"1".repeat(300)}\n`);
    expect(await run()).toBe("done");
    expect(read()).toContain(",,,,,This is too long for a phone number.\n");
    expect(server?.batches).toEqual([]);
  });
});

describe("the server's pace is kept", () => {
  test("batches of a thousand, smaller where the limit is", async () => {
    const { batches } = await start({ limit: 300 });
    write(numbered(1000));
    expect(await run()).toBe("done");
    expectWhole(1000);
    expect(batches.map((batch) => batch.length)).toEqual([1000, 300, 300, 300, 100]);
  });

  test("denials are waited out and nothing is lost or doubled", async () => {
    const { batches } = await start({ conduct: (before) => (before % 3 === 2 ? "answer" : "deny") });
    write(numbered(2500));
    expect(await run()).toBe("done");
    expectWhole(2500);
    expect(batches).toHaveLength(9);
  });

  test("a fault of the server is tried again", async () => {
    await start({ conduct: (before) => (before === 1 ? "fail" : "answer") });
    write(numbered(1500));
    expect(await run({ retriesMax: 1 })).toBe("done");
    expectWhole(1500);
  });
});

describe("the work goes on where it stopped", () => {
  test.each(["fail", "cut"] as const)("after a server that %ss", async (conduct) => {
    const { batches } = await start({ conduct: (before) => (before === 2 ? conduct : "answer") });
    write(numbered(4200));
    expect(await run()).toBeInstanceOf(Error);
    expect(readdirSync(folder).sort()).toEqual(["in.csv", "out.csv.partial", "out.csv.partial.json"]);
    expect(await run()).toBe("done");
    expectWhole(4200);
    // Only rows that were not recorded are requested again.
    expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 1000, 1000, 1000, 200]);
  });

  test("after Ctrl-C, wherever it comes", async () => {
    const stop = new AbortController();
    const { heard } = await start({ conduct: (before) => (before === 1 ? "hang" : "answer") });
    write(numbered(3000));
    const first = run({ signal: stop.signal });
    await heard(2);
    stop.abort();
    expect(await first).toMatchObject({ name: "AbortError" });
    expect(await run()).toBe("done");
    expectWhole(3000);
  });

  test("with what was written beyond the record cut off", async () => {
    await start({ conduct: (before) => (before === 1 ? "fail" : "answer") });
    write(numbered(1500));
    await run();
    writeFileSync(join(folder, "out.csv.partial"), "half a ro", { flag: "a" });
    expect(await run()).toBe("done");
    expectWhole(1500);
  });

  test("but not on other input, unless asked to begin again", async () => {
    await start({ conduct: (before) => (before === 1 ? "fail" : "answer") });
    write(numbered(1500));
    await run();
    write(numbered(1400));
    await expect(run()).rejects.toThrow("unfinished work on other input");
    expect(await run({ restart: true })).toBe("done");
    expectWhole(1400);
  });

  test("and a run that was killed before the last rename only needs that", async () => {
    const { batches } = await start({ conduct: (before) => (before === 1 ? "fail" : "answer") });
    write(numbered(1500));
    await run();
    const record = JSON.parse(readFileSync(join(folder, "out.csv.partial.json"), "utf8"));
    writeFileSync(join(folder, "out.csv.partial.json"), JSON.stringify({ ...record, isFinished: true }));
    expect(await run()).toBe("done");
    expect(batches).toHaveLength(2);
    expect(read().split("\n")).toHaveLength(1002);
    expect(readdirSync(folder).sort()).toEqual(["in.csv", "out.csv"]);
  });

  test("and the lock of a dead process does not stand in the way", async () => {
    await start();
    write(numbered(3));
    writeFileSync(join(folder, "out.csv.lock"), "2147483646\n");
    expect(await run()).toBe("done");
    writeFileSync(join(folder, "out.csv.lock"), `${process.ppid}\n`);
    await expect(run()).rejects.toThrow(`Process ${process.ppid} is writing this output.`);
  });
});

test("fifty thousand rows are quick work", async () => {
  const { batches } = await start();
  write(numbered(50_000));
  expect(await run()).toBe("done");
  expectWhole(50_000);
  expect(batches).toHaveLength(50);
});
