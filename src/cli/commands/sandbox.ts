// `tandem sandbox`: triggers events in the simulated carriers, the clearing house and the registry.

import { type Command, Option } from "commander";
import { MIGRATION_OUTCOMES, PORT_OUTCOMES, type TandemClient } from "../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientAndNumber, clientOf } from "../account-options.ts";
import { collect, given, oneOf, parseCount } from "../arguments.ts";
import { RefusedError, UsageError } from "../exit-codes.ts";
import { printJson, say } from "../output.ts";

const HELP = `
Examples:
  tandem sandbox receive
  tandem sandbox receive --from +14155550100 --text STOP
  tandem sandbox call --from +14155550100
  tandem sandbox settle OM01935f1e4c7b7000a3c41f0e5d9b2a17 --failed
  tandem sandbox port PO01935f1e4c7b7000a3c41f0e5d9b2a1b --outcome complete
  tandem sandbox migrate CABC123
`;

export function addSandboxCommand(program: Command): void {
  const sandbox = program
    .command("sandbox")
    .summary("make things happen in the simulated world")
    .description("Make things happen in the simulated world outside; only where the server runs with a sandbox.")
    .addHelpText("after", HELP);
  addReceiveCommand(sandbox);
  addReceiveCallCommand(sandbox);
  addSettleCommand(sandbox);
  addPortCommand(sandbox);
  addMigrateCommand(sandbox);
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
  readonly answer: boolean;
}

function addReceiveCallCommand(sandbox: Command): void {
  const command = sandbox
    .command("call")
    .description("Let somebody call your number.")
    .option("--from <number>", "the caller", SUBSCRIBER)
    .option("--to <number>", "your number (else TANDEM_NUMBER, the profile's, data/demo.env's, your oldest)")
    .option("--seconds <n>", "after which the caller hangs up; 10 by default", parseCount)
    .option("--no-answer", "the telephone that the call is forwarded to is not answered")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (flags: ReceiveCallFlags) => {
    const { client, number } = clientAndNumber(flags);
    const to = flags.to ?? number ?? (await oldestNumber(client));
    const order = { from: flags.from, to, answer: flags.answer, ...given({ durationSeconds: flags.seconds }) };
    const { data } = await client.sandbox.receiveCall(order);
    if (flags.json) printJson(data);
    else say(`${flags.from} calls ${to}: tandem calls list shows it.`);
  });
}

function addSettleCommand(sandbox: Command): void {
  const command = sandbox
    .command("settle")
    .description("Let the carrier tell what became of a message.")
    .argument("<sid>", "the message")
    .option("--delivered", "it arrived")
    .addOption(new Option("--failed", "it did not").conflicts("delivered"))
    .option("--json", "print JSON");
  interface SettleFlags extends AccountFlags {
    readonly delivered?: true;
    readonly failed?: true;
  }
  addAccountOptions(command).action(async (sid: string, flags: SettleFlags) => {
    if (!flags.delivered && !flags.failed) throw new UsageError("Say which: --delivered or --failed.");
    const deliveredSuccessfully = flags.delivered === true;
    const { data } = await clientOf(flags).sandbox.settleMessage({ sid, deliveredSuccessfully });
    if (flags.json) printJson(data);
    else say(`The carrier reports it as ${deliveredSuccessfully ? "delivered" : "failed"}.`);
  });
}

function addPortCommand(sandbox: Command): void {
  const command = sandbox
    .command("port")
    .description("Let the losing carrier make up its mind about a port order.")
    .argument("<sid>", "the order")
    .option("--outcome <outcome>", PORT_OUTCOMES.join(", "), oneOf(PORT_OUTCOMES), "complete")
    .option("--reason <code>", "of a rejection or an exception, such as ENTITY_NAME_MISMATCH")
    .option("--json", "print JSON");
  interface PortFlags extends AccountFlags {
    readonly outcome: (typeof PORT_OUTCOMES)[number];
    readonly reason?: string;
  }
  addAccountOptions(command).action(async (sid: string, flags: PortFlags) => {
    const { outcome, reason } = flags;
    const order = { sid, outcome, ...(reason === undefined ? {} : { reason }) };
    const { data } = await clientOf(flags).sandbox.decidePort(order);
    if (flags.json) printJson(data);
    else say(`The losing carrier has decided: ${outcome}.`);
  });
}

function addMigrateCommand(sandbox: Command): void {
  const command = sandbox
    .command("migrate")
    .description("Let the owner of a campaign migrate it to your account in the registry.")
    .argument("<id>", "the campaign; made there if it is unknown")
    .option("--outcome <outcome>", MIGRATION_OUTCOMES.join(", "), oneOf(MIGRATION_OUTCOMES), "accept")
    .option("--json", "print JSON");
  interface MigrateFlags extends AccountFlags {
    readonly outcome: (typeof MIGRATION_OUTCOMES)[number];
  }
  addAccountOptions(command).action(async (tcrCampaignId: string, flags: MigrateFlags) => {
    const { data } = await clientOf(flags).sandbox.migrateCampaign({ tcrCampaignId, outcome: flags.outcome });
    if (flags.json) printJson(data);
    else say(`The migration of ${tcrCampaignId} has begun.`);
  });
}
