// `tandem call` places a call and shows its legs as they ring and answer; `tandem calls` lists, shows and ends calls.

import type { Command } from "commander";
import {
  CALL_DIRECTIONS,
  CALL_STATUSES,
  type Call,
  type CallDirection,
  type CallStatus,
} from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, limitOption, oneOf, parseCount, parseMoment } from "../../arguments.ts";
import { EXIT } from "../../exit-codes.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printFields, printJson, printResult, printTable, say } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { followCall, timelineOf } from "./follow-call.ts";
import { addRecordingCommand } from "./recording.ts";

const CALL_HELP = `
Examples:
  tandem call sip:agent@pbx.example.com +14155550100
  tandem call +14155550111 +14155550107 --caller-id +14155550150
  tandem call +14155550110 +14155550107 --key --prompt "A customer is waiting. Press any key."

Ctrl-C hangs up.
`;

interface CallFlags extends AccountFlags {
  readonly callerId?: string;
  readonly ring?: number;
  readonly max?: number;
  readonly record?: true;
  readonly key?: true;
  readonly prompt?: string;
}

export function addCallCommand(program: Command): void {
  const command = program
    .command("call")
    .summary("connect two parties")
    .description(
      "Ring the first party, then the second, and connect both. Shows what happens until the call has ended.",
    )
    .argument("<from>", "who is called first: a number or a SIP URI")
    .argument("<to>", "who is called then")
    .option("--caller-id <number>", "what both parties see; by default the account's")
    .option("--ring <seconds>", "how long each is rung", parseCount)
    .option("--max <seconds>", "how long the call may last", parseCount)
    .option("--record", "record the call")
    .option("--key", "call the second only when the first has pressed a key")
    .option("--prompt <text>", "what the first hears until it presses a key; with --key")
    .option("--json", "print JSON when it has ended")
    .addHelpText("after", CALL_HELP);
  addAccountOptions(command).action(async (from: string, to: string, flags: CallFlags) => {
    const client = clientOf(flags);
    const { data: placed } = await client.calls.place({
      from,
      to,
      ...given({
        callerId: flags.callerId,
        ringSeconds: flags.ring,
        maxSeconds: flags.max,
        record: flags.record,
        requireKeyPress: flags.key,
        keyPressPrompt: flags.prompt,
      }),
    });
    const stop = stopSignal();
    let call: Call;
    try {
      call = await followCall({ client, call: placed, signal: stop, write: say });
    } catch (error) {
      if (!stop.aborted) throw error;
      call = (await client.calls.hangUp(placed.sid)).data;
    }
    if (flags.json) printJson(call);
    if (call.answeredOn === null) process.exitCode = EXIT.refused;
  });
}

const CALLS_HELP = `
Examples:
  tandem calls list --status Answered
  tandem calls show CA01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem calls hangup CA01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem calls recording CA01935f1e4c7b7000a3c41f0e5d9b2a17 -o call.mp3
`;

export function addCallsCommand(program: Command): void {
  const calls = program
    .command("calls")
    .summary("calls, and how they went")
    .description("Calls, and how they went.")
    .addHelpText("after", CALLS_HELP);
  addListCommand(calls);
  addShowCommand(calls);
  addHangUpCommand(calls);
  addRecordingCommand(calls);
}

interface ListFlags extends AccountFlags {
  readonly status?: CallStatus;
  readonly direction?: CallDirection;
  readonly from?: string;
  readonly to?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

function addListCommand(calls: Command): void {
  const command = calls
    .command("list")
    .description("List calls, the newest first.")
    .option("--status <status>", CALL_STATUSES.join(", "), oneOf(CALL_STATUSES))
    .option("--direction <direction>", CALL_DIRECTIONS.join(", "), oneOf(CALL_DIRECTIONS))
    .option("--from <party>", "from this number or SIP URI")
    .option("--to <party>", "to this number or SIP URI")
    .option("--since <time>", "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z", (text) => parseMoment(text))
    .option("--until <time>", "until then", (text) => parseMoment(text))
    .addOption(limitOption())
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: ListFlags) => {
    const client = clientOf(flags);
    const { status, direction, from, to, since, until } = flags;
    const filters = given({ status, direction, from, to, createdOnFrom: since, createdOnTo: until });
    const items = await gatherPages((page) => client.calls.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, printCalls);
  });
}

function addShowCommand(calls: Command): void {
  const command = calls
    .command("show")
    .description("Show a call with its legs, and why it went as it did.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const client = clientOf(flags);
    const { data: call } = await client.calls.get(sid);
    if (flags.json) {
      printJson(call);
      return;
    }
    const { data: trail } = await client.calls.why(sid);
    printCall(call);
    print(`\n${trail.summary.what} ${trail.summary.why}\n`);
    if (trail.summary.advice !== null) say(`→ ${trail.summary.advice}`);
  });
}

function addHangUpCommand(calls: Command): void {
  const command = calls
    .command("hangup")
    .description("Hang up a call.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).calls.hangUp(sid);
    printResult([data], flags, printCalls);
  });
}

function printCalls(calls: readonly Call[]): void {
  printTable(
    ["Created", "Sid", "Direction", "From", "To", "Status", "End", "Seconds"],
    calls.map((call) => [
      call.createdOn,
      call.sid,
      call.direction,
      call.from,
      call.to,
      call.status,
      call.endReason ?? "-",
      call.durationSeconds === null ? "-" : String(call.durationSeconds),
    ]),
  );
}

function printCall(call: Call): void {
  printFields({
    Sid: call.sid,
    Direction: call.direction,
    From: call.from,
    To: call.to,
    "Caller id": call.callerId,
    Status: call.status,
    End: call.endReason === null ? null : `${call.endReason}, by ${call.endedBy}`,
    Seconds: call.durationSeconds,
    ...(call.recordings && {
      Recording: `${call.recordings.status}, ${call.recordings.durationSeconds} s in ${call.recordings.segments.length} segments`,
    }),
  });
  print(`\n${timelineOf(call).join("\n")}\n\n`);
  printTable(
    ["Leg", "To", "Status", "SIP", "Codec", "Packets", "Lost", "MOS"],
    call.legs.map(({ leg, to, status, sipCode, media }) => [
      leg,
      to,
      status,
      sipCode === null ? "-" : String(sipCode),
      media?.codec ?? "-",
      media === null ? "-" : String(media.packetsReceived),
      media === null ? "-" : String(media.packetsLost),
      media === null ? "-" : media.mos.toFixed(1),
    ]),
  );
}
