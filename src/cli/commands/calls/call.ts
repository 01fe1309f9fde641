// `tandem call` places a call and shows its legs as they ring and answer, until it has ended.

import type { Command } from "commander";
import type { Call } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, parseCount } from "../../arguments.ts";
import { EXIT } from "../../exit-codes.ts";
import { printJson, say } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { followCall } from "./follow-call.ts";

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
