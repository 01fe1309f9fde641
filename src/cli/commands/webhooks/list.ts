// `tandem webhooks list`: lists the subscriptions.

import type { Command } from "commander";
import type { WebhookSubscription } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printResult, printTable } from "../../output.ts";

export function addListCommand(webhooks: Command): void {
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

export function printSubscriptions(items: readonly WebhookSubscription[]): void {
  const header = ["Sid", "Types", "Receiver", "For", "Shape", "State", "Last success"];
  printTable(
    header,
    items.map((item) => [
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
