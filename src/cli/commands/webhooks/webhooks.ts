// `tandem webhooks`: manages subscriptions and shows and replays their deliveries.

import type { Command } from "commander";
import { ACCOUNT_ITSELF } from "../../account-options.ts";
import { addChangeCommands } from "./change.ts";
import { addCreateCommand } from "./create.ts";
import { addDeliveryCommands } from "./deliveries.ts";
import { addListCommands } from "./list.ts";
import { addReplayCommand } from "./replay.ts";
import { addTestCommand } from "./test-webhook.ts";

const HELP = `
Examples:
  tandem webhooks create https://example.com/hook --type InboundMessageReceived --type OptOutChanged
  tandem webhooks create https://example.com/all --type '*'
  tandem webhooks enable WS01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem webhooks rotate WS01935f1e4c7b7000a3c41f0e5d9b2a17
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
  addListCommands(webhooks);
  addCreateCommand(webhooks);
  addChangeCommands(webhooks);
  addTestCommand(webhooks);
  addDeliveryCommands(webhooks, ACCOUNT_ITSELF);
  addReplayCommand(webhooks);
}
