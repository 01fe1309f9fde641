// `tandem messages export`: writes every matching message, page by page, as CSV or as one JSON object per line. Memory
// is bounded by a page. A file appears under its name only when it is complete. Cells hold the original values, quoted
// by RFC 4180.

import { open, rename, rm } from "node:fs/promises";
import type { Command } from "commander";
import type { MessageListOptions, OutboundMessage, TandemClient } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { formatCells } from "../../bulk/csv-rows.ts";
import { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { type CsvFlags, retriesOption } from "../../bulk/run-csv.ts";
import { STANDARD_STREAM } from "../../bulk/standard-streams.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { say, writeOutput } from "../../output.ts";
import { addOptionsOf, membersOf } from "../../plain-commands.ts";
import { count, STDERR, showProgress } from "../../progress.ts";
import { stopSignal } from "../../stop-signal.ts";

const PAGE_SIZE = 1000;

interface ExportFlags extends AccountFlags, CsvFlags {
  readonly csv?: string | true;
}

type Column = readonly [name: string, cellOf: (message: OutboundMessage) => string];

const COLUMNS: readonly Column[] = [
  ["CreatedOn", ({ createdOn }) => createdOn],
  ["From", ({ from }) => from],
  ["To", ({ recipients }) => recipients.join(" ")],
  ["TextSegmentCount", ({ segmentCount }) => String(segmentCount)],
  ["Status", ({ status }) => status],
  ["ErrorCode", ({ errorCode }) => String(errorCode)],
  ["ErrorDescription", ({ errorDescription }) => errorDescription ?? ""],
  ["Campaign ID", ({ tcrCampaignId }) => tcrCampaignId ?? ""],
  ["RecipientCarrierName", ({ carrier }) => carrier ?? ""],
  ["Text", ({ text }) => text],
];

const HEADER = csvLine(COLUMNS.map(([name]) => name));

function csvLineOf(message: OutboundMessage): string {
  return csvLine(COLUMNS.map(([, cellOf]) => cellOf(message)));
}

function csvLine(cells: readonly string[]): string {
  return `${formatCells(cells, ",")}\r\n`;
}

export function addExportCommand(messages: Command): void {
  const command = messages
    .command("export")
    .description("Write every message that fits, the newest first, as CSV or as a JSON object a line.");
  addOptionsOf(command, "messages list")
    .option("--csv [file]", "as CSV, into a file or to standard output; this is what happens unless told otherwise")
    .addOption(retriesOption())
    .option("--json", "a JSON object a line; with --csv FILE, say in JSON what was written");
  addAccountOptions(command).action(async (flags: ExportFlags) => {
    process.exitCode = await exportMessages(flags);
  });
}

interface Sink {
  /** False when the reader has closed it. */
  write(lines: string): Promise<boolean>;
  finish(): Promise<void>;
  /** Discards an incomplete file. */
  abandon(): Promise<void>;
}

async function exportMessages(flags: ExportFlags): Promise<number> {
  const file = typeof flags.csv === "string" && flags.csv !== STANDARD_STREAM ? flags.csv : undefined;
  if (flags.csv !== undefined && file === undefined && flags.json)
    throw new UsageError("Both --csv and --json to standard output: choose one.");
  const isJson = flags.json === true && file === undefined;
  const client = clientOf(flags);
  const sink = file === undefined ? standardOutput : await openFile(file);
  const signal = stopSignal();
  const progress = showProgress({ ...STDERR, total: undefined, done: 0, unit: "messages" });
  const onWait = (ms: number, why: string) => progress.wait(ms, why);
  const caller = new RetryingCaller({ sizeMax: 1, retriesMax: flags.retries, signal, onWait });
  let written = 0;
  try {
    if (!isJson) await sink.write(HEADER);
    for await (const page of pagesOf(client, caller, membersOf<MessageListOptions>("messages list", flags))) {
      const lines = page.map((message) => (isJson ? `${JSON.stringify(message)}\n` : csvLineOf(message)));
      if (!(await sink.write(lines.join("")))) break;
      written += page.length;
      progress.advance(written);
    }
    await sink.finish();
  } catch (error) {
    progress.end();
    await sink.abandon();
    if (!signal.aborted) throw error;
    say(`Interrupted after ${count(written)} messages${file === undefined ? "" : `; ${file} was not written`}.`);
    return EXIT.interrupted;
  }
  progress.end();
  if (file !== undefined && flags.json) process.stdout.write(`${JSON.stringify({ out: file, rows: written })}\n`);
  if (file !== undefined) say(`${file}: ${count(written)} messages.`);
  return EXIT.fine;
}

async function* pagesOf(
  client: TandemClient,
  caller: RetryingCaller,
  filters: MessageListOptions,
): AsyncGenerator<readonly OutboundMessage[]> {
  let searchId: string | undefined;
  const { signal } = caller;
  do {
    await caller.allowance();
    const page = { pageSize: PAGE_SIZE, ...(searchId === undefined ? {} : { searchId }), signal };
    const { data } = await caller.call(() => client.messages.list({ ...filters, ...page }));
    yield data.items;
    searchId = data.searchId;
  } while (searchId !== undefined);
}

const standardOutput: Sink = {
  write: writeOutput,
  finish: async () => undefined,
  abandon: async () => undefined,
};

async function openFile(path: string): Promise<Sink> {
  const partial = `${path}.partial`;
  const handle = await open(partial, "w").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${partial} cannot be written (${error.code}).`);
  });
  return {
    async write(lines) {
      await handle.appendFile(lines);
      return true;
    },
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(partial, path);
    },
    async abandon() {
      await handle.close();
      await rm(partial, { force: true });
    },
  };
}
