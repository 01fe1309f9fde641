// `tandem webhooks`: manages subscriptions and shows and replays their deliveries.

import type { Command } from "commander";
import { addCreateCommand } from "./create.ts";
import { addDeliveriesCommand } from "./deliveries.ts";
import { addListCommand } from "./list.ts";
import { addReplayCommand } from "./replay.ts";
import { addTestCommand } from "./test-webhook.ts";

const HELP = `
Examples:
  tandem webhooks create https://example.com/hook --type InboundMessageReceived --type OptOutChanged
  tandem webhooks create https://example.com/all --type '*'
  tandem webhooks test WS01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem webhooks deliveries --status Failed --since 2h
  tandem webhooks replay --status Failed --since 2h
`;

export function addWebhooksCommand(program: Command): void {
  const webhooks = program
    .command("webhooks")
    .summary("where events are sent, and what became of them")
    .description("Where events are sent, what became of every delivery, and sending them again.")
    .addHelpText("after", HELP);
  addListCommand(webhooks);
  addCreateCommand(webhooks);
  addTestCommand(webhooks);
  addDeliveriesCommand(webhooks);
  addReplayCommand(webhooks);
}
