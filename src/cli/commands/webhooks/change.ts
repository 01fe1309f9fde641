// `tandem webhooks change`, `enable`, `disable`, `rotate` and `delete`: what is done with a subscription that is there.

import type { Command } from "commander";
import { PAYLOAD_SHAPES, type PayloadShape } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, oneOf, orNone } from "../../arguments.ts";
import { UsageError } from "../../exit-codes.ts";
import { print, printDone, printResult } from "../../output.ts";
import { printSubscriptions } from "./list.ts";

export function addChangeCommands(webhooks: Command): void {
  addChangeCommand(webhooks);
  addSwitchCommands(webhooks);
  addRotateCommand(webhooks);
  addDeleteCommand(webhooks);
}

function addChangeCommand(webhooks: Command): void {
  const command = webhooks
    .command("change")
    .description("Change a subscription: only what is given.")
    .argument("<sid>", "the subscription")
    .option("--receiver <url>", "the URL that gets the events")
    .option("--backup-url <url>", "tried at once when the receiver fails; none for none")
    .option("--bearer <token>", "sent as Authorization: Bearer …; none for none")
    .option("--shape <shape>", "of the payload: A, B or Twilio", oneOf(PAYLOAD_SHAPES))
    .option("--json", "print JSON instead of a table");
  interface Flags extends AccountFlags {
    readonly receiver?: string;
    readonly backupUrl?: string;
    readonly bearer?: string;
    readonly shape?: PayloadShape;
  }
  addAccountOptions(command).action(async (sid: string, flags: Flags) => {
    const change = {
      ...given({ url: flags.receiver, payloadShape: flags.shape }),
      ...(flags.backupUrl === undefined ? {} : { backupUrl: orNone(flags.backupUrl) }),
      ...(flags.bearer === undefined ? {} : { authorizationBearer: orNone(flags.bearer) }),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError("Say what to change: --receiver, --backup-url, --bearer or --shape.");
    }
    const { data } = await clientOf(flags).webhooks.change(sid, change);
    printResult(data, flags, () => printSubscriptions([data]));
  });
}

function addSwitchCommands(webhooks: Command): void {
  for (const [name, enabled, description] of [
    ["enable", true, "Switch a subscription on, also one that was switched off because its receiver failed for days."],
    [
      "disable",
      false,
      "Switch a subscription off. Events of that time are not delivered later; tandem events list has them.",
    ],
  ] as const) {
    const command = webhooks
      .command(name)
      .description(description)
      .argument("<sid>", "the subscription")
      .option("--json", "print JSON instead of a table");
    addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
      const { data } = await clientOf(flags).webhooks.change(sid, { enabled });
      printResult(data, flags, () => printSubscriptions([data]));
    });
  }
}

function addRotateCommand(webhooks: Command): void {
  const command = webhooks
    .command("rotate")
    .description("Make a new signing secret, shown this once. For 24 hours the old one signs, too.")
    .argument("<sid>", "the subscription")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).webhooks.rotateSecret(sid);
    printResult(data, flags, ({ secret }) => print(`Signing secret, shown this once: ${secret}\n`));
  });
}

function addDeleteCommand(webhooks: Command): void {
  const command = webhooks
    .command("delete")
    .description("Delete a subscription. What is still to be delivered by it is not.")
    .argument("<sid>", "the subscription")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    await clientOf(flags).webhooks.remove(sid);
    printDone({ sid, deleted: true }, flags, `${sid} is deleted.`);
  });
}
