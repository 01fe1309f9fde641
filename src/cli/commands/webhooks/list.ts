// `tandem webhooks list` lists the subscriptions, `show` shows one, `types` lists what can be subscribed to.

import type { Command } from "commander";
import type { OwnedWebhookSubscription, WebhookSubscription } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printResult, printTable } from "../../output.ts";

export function addListCommands(webhooks: Command): void {
  addListCommand(webhooks);
  addShowCommand(webhooks);
  addTypesCommand(webhooks);
}

function addListCommand(webhooks: Command): void {
  const command = webhooks
    .command("list")
    .description("List the subscriptions.")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    const client = clientOf(flags);
    const items = await gatherPages((page) => client.webhooks.list(page));
    printResult(items, flags, printSubscriptions);
  });
}

function addShowCommand(webhooks: Command): void {
  const command = webhooks
    .command("show")
    .description("Show a subscription.")
    .argument("<sid>", "the subscription")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).webhooks.get(sid);
    printResult(data, flags, () => printSubscriptions([data]));
  });
}

function addTypesCommand(webhooks: Command): void {
  const command = webhooks
    .command("types")
    .description("List the event types; with --json, each with a sample.")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (flags: AccountFlags) => {
    const { data } = await clientOf(flags).webhooks.types();
    printResult(data.items, flags, (items) => print(items.map(({ type }) => `${type}\n`).join("")));
  });
}

/** For accounts and for the operator, who also sees whose each is. */
export function printSubscriptions(items: readonly (WebhookSubscription | OwnedWebhookSubscription)[]): void {
  const isOwned = items.some((item) => "accountSid" in item);
  const header = [...(isOwned ? ["Account"] : []), "Sid", "Types", "Receiver", "For", "Shape", "State", "Last success"];
  printTable(
    header,
    items.map((item) => [
      ...("accountSid" in item ? [item.accountSid] : []),
      item.sid,
      item.types.join(", "),
      item.backupUrl === null ? item.url : `${item.url}, else ${item.backupUrl}`,
      item.phone ?? item.messagingConfigSid ?? "everything",
      item.payloadShape,
      stateOf(item),
      item.lastSuccessOn ?? "-",
    ]),
  );
}

function stateOf({ disabledReason, enabled }: WebhookSubscription): string {
  if (enabled) return "on";
  return disabledReason === null ? "off" : `off: ${disabledReason}`;
}
