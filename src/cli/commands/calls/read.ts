// Commands that read calls, for an account and for operators who look at one: list, show, why, sip.

import type { Command } from "commander";
import {
  CALL_DIRECTIONS,
  CALL_STATUSES,
  type CallDirection,
  type CallStatus,
  type SipMessage,
} from "../../../../sdk/src/index.ts";
import type { AccountFlags, Reader } from "../../account-options.ts";
import { given, limitOption, oneOf, parseMoment } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printJson, printResult, say } from "../../output.ts";
import { printTrail } from "../../print-trail.ts";
import { printable } from "../../table.ts";
import { printCall, printCalls } from "./print-call.ts";

export function addReadingCommands(calls: Command, reader: Reader): void {
  addListCommand(calls, reader);
  addShowCommand(calls, reader);
  addWhyCommand(calls, reader);
  addSipCommand(calls, reader);
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

function addListCommand(calls: Command, { addOptions, viewOf }: Reader): void {
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
  addOptions(command).action(async (flags: ListFlags) => {
    const view = viewOf(flags);
    const { status, direction, from, to, since, until } = flags;
    const filters = given({ status, direction, from, to, createdOnFrom: since, createdOnTo: until });
    const items = await gatherPages((page) => view.calls.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, printCalls);
  });
}

function addShowCommand(calls: Command, { addOptions, viewOf }: Reader): void {
  const command = calls
    .command("show")
    .description("Show a call with its legs, and why it went as it did.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { calls: reading } = viewOf(flags);
    const { data: call } = await reading.get(sid);
    if (flags.json) {
      printJson(call);
      return;
    }
    const { data: trail } = await reading.why(sid);
    printCall(call);
    print(`\n${trail.summary.what} ${trail.summary.why}\n`);
    if (trail.summary.advice !== null) say(`→ ${trail.summary.advice}`);
  });
}

function addWhyCommand(calls: Command, { addOptions, viewOf }: Reader): void {
  const command = calls
    .command("why")
    .description("Tell why a call went as it did: everything that was decided and happened, in order.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await viewOf(flags).calls.why(sid);
    const ended = data.endReason === null ? "" : `: ${data.endReason}`;
    printResult(data, flags, () => printTrail(`${data.sid} is ${data.status}${ended}`, data));
  });
}

function addSipCommand(calls: Command, { addOptions, viewOf }: Reader): void {
  const command = calls
    .command("sip")
    .description("Show the SIP messages of a call, in order. Credentials and keys are masked.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await viewOf(flags).calls.sipMessages(sid);
    printResult(data.items, flags, printSipMessages);
  });
}

function printSipMessages(messages: readonly SipMessage[]): void {
  for (const { at, direction, leg, peer, text, transport } of messages) {
    print(`── ${at}  ${direction} ${direction === "Sent" ? "to" : "from"} ${peer} by ${transport}, ${leg} leg\n`);
    print(`${text.trimEnd().split(/\r?\n/).map(printable).join("\n")}\n\n`);
  }
  if (messages.length === 0) say("None were kept: TANDEM_SIP_TRACE says whether and how long they are.");
}
