// `tandem events` lists what has happened, for an account and for operators, who see all accounts.

import type { Command } from "commander";
import type { AccountEvent, EventType } from "../../../sdk/src/index.ts";
import {
  ACCOUNT_ITSELF,
  type AccountFlags,
  addOperatorOptions,
  type OperatorCallFlags,
  operatorClientOf,
} from "../account-options.ts";
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
  const command = addListOptions(events)
    .description("List events, the newest first; with --after, the oldest first.")
    .option("--after <id>", "those after this event, the next one first");
  ACCOUNT_ITSELF.addOptions(command).action(async (flags: EventFlags) => {
    const { events: own } = ACCOUNT_ITSELF.viewOf(flags);
    const filters = given({ type: flags.type, after: flags.after });
    const items = await gatherPages((page) => own.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, printEvents);
  });
}

interface EventFlags extends AccountFlags {
  readonly type?: EventType;
  readonly after?: string;
  readonly limit: number;
}

export function addOperatorEventsCommand(events: Command): void {
  const command = addListOptions(events)
    .description("List events of all accounts or of one, the newest first.")
    .option("--account <sid>", "of this account");
  interface Flags extends OperatorCallFlags, Pick<EventFlags, "type" | "limit"> {
    readonly account?: string;
  }
  addOperatorOptions(command).action(async (flags: Flags) => {
    const client = operatorClientOf(flags);
    const filters = given({ type: flags.type });
    const { events: seen } = flags.account === undefined ? client : client.account(flags.account);
    const items = await gatherPages((page) => seen.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, printEvents);
  });
}

function addListOptions(events: Command): Command {
  return events
    .command("list")
    .option("--type <type>", "of this type", parseEventType)
    .addOption(limitOption())
    .option("--json", "print JSON instead of a table");
}

function printEvents(items: readonly AccountEvent[]): void {
  printTable(
    ["At", "Id", "Type", "Resource", "Payload"],
    items.map(({ createdOn, id, payload, resourceSid, type }) => [createdOn, id, type, resourceSid, wordsOf(payload)]),
  );
}
