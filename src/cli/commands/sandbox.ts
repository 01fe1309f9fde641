// `tandem sandbox receive` and `call`: control the simulated subscribers. Without a number of their own they find one.

import type { Command } from "commander";
import type { TandemClient } from "../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientAndNumber } from "../account-options.ts";
import { collect, given, parseCount } from "../arguments.ts";
import { RefusedError } from "../exit-codes.ts";
import { printJson, say } from "../output.ts";

export function addSandboxCommands(sandbox: Command): void {
  addReceiveCommand(sandbox);
  addReceiveCallCommand(sandbox);
}

/** A subscriber of the simulated carrier who receives everything. */
const SUBSCRIBER = "+14155550100";
const TEXT = "Hello";

interface ReceiveFlags extends AccountFlags {
  readonly from: string;
  readonly to?: readonly string[];
  readonly text?: string;
  readonly media?: readonly string[];
}

function addReceiveCommand(sandbox: Command): void {
  const command = sandbox
    .command("receive")
    .description("Let a subscriber send a message to your numbers.")
    .option("--from <number>", "the subscriber", SUBSCRIBER)
    .option(
      "--to <number>",
      "your number (else TANDEM_NUMBER, the profile's, data/demo.env's, your oldest); several times for a group",
      collect,
    )
    .option("--text <text>", `what they write; without --media "${TEXT}" unless told`)
    .option("--media <url>", "what they attach; up to ten times", collect)
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (flags: ReceiveFlags) => {
    const { client, number } = clientAndNumber(flags);
    const to = flags.to ?? [number ?? (await oldestNumber(client))];
    const text = flags.text ?? (flags.media === undefined ? TEXT : undefined);
    const { data } = await client.sandbox.receiveMessage({
      from: flags.from,
      to,
      ...given({ text, mediaUrls: flags.media }),
    });
    if (flags.json) printJson(data);
    else say(`The carrier has handed it over to ${to.join(", ")}.`);
  });
}

async function oldestNumber({ phones }: TandemClient): Promise<string> {
  const { data } = await phones.list({ pageSize: 1, orderByDirection: "Ascending" });
  const [oldest] = data.items;
  if (oldest) return oldest.number;
  throw new RefusedError("The account has no number: tandem numbers available shows those that can be had.");
}

interface ReceiveCallFlags extends AccountFlags {
  readonly from: string;
  readonly to?: string;
  readonly seconds?: number;
  readonly digits?: string;
  readonly audio?: string;
  readonly answer: boolean;
}

function addReceiveCallCommand(sandbox: Command): void {
  const command = sandbox
    .command("call")
    .description("Let somebody call your number.")
    .option("--from <number>", "the caller", SUBSCRIBER)
    .option("--to <number>", "your number (else TANDEM_NUMBER, the profile's, data/demo.env's, your oldest)")
    .option("--seconds <n>", "after which the caller hangs up; 10 by default", parseCount)
    .option("--digits <keys>", "that the caller presses, half a second apart; w waits for half a second")
    .option("--audio <url>", "a WAV or MP3 file that the caller speaks once")
    .option("--no-answer", "the telephone that the call is forwarded to is not answered")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (flags: ReceiveCallFlags) => {
    const { client, number } = clientAndNumber(flags);
    const to = flags.to ?? number ?? (await oldestNumber(client));
    const more = given({ durationSeconds: flags.seconds, digits: flags.digits, audioUrl: flags.audio });
    const order = { from: flags.from, to, answer: flags.answer, ...more };
    const { data } = await client.sandbox.receiveCall(order);
    if (flags.json) printJson(data);
    else say(`${flags.from} calls ${to}: tandem calls list shows it.`);
  });
}
