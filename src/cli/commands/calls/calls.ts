// `tandem calls`: lists, shows, explains, ends and deletes calls; their recordings and SIP messages.

import type { Command } from "commander";
import { ACCOUNT_ITSELF, type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { printDone, printResult } from "../../output.ts";
import { writeNew } from "../../whole-files.ts";
import { printCalls } from "./print-call.ts";
import { addReadingCommands } from "./read.ts";
import { addRecordingsCommand, addSwitchCommands } from "./recordings.ts";

const HELP = `
Examples:
  tandem calls list --status Answered
  tandem calls show CA01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem calls hangup CA01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem calls recordings download CA01935f1e4c7b7000a3c41f0e5d9b2a17 -o call.mp3
  tandem calls capture CA01935f1e4c7b7000a3c41f0e5d9b2a17 -o - | tcpdump -A -r -
`;

export function addCallsCommand(program: Command): void {
  const calls = program
    .command("calls")
    .summary("calls, and how they went")
    .description("Calls, and how they went.")
    .addHelpText("after", HELP);
  addReadingCommands(calls, ACCOUNT_ITSELF);
  addCaptureCommand(calls);
  addHangUpCommand(calls);
  addSwitchCommands(calls);
  addRecordingsCommand(calls);
  addDeleteCommand(calls);
}

function addCaptureCommand(calls: Command): void {
  const command = calls
    .command("capture")
    .description("Write the SIP messages of a call to a capture file, for Wireshark and the like.")
    .argument("<sid>", "the call")
    .option("-o, --out <file>", "where to; - is standard output, SID.pcap by default")
    .option("--json", "print what was written as JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags & { readonly out?: string }) => {
    const { data: bytes } = await clientOf(flags).calls.sipCapture(sid);
    await writeNew({ path: flags.out ?? `${sid}.pcap`, bytes, text: `: ${bytes.length} octets` }, flags);
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

function addDeleteCommand(calls: Command): void {
  const command = calls
    .command("delete")
    .description("Delete a call that has ended, with its recording.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    await clientOf(flags).calls.delete(sid);
    printDone({ sid, deleted: true }, flags, `${sid} is deleted.`);
  });
}
