// `tandem send`: one message, or one for every row of a CSV file.

import { createHash, randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import {
  type MessageDryRun,
  type MessageOrder,
  PRIORITIES,
  type Priority,
  type TandemClient,
} from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientAndSender } from "../../account-options.ts";
import { collect, given, isRelativeMoment, oneOf, parseCount, parseMomentAhead } from "../../arguments.ts";
import { columnNames } from "../../bulk/csv-survey.ts";
import { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { type CsvFlags, outBeside, retriesOption, runCsv } from "../../bulk/run-csv.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { printFields, printJson, printResult, printTable, say } from "../../output.ts";
import { printAs } from "../../plain-commands.ts";
import { STDERR } from "../../progress.ts";
import { stopSignal } from "../../stop-signal.ts";
import { awaitOutcome, isSettled } from "./await-outcome.ts";
import { ADDED_COLUMNS, BATCH_MAX, checkSender, csvSend } from "./csv-send.ts";
import { parseTemplate, textColumn } from "./text-template.ts";

const WAIT_SECONDS = 60;

interface SendFlags extends AccountFlags, CsvFlags {
  readonly from?: string;
  readonly to?: readonly string[];
  readonly text?: string;
  readonly media?: readonly string[];
  readonly priority?: Priority;
  readonly sendAt?: string;
  readonly expires?: string;
  readonly callback?: string;
  readonly metadata?: string;
  readonly hold?: true;
  readonly smartEncoding?: true;
  readonly dryRun?: true;
  readonly key?: string;
  readonly wait?: number | true;
  readonly csv?: string;
  readonly toColumn?: string;
  readonly textColumn?: string;
}

const HELP = `
A CSV file:
  One message a row, to the number in the column called number, phone, mobile, to, … or --to-column. The text is --text, in which
  {name} stands for the column called name ({2} for the second one, {{ for a brace), or the column called text or --text-column. Every
  row is copied to OUT as it is and gets the columns sid, status, segmentCount, errorCode and error. Interrupted by whatever, the same
  command goes on where it stopped, and no row is sent twice; an OUT that is there already is never sent again. Rate limits are kept.

Exit status:
  0  accepted, with --wait delivered (a CSV file: every row was accepted)
  1  refused, with --wait not delivered in time (a CSV file: some rows were refused, as their error column says)
  2  the command is not right
  130  interrupted

Examples:
  tandem send --to +14155550100 --text "Hello" --wait
  tandem send --to +14155550100 --text "Good morning" --send-at 2026-01-31T09:00:00Z
  tandem send --csv customers.csv --text "Hello {name}, your table is ready." --dry-run
`;

export function addSendCommand(program: Command): void {
  const command = program
    .command("send")
    .summary("send a message, or one for every row of a CSV file")
    .description("Send a message, or one for every row of a CSV file.")
    .option("--from <number>", "one of your numbers (else TANDEM_NUMBER, the profile's, data/demo.env's)")
    .option("--to <number>", "the recipient; several times for a group MMS", collect)
    .option("--text <text>", "what to send")
    .option("--media <url>", "a picture or other file to send; up to ten times", collect)
    .option("--send-at <time>", "not earlier: in 30m, 2h, 3d, or 2026-01-31T09:00:00Z", checkedMoment)
    .option("--expires <time>", "not later, written in the same way", checkedMoment)
    .option("--priority <priority>", PRIORITIES.join(", "), oneOf(PRIORITIES))
    .option("--hold", "accept it while the number is not active yet, and send it when it is")
    .option("--callback <url>", "status changes go there instead of to webhooks")
    .option("--metadata <text>", "given back with replies")
    .option("--smart-encoding", "replace typographic characters where that spares segments")
    .option("--dry-run", "say what would happen, and send nothing")
    .option("--key <key>", "the same key with the same message sends it only once a day")
    .option("--wait [seconds]", `wait until it is delivered or failed, ${WAIT_SECONDS} s unless told`, parseCount)
    .option("--csv <file>", "one message for every row of a CSV file")
    .option("--out <file>", "where its rows go, with what became of them (else FILE.sent.csv)")
    .option("--to-column <name>", "the column of the recipients: its name, or its position from 1")
    .addOption(new Option("--text-column <name>", "the column of the texts").conflicts("text"))
    .addOption(retriesOption())
    .option("--json", "print JSON");
  addAccountOptions(command)
    .addHelpText("after", HELP)
    .action(async (flags: SendFlags) => {
      process.exitCode = await send(flags);
    });
}

async function send(flags: SendFlags): Promise<number> {
  checkFlags(flags);
  const { accountSid, client, number } = clientAndSender(flags);
  const message = messageOf(number, flags);
  if (flags.csv !== undefined) return sendFile(client, accountSid, message, flags.csv, flags);
  const [to, ...others] = flags.to ?? [];
  if (to === undefined) throw new UsageError("Give --to NUMBER, or --csv FILE.");
  const whole = { ...message, ...(others.length === 0 ? { to } : { recipients: [to, ...others] }) };
  return sendOne(client, { ...whole, ...(flags.text === undefined ? {} : { text: flags.text }) }, flags);
}

function checkFlags(flags: SendFlags): void {
  if (flags.csv === undefined) {
    const wrong = (["out", "toColumn", "textColumn"] as const).filter((name) => flags[name] !== undefined);
    if (wrong.length > 0) throw new UsageError("--out, --to-column and --text-column belong to --csv FILE.");
    if (flags.to === undefined) throw new UsageError("Give --to NUMBER, or --csv FILE.");
    if (flags.dryRun && flags.wait !== undefined) throw new UsageError("A --dry-run sends nothing to --wait for.");
    return;
  }
  if (flags.to !== undefined) throw new UsageError("Give --to or --csv, not both.");
  if (flags.key !== undefined || flags.wait !== undefined)
    throw new UsageError("--key and --wait are for one message.");
  if ([flags.sendAt, flags.expires].some((moment) => moment !== undefined && isRelativeMoment(moment))) {
    throw new UsageError(
      "With --csv a time is given as 2026-01-31T09:00:00Z, so that the command means the same when it goes on.",
    );
  }
}

/** The members that do not depend on the recipient. */
function messageOf(from: string, flags: SendFlags): Omit<MessageOrder, "to" | "text"> {
  return {
    from,
    ...given({ mediaUrls: flags.media, priority: flags.priority }),
    ...(flags.sendAt === undefined ? {} : { sendAt: parseMomentAhead(flags.sendAt) }),
    ...(flags.expires === undefined ? {} : { expiresOn: parseMomentAhead(flags.expires) }),
    ...given({ callbackUrlOverride: flags.callback, conversationMetadata: flags.metadata }),
    ...(flags.hold ? { holdUntilActive: true } : {}),
    ...(flags.smartEncoding ? { smartEncoding: true } : {}),
  };
}

async function sendOne(client: TandemClient, message: MessageOrder, flags: SendFlags): Promise<number> {
  const signal = stopSignal();
  const onWait = (ms: number, why: string) => say(`Waiting ${(ms / 1000).toFixed(1)} s ${why}`);
  const caller = new RetryingCaller({ sizeMax: 1, retriesMax: flags.retries, signal, onWait });
  if (flags.dryRun) return printDryRun((await caller.call(() => client.messages.rehearse(message))).data, flags);
  // With a key, a request can be repeated when its answer was lost.
  const idempotencyKey = flags.key ?? randomUUID();
  const { data } = await caller.call(() => client.messages.send(message, { idempotencyKey, signal }));
  const seconds = flags.wait === true ? WAIT_SECONDS : flags.wait;
  const last =
    seconds === undefined
      ? data
      : await awaitOutcome({ ...STDERR, client, caller, sent: data, waitMs: seconds * 1000 });
  printResult(last, flags, () => printAs("messages show", last));
  if (seconds === undefined || last.status === "Delivered") return EXIT.fine;
  if (!isSettled(last)) say(`After ${seconds} s it is still ${last.status}: tandem messages show ${last.sid}`);
  return EXIT.refused;
}

function printDryRun(found: MessageDryRun, { json }: SendFlags): number {
  if (json) printJson(found);
  else {
    printFields({
      "Would be sent": found.wouldSend ? "yes" : "no",
      Segments: `${found.segmentCount} (${found.encoding})`,
      Recipients: found.recipients
        .map(({ carrier, number, type }) => `${number} (${type}, ${carrier ?? "-"})`)
        .join(", "),
    });
    const refusals = found.refusals.map(({ errorCode, field, message }) => [String(errorCode), field, message]);
    if (refusals.length > 0) printTable(["Error", "Field", "Reason"], refusals);
  }
  return found.wouldSend ? EXIT.fine : EXIT.refused;
}

function sendFile(
  client: TandemClient,
  accountSid: string,
  message: Omit<MessageOrder, "to" | "text">,
  csv: string,
  flags: SendFlags,
): Promise<number> {
  const isDryRun = flags.dryRun === true;
  const { text, textColumn: textColumnWanted } = flags;
  return runCsv({
    csv,
    out: flags.out ?? outBeside(csv, isDryRun ? "dry-run" : "sent"),
    column: { wanted: flags.toColumn, option: "--to-column" },
    addedColumns: ADDED_COLUMNS,
    batchMax: BATCH_MAX,
    again: isDryRun ? "continue" : "once",
    subject: { order: digestOf([accountSid, message, text ?? null, textColumnWanted ?? null, isDryRun]) },
    prepare(survey) {
      const names = columnNames(survey);
      const template = text === undefined ? textColumn(textColumnWanted, names) : parseTemplate(text, names);
      const same = { client, message, toColumn: survey.layout.column, text: template, isDryRun, nowMs: Date.now };
      return {
        check: (caller) => checkSender({ client, message }, caller),
        begin: (journal, caller) => csvSend({ ...same, journal, caller }),
      };
    },
    exitWhenRefused: EXIT.refused,
    flags,
  });
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** Keeps the text as it was typed, because a resumed run must mean the same time. */
function checkedMoment(text: string): string {
  parseMomentAhead(text);
  return text;
}
