// `tandem call` places a call and shows its legs as they ring and answer, until it has ended. With a program it calls
// one party, and runs the program for it.

import type { Command } from "commander";
import type { Call, CallOrder } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, parseCount } from "../../arguments.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { printJson, say } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { readWhole } from "../../whole-files.ts";
import { followCall } from "./follow-call.ts";

const CALL_HELP = `
Examples:
  tandem call sip:agent@pbx.example.com +14155550100
  tandem call +14155550111 +14155550107 --caller-id +14155550150
  tandem call +14155550110 +14155550107 --key --prompt "A customer is waiting. Press any key."
  tandem call +14155550107 --script reminder.xml
  tandem call +14155550107 --script-url https://example.com/reminder

Ctrl-C hangs up.
`;

interface CallFlags extends AccountFlags {
  readonly callerId?: string;
  readonly ring?: number;
  readonly max?: number;
  readonly record?: true;
  readonly key?: true;
  readonly prompt?: string;
  readonly script?: string;
  readonly scriptUrl?: string;
}

export function addCallCommand(program: Command): void {
  const command = program
    .command("call")
    .summary("connect two parties, or run a program for one")
    .description(
      "Ring the first party, then the second, and connect both; or ring one, and run a call script for it. Shows what happens until the call has ended.",
    )
    .argument("<from>", "who is called first: a number or a SIP URI")
    .argument("[to]", "who is called then; not with a script")
    .option("--caller-id <number>", "what both parties see; by default the account's")
    .option("--ring <seconds>", "how long each is rung", parseCount)
    .option("--max <seconds>", "how long the call may last", parseCount)
    .option("--record", "record the call")
    .option("--key", "call the second only when the first has pressed a key")
    .option("--prompt <text>", "what the first hears until it presses a key; with --key")
    .option("--script <file>", "a call script that is run for the only party; - reads standard input")
    .option("--script-url <url>", "the same, asked for when the party is there")
    .option("--json", "print JSON when it has ended")
    .addHelpText("after", CALL_HELP);
  addAccountOptions(command).action(async (from: string, to: string | undefined, flags: CallFlags) => {
    const parties = partiesOf(from, to, flags);
    const client = clientOf(flags);
    const { data: placed } = await client.calls.place({
      ...parties,
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
    // Two parties were connected, or the only one answered.
    const { answeredOn = null } = "from" in parties ? call : (call.legs[0] ?? {});
    if (answeredOn === null) process.exitCode = EXIT.refused;
  });
}

function partiesOf(from: string, to: string | undefined, { script, scriptUrl }: CallFlags): CallOrder {
  if (script !== undefined && scriptUrl !== undefined) throw new UsageError("Give --script or --script-url, not both.");
  if (script === undefined && scriptUrl === undefined) {
    if (to === undefined) throw new UsageError("Name a second party, or give --script or --script-url.");
    return { from, to };
  }
  if (to !== undefined) throw new UsageError("A script is run for one party: name no second one.");
  return { to: from, ...(script === undefined ? given({ scriptUrl }) : { script: readWhole(script).toString() }) };
}
