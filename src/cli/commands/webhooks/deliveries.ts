// `tandem webhooks deliveries` lists deliveries and their last attempt, `tandem webhooks delivery` shows one with every
// attempt; for an account and for operators who look at one.

import type { Command } from "commander";
import {
  DELIVERY_STATUSES,
  type DeliveryListOptions,
  type DeliveryStatus,
  type EventType,
  type WebhookDelivery,
} from "../../../../sdk/src/index.ts";
import type { AccountFlags, Reader } from "../../account-options.ts";
import { given, limitOption, oneOf, parseEventType, parseMoment } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printFields, printResult, printTable } from "../../output.ts";

export interface FilterFlags extends AccountFlags {
  readonly status?: DeliveryStatus;
  readonly type?: EventType;
  readonly since?: string;
  readonly until?: string;
}

interface DeliveriesFlags extends FilterFlags {
  readonly webhook?: string;
  readonly resource?: string;
  readonly limit: number;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option("--status <status>", DELIVERY_STATUSES.join(", "), oneOf(DELIVERY_STATUSES))
    .option("--type <type>", "of this event type", parseEventType)
    .option("--since <time>", "made since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z", (text) => parseMoment(text))
    .option("--until <time>", "made until then", (text) => parseMoment(text));
}

export function addDeliveryCommands(webhooks: Command, reader: Reader): void {
  addListCommand(webhooks, reader);
  addShowCommand(webhooks, reader);
}

function addListCommand(webhooks: Command, { addOptions, viewOf }: Reader): void {
  const command = webhooks.command("deliveries").description("List deliveries, the newest first.");
  addFilterOptions(command)
    .option("--webhook <sid>", "of this subscription")
    .option("--resource <sid>", "about this message, call, …")
    .addOption(limitOption())
    .option("--json", "print JSON with every attempt instead of a table");
  addOptions(command).action(async (flags: DeliveriesFlags) => {
    const view = viewOf(flags);
    const items = await gatherPages((page) => view.deliveries.list({ ...filtersOf(flags), ...page }), flags.limit);
    printResult(items, flags, printDeliveries);
  });
}

function addShowCommand(webhooks: Command, { addOptions, viewOf }: Reader): void {
  const command = webhooks
    .command("delivery")
    .description("Show a delivery, with every attempt and what the receiver answered.")
    .argument("<sid>", "the delivery")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    printResult((await viewOf(flags).deliveries.get(sid)).data, flags, printDelivery);
  });
}

function printDelivery(delivery: WebhookDelivery): void {
  printFields({
    Sid: delivery.sid,
    Type: delivery.type,
    Resource: delivery.resourceSid,
    Webhook: delivery.subscriptionSid,
    Status: delivery.status,
    Made: delivery.createdOn,
    "Next attempt": delivery.nextAttemptOn,
  });
  print("\n");
  printTable(
    ["At", "Receiver", "Result", "Milliseconds", "Answer"],
    delivery.attempts.map(({ answer, at, failure, ms, status, url }) => [
      at,
      url,
      String(status ?? failure ?? "none"),
      String(ms),
      answer ?? "-",
    ]),
  );
}

function filtersOf(flags: DeliveriesFlags): DeliveryListOptions {
  return given({
    status: flags.status,
    type: flags.type,
    createdOnFrom: flags.since,
    createdOnTo: flags.until,
    subscriptionSid: flags.webhook,
    resourceSid: flags.resource,
  });
}

export function printDeliveries(items: readonly WebhookDelivery[]): void {
  const header = ["Made", "Sid", "Type", "Resource", "Status", "Attempts", "Last answer", "Next attempt"];
  printTable(
    header,
    items.map((item) => [
      item.createdOn,
      item.sid,
      item.type,
      item.resourceSid,
      item.status,
      String(item.attemptCount),
      lastAnswer(item),
      item.nextAttemptOn ?? "-",
    ]),
  );
}

function lastAnswer({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  return last ? `${last.status ?? last.failure ?? "none"} in ${last.ms} ms` : "-";
}
