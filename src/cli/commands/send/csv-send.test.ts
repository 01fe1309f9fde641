import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PretendMessages } from "../../../../test/fakes/cli-messages.ts";
import { CsvJournal } from "../../bulk/csv-journal.ts";
import { surveyCsv } from "../../bulk/csv-survey.ts";
import { outputPreamble, processCsv } from "../../bulk/process-csv.ts";
import { RetryingCaller } from "../../bulk/retrying-caller.ts";
import type { Progress } from "../../progress.ts";
import { ADDED_COLUMNS, BATCH_MAX, csvSend } from "./csv-send.ts";
import { parseTemplate } from "./text-template.ts";

const SILENT: Progress = { advance: () => undefined, wait: () => undefined, end: () => undefined };
const DAY_MS = 24 * 3_600_000;

let folder: string;
let messages: PretendMessages;
let nowMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-send-"));
  nowMs = Date.now();
  messages = new PretendMessages(() => nowMs);
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string) => writeFileSync(join(folder, "in.csv"), text);
const outputRows = () => readFileSync(join(folder, "out.csv"), "utf8").trimEnd().split("\n").slice(1);
const numberAt = (at: number) => `+1415${String(5_560_000 + at)}`;

function writeRows(count: number): void {
  const rows = Array.from({ length: count }, (_, at) => `person ${at},${numberAt(at)}\n`);
  write(`name,phone\n${rows.join("")}`);
}

interface RunOrder {
  readonly isDryRun?: boolean;
  readonly text?: string;
  readonly sendAt?: string;
}

/** One run of the command on in.csv, until it ends or fails. */
async function run({ isDryRun = false, text = "Hello {name}", sendAt }: RunOrder = {}): Promise<"done" | Error> {
  const input = join(folder, "in.csv");
  const survey = await surveyCsv(input, { wanted: undefined, option: "--to-column" });
  const opened = await CsvJournal.open({
    out: join(folder, "out.csv"),
    subject: { digest: survey.digest, text },
    rowsStart: survey.rowsStart,
    preamble: outputPreamble(survey, ADDED_COLUMNS),
    again: "once",
  });
  if (opened.kind === "finished") return "done";
  const { journal } = opened;
  const signal = new AbortController().signal;
  const caller = new RetryingCaller({ sizeMax: BATCH_MAX, retriesMax: 0, signal, onWait: () => undefined });
  const work = csvSend({
    client: messages.client,
    caller,
    journal,
    message: { from: "+14155550150", ...(sendAt === undefined ? {} : { sendAt }) },
    toColumn: survey.layout.column,
    text: parseTemplate(text, ["name", "phone"]),
    isDryRun,
    nowMs: () => nowMs,
  });
  try {
    await processCsv({ input, survey, journal, work, caller, progress: SILENT });
    await journal.finish();
    return "done";
  } catch (error) {
    await journal.close();
    return error as Error;
  }
}

function expectEachOnce(count: number): void {
  const sent = messages.sent.map(({ text, to }) => `${to} ${text}`).sort();
  expect(sent).toEqual(Array.from({ length: count }, (_, at) => `${numberAt(at)} Hello person ${at}`).sort());
  const sidOf = new Map(messages.sent.map(({ sid, to }) => [to, sid]));
  expect(outputRows()).toEqual(
    Array.from({ length: count }, (_, at) => `person ${at},${numberAt(at)},${sidOf.get(numberAt(at))},Queued,1,,`),
  );
}

test("every row tells what became of its message", async () => {
  write('name,phone\nAnn,+14155560001\n"Bob, B",abc\n\nCid,\nDee,+14155560004\n');
  messages.refuse = ({ to }) =>
    /^\+\d+$/.test(to ?? "") ? undefined : { errorCode: 1001, code: "recipient-invalid", message: "No number, that." };
  expect(await run()).toBe("done");
  expect(outputRows()).toEqual([
    "Ann,+14155560001,OM1,Queued,1,,",
    '"Bob, B",abc,,,,1001,"No number, that."',
    "",
    "Cid,,,,,,There is no number in this row.",
    "Dee,+14155560004,OM2,Queued,1,,",
  ]);
  expect(messages.sent.map(({ text }) => text)).toEqual(["Hello Ann", "Hello Dee"]);
});

test("rows to one recipient go in the file's order", async () => {
  write(`name,phone\n${Array.from({ length: 30 }, (_, at) => `${at},+14155560001\n`).join("")}`);
  expect(await run()).toBe("done");
  expect(messages.sent.map(({ text }) => text)).toEqual(Array.from({ length: 30 }, (_, at) => `Hello ${at}`));
});

test("a dry run sends nothing and tells the same", async () => {
  writeRows(2);
  messages.refuse = ({ to }) =>
    to === numberAt(1) ? { errorCode: 1002, code: "recipient-opted-out", message: "Opted out." } : undefined;
  expect(await run({ isDryRun: true })).toBe("done");
  expect(messages.sent).toEqual([]);
  expect(outputRows()).toEqual([
    `person 0,${numberAt(0)},,WouldBeSent,1,,`,
    `person 1,${numberAt(1)},,,,1002,Opted out.`,
  ]);
});

describe("no row is sent twice or left out", () => {
  test.each([1, 8, 99, 100, 101, 250])(
    "when the answer to request %i is lost and the command is run again",
    async (at) => {
      writeRows(250);
      messages.loseAnswerTo = at;
      expect(await run()).toMatchObject({ fault: "unreachable" });
      messages.loseAnswerTo = undefined;
      expect(await run()).toBe("done");
      expectEachOnce(250);
    },
  );

  test("when it goes on after days, and the server has forgotten the keys", async () => {
    writeRows(150);
    messages.loseAnswerTo = 120;
    expect(await run()).toMatchObject({ fault: "unreachable" });
    const sentBefore = messages.sent.length;
    expect(sentBefore).toBeGreaterThanOrEqual(120);
    messages.loseAnswerTo = undefined;
    nowMs += 2 * DAY_MS;
    expect(await run()).toBe("done");
    expectEachOnce(150);
  });

  test("when it goes on after days, and rows without a number stand between the others", async () => {
    const rows = Array.from({ length: 80 }, (_, at) => `person ${at},${numberAt(at)}\nnobody,\n`);
    write(`name,phone\n${rows.join("")}`);
    messages.loseAnswerTo = 75;
    expect(await run()).toMatchObject({ fault: "unreachable" });
    messages.loseAnswerTo = undefined;
    nowMs += 2 * DAY_MS;
    expect(await run()).toBe("done");
    expect(messages.sent.map(({ to }) => to).sort()).toEqual(Array.from({ length: 80 }, (_, at) => numberAt(at)));
  });

  test("when rows are alike, and it goes on after days", async () => {
    write("name,phone\nAnn,+14155560001\nAnn,+14155560001\nAnn,+14155560001\n");
    messages.loseAnswerTo = 2;
    expect(await run()).toMatchObject({ fault: "unreachable" });
    messages.loseAnswerTo = undefined;
    nowMs += 2 * DAY_MS;
    expect(await run()).toBe("done");
    expect(messages.sent).toHaveLength(3);
    expect(outputRows()).toEqual(["OM1", "OM2", "OM3"].map((sid) => `Ann,+14155560001,${sid},Queued,1,,`));
  });

  test("when a key means another request by now, as after the time of --send-at", async () => {
    writeRows(3);
    messages.loseAnswerTo = 2;
    expect(await run()).toMatchObject({ fault: "unreachable" });
    messages.loseAnswerTo = undefined;
    messages.isEveryKeyReused = true;
    expect(await run()).toBe("done");
    expect(new Set(messages.sent.map(({ to }) => to)).size).toBe(messages.sent.length);
    // The third message was never accepted: its row says so.
    const written = outputRows().map((row) => /OM\d+,Queued|before the work was interrupted/.exec(row)?.[0]);
    expect(written).not.toContain(undefined);
  });

  test("when the time of --send-at passes before the work is done", async () => {
    writeRows(150);
    const sendAt = new Date(nowMs + 60_000).toISOString();
    messages.loseAnswerTo = 101;
    expect(await run({ sendAt })).toMatchObject({ fault: "unreachable" });
    const before = messages.sent.length;
    messages.loseAnswerTo = undefined;
    nowMs += 3_600_000;
    messages.refuse = ({ sendAt }) =>
      sendAt === undefined ? undefined : { errorCode: 2005, code: "bad-date", message: "This lies in the past." };
    expect(await run({ sendAt })).toBe("done");
    expectEachOnce(150);
    expect(messages.sent.filter((message) => message.sendAt === sendAt)).toHaveLength(before);
  });

  test("when all is done and it is run again", async () => {
    writeRows(3);
    expect(await run()).toBe("done");
    await expect(run()).rejects.toThrow("holds the results of an earlier run");
    await expect(run({ text: "Other {name}" })).rejects.toThrow("choose another --out");
    expectEachOnce(3);
  });

  test("when the record of unfinished work is lost", async () => {
    writeRows(150);
    messages.loseAnswerTo = 120;
    await run();
    rmSync(join(folder, "out.csv.partial.json"));
    await expect(run()).rejects.toThrow("out.csv.partial holds the results of an earlier run");
  });

  test("when the text is changed in the middle", async () => {
    writeRows(150);
    messages.loseAnswerTo = 120;
    await run();
    await expect(run({ text: "Other {name}" })).rejects.toThrow("unfinished work on other input or with other options");
  });
});

test("a full queue is waited for", async () => {
  writeRows(3);
  let refusals = 1;
  messages.refuse = () =>
    refusals-- > 0 ? { errorCode: 3005, code: "queue-full", message: "The queue is full." } : undefined;
  expect(await run()).toBe("done");
  expectEachOnce(3);
});

test("when the sender may no longer send, the work stops and goes on later", async () => {
  writeRows(350);
  const suspended = { errorCode: 3015, code: "campaign-suspended", message: "The campaign is suspended." };
  messages.refuse = () => (messages.sent.length >= 150 ? suspended : undefined);
  const stopped = await run();
  expect(stopped).toMatchObject({ name: "RefusedError", message: expect.stringContaining("[error 3015]") });
  messages.refuse = () => undefined;
  expect(await run()).toBe("done");
  const refused = outputRows().filter((row) => row.includes(",3015,"));
  expect(refused).toHaveLength(50);
  expect(messages.sent).toHaveLength(300);
});

test("what concerns the account stops the work at once", async () => {
  writeRows(30);
  messages.failure = { status: 401, code: "unauthorized" };
  expect(await run()).toMatchObject({ name: "TandemError", status: 401 });
  messages.failure = undefined;
  expect(await run()).toBe("done");
  expectEachOnce(30);
});
