// `tandem webhooks replay`: replays one delivery by its sid, or all that match.

import type { Command } from "commander";
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type EventType,
  type ReplayAnswer,
  type ReplayOrder,
  type TandemClient,
} from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, oneOf, parseEventType, parseMoment } from "../../arguments.ts";
import { UsageError } from "../../exit-codes.ts";
import { print, printJson, say } from "../../output.ts";
import { printAs } from "../../plain-commands.ts";
import { count } from "../../progress.ts";

interface ReplayFlags extends AccountFlags {
  readonly status?: DeliveryStatus;
  readonly type?: EventType;
  readonly since?: string;
  readonly until?: string;
  readonly webhook?: string;
  readonly toUrl?: string;
}

const HELP = `
Every delivery goes again under its own webhook-id, so that a receiver that has it already can tell. To another URL they go without
the subscription's bearer. What was meant for a deleted subscription goes only with --to-url, signed with the account's own secret.

After an outage:
  tandem webhooks replay --status Failed --since 6h
`;

/** Bounds the rounds when a receiver fails faster than deliveries are replayed. */
const ROUNDS_MAX = 100;

export function addReplayCommand(webhooks: Command): void {
  const command = webhooks
    .command("replay")
    .description("Deliver once more: one delivery, or all that fit.")
    .argument("[sid]", "the delivery");
  command
    .option("--status <status>", DELIVERY_STATUSES.join(", "), oneOf(DELIVERY_STATUSES))
    .option("--type <type>", "of this event type", parseEventType)
    .option("--since <time>", "made since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z", (text) => parseMoment(text))
    .option("--until <time>", "made until then", (text) => parseMoment(text))
    .option("--webhook <sid>", "of this subscription")
    .option("--to-url <url>", "there, instead of to their own receivers")
    .option("--json", "print JSON");
  addAccountOptions(command)
    .addHelpText("after", HELP)
    .action(async (sid: string | undefined, flags: ReplayFlags) => {
      const order = orderOf(sid, flags);
      const client = clientOf(flags);
      if (sid === undefined) await replayMany(client, order, flags);
      else await replayOne(client, sid, order, flags);
    });
}

function orderOf(sid: string | undefined, { since, status, toUrl, type, until, webhook }: ReplayFlags): ReplayOrder {
  const filters = {
    ...given({ type, status, subscriptionSid: webhook }),
    ...given({ from: since, to: until }),
  };
  const isNarrowed = Object.keys(filters).length > 0;
  if (sid === undefined && !isNarrowed) {
    throw new UsageError("Say which: the sid of a delivery, or some of --webhook, --status, --type, --since, --until.");
  }
  if (sid !== undefined && isNarrowed) {
    throw new UsageError("A delivery is named by its sid: leave out --webhook, --status, --type, --since and --until.");
  }
  return { ...filters, ...(toUrl === undefined ? {} : { url: toUrl }) };
}

async function replayOne(
  client: TandemClient,
  sid: string,
  { url }: ReplayOrder,
  { json }: ReplayFlags,
): Promise<void> {
  const { data } = await client.deliveries.replay(sid, given({ url }));
  if (json) printJson(data);
  else printAs("webhooks deliveries", [data]);
}

async function replayMany(client: TandemClient, order: ReplayOrder, { json }: ReplayFlags): Promise<void> {
  const { complete, replayed } = await replayAll(client, order, (sofar) => say(`${count(sofar)} so far.`));
  if (json) {
    printJson({ replayed, complete });
    return;
  }
  print(`${count(replayed)} ${replayed === 1 ? "delivery is" : "deliveries are"} on the way again.\n`);
  if (!complete) say("There may be more: narrow it down with --since and --until to reach the others.");
}

/**
 * The server replays a bounded number at a time. A replayed delivery is no longer `Failed`, so another request with
 * that filter reaches the next ones; with other filters it would reach the same ones again.
 */
export async function replayAll(
  client: Pick<TandemClient, "deliveries">,
  order: ReplayOrder,
  onProgress: (sofar: number) => void,
): Promise<ReplayAnswer> {
  const rounds = order.status === "Failed" ? ROUNDS_MAX : 1;
  let replayed = 0;
  for (let round = 0; round < rounds; round++) {
    const { data } = await client.deliveries.replayMany(order);
    replayed += data.replayed;
    if (data.complete) return { replayed, complete: true };
    onProgress(replayed);
  }
  return { replayed, complete: false };
}
