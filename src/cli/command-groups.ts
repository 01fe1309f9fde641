// Combines the groups of commands: those generated from operations, and the handwritten ones that make more than one
// call.

import type { Command } from "commander";
import { ACCOUNT_ITSELF, OPERATOR } from "./account-options.ts";
import { addDownloadCommand } from "./commands/calls/recordings.ts";
import { addShowCommand as addCallShow } from "./commands/calls/show.ts";
import { addMigrateCommand } from "./commands/campaigns/migrate.ts";
import { addExportCommand } from "./commands/messages/export.ts";
import { addReleaseCommand } from "./commands/numbers/release.ts";
import { addAccountCreateCommand } from "./commands/operator/account-create.ts";
import { addFeatureSwitches } from "./commands/operator/features.ts";
import { addInventoryImportCommand } from "./commands/operator/inventory-import.ts";
import { addDocumentCommand } from "./commands/operator/port-document.ts";
import { addImportCommand } from "./commands/optouts/optouts.ts";
import { addPortInCommands } from "./commands/port-in/port-in.ts";
import { addSandboxCommands } from "./commands/sandbox.ts";
import { addReplayCommand } from "./commands/webhooks/replay.ts";
import { addTestCommand } from "./commands/webhooks/test-webhook.ts";
import { type CommandGroup, GROUPS } from "./groups.ts";
import { addPlainCommands, helpOf } from "./plain-commands.ts";

type AddCommands = (group: Command) => void;

const BY_HAND: Readonly<Record<string, AddCommands>> = {
  messages: addExportCommand,
  calls: (calls) => addCallShow(calls, ACCOUNT_ITSELF),
  "calls recordings": addDownloadCommand,
  numbers: addReleaseCommand,
  "port-in": addPortInCommands,
  campaigns: addMigrateCommand,
  optouts: addImportCommand,
  webhooks: (webhooks) => {
    addTestCommand(webhooks);
    addReplayCommand(webhooks);
  },
  sandbox: addSandboxCommands,
  "operator accounts": addAccountCreateCommand,
  "operator features": addFeatureSwitches,
  "operator inventory": addInventoryImportCommand,
  "operator ports": addDocumentCommand,
  "operator calls": (calls) => addCallShow(calls, OPERATOR),
};

/** In the order of the help text. */
const ORDER =
  "serve doctor backup restore keys lookup send messages call calls search script numbers configs port-in campaigns optouts import webhooks listen events requests attention traffic statistics mcp sandbox account login profiles operator completion";

export function addGroups(program: Command): void {
  addPlainCommands(program, "");
  const made = new Map([["", program]]);
  const byHand = new Map(Object.entries(BY_HAND));
  for (const [path, group] of Object.entries(GROUPS)) {
    const words = path.split(" ");
    const parent = made.get(words.slice(0, -1).join(" ")) ?? program;
    const command = addGroup(parent, words.at(-1) ?? "", group);
    made.set(path, command);
    addPlainCommands(command, path);
    byHand.get(path)?.(command);
  }
  for (const [path, command] of made) sort(command, path === "" ? ORDER : (GROUPS[path]?.order ?? ""));
}

function addGroup(parent: Command, name: string, { summary, about, note, examples }: CommandGroup): Command {
  return parent
    .command(name)
    .summary(summary)
    .description(about ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .addHelpText("after", helpOf(examples, note));
}

function sort(command: Command, order: string): void {
  const names = order.split(" ");
  const placeOf = (each: Command) => names.indexOf(each.name()) + 1 || names.length + 1;
  (command.commands as Command[]).sort((one, other) => placeOf(one) - placeOf(other));
}
