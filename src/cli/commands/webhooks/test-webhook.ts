// `tandem webhooks test`: sends a sample event and waits for the outcome of its delivery.

import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { TandemClient, WebhookDelivery } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { EXIT } from "../../exit-codes.ts";
import { printJson, say } from "../../output.ts";
import { printAs } from "../../plain-commands.ts";

const POLL_MS = 250;
/** The receiver and its backup have 15 s each. */
const WAIT_MS = 35_000;

export function addTestCommand(webhooks: Command): void {
  const command = webhooks
    .command("test")
    .description("Send a sample event to a subscription, switched on or not, and tell what the receiver answered.")
    .argument("<sid>", "the subscription")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const client = clientOf(flags);
    const { data } = await client.webhooks.test(sid);
    const delivery = await attempted(client, data);
    if (flags.json) printJson(delivery);
    else printAs("webhooks deliveries", [delivery]);
    if (delivery.attempts.length === 0) say("It has not been tried yet; tandem webhooks deliveries tells more.");
    process.exitCode = delivery.status === "Delivered" ? EXIT.fine : EXIT.refused;
  });
}

async function attempted(client: TandemClient, sent: WebhookDelivery): Promise<WebhookDelivery> {
  const endMs = performance.now() + WAIT_MS;
  let delivery = sent;
  while (delivery.status === "Pending" && delivery.attempts.length === 0 && performance.now() < endMs) {
    await delay(POLL_MS);
    delivery = (await client.deliveries.get(sent.sid)).data;
  }
  return delivery;
}
