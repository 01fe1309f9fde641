// `tandem events` lists what has happened, for an account and for operators who look at one.

import type { Command } from "commander";
import type { AccountEvent, EventType } from "../../../sdk/src/index.ts";
import { ACCOUNT_ITSELF, type AccountFlags, type Reader } from "../account-options.ts";
import { given, limitOption, parseEventType } from "../arguments.ts";
import { gatherPages } from "../gather-pages.ts";
import { printResult, printTable } from "../output.ts";
import { wordsOf } from "../print-trail.ts";

const HELP = `
Examples:
  tandem events list --type OutboundMessageStatusChanged
  tandem events list --limit 1 --json
`;

export function addEventsCommand(program: Command): void {
  const events = program
    .command("events")
    .summary("what has happened, subscribed to or not")
    .description("What has happened, subscribed to or not. tandem listen shows events as they happen.")
    .addHelpText("after", HELP);
  addEventListCommand(events, ACCOUNT_ITSELF);
}

interface EventFlags extends AccountFlags {
  readonly type?: EventType;
  readonly after?: string;
  readonly limit: number;
}

export function addEventListCommand(events: Command, { addOptions, viewOf }: Reader): void {
  const command = events
    .command("list")
    .description("List events, the newest first; with --after, the oldest first.")
    .option("--type <type>", "of this type", parseEventType)
    .option("--after <id>", "those after this event, the next one first")
    .addOption(limitOption())
    .option("--json", "print JSON instead of a table");
  addOptions(command).action(async (flags: EventFlags) => {
    const view = viewOf(flags);
    const filters = given({ type: flags.type, after: flags.after });
    const items = await gatherPages((page) => view.events.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, printEvents);
  });
}

function printEvents(items: readonly AccountEvent[]): void {
  printTable(
    ["At", "Id", "Type", "Resource", "Payload"],
    items.map(({ createdOn, id, payload, resourceSid, type }) => [createdOn, id, type, resourceSid, wordsOf(payload)]),
  );
}
