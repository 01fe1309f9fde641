// `tandem messages`: lists, shows, explains, cancels and exports messages.

import type { Command } from "commander";
import type { MessageTrail } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { limitOption } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printJson, printResult, printTable, say } from "../../output.ts";
import { addExportCommand } from "./export.ts";
import {
  addFilterOptions,
  addInboundFilterOptions,
  type FilterFlags,
  filtersOf,
  type InboundFilterFlags,
  inboundFiltersOf,
} from "./filters.ts";
import { printInboundMessage, printInboundMessages, printMessage, printMessages } from "./print-message.ts";

const HELP = `
Examples:
  tandem messages list --status Failed --since 2h
  tandem messages why OM01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem messages export --csv january.csv --since 2026-01-01 --until 2026-02-01
  tandem messages inbound --since 1d
`;

export function addMessagesCommand(program: Command): void {
  const messages = program
    .command("messages")
    .summary("what was sent and received, and what became of it")
    .description("What was sent and received, and what became of it.")
    .addHelpText("after", HELP);
  addListCommand(messages);
  addShowCommand(messages);
  addWhyCommand(messages);
  addCancelCommand(messages);
  addExportCommand(messages);
  addInboundCommand(messages);
}

function addListCommand(messages: Command): void {
  const command = messages.command("list").description("List sent messages, the newest first.");
  addFilterOptions(command).addOption(limitOption()).option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: FilterFlags & { readonly limit: number }) => {
    const client = clientOf(flags);
    const items = await gatherPages((page) => client.messages.list({ ...filtersOf(flags), ...page }), flags.limit);
    printResult(items, flags, printMessages);
  });
}

function addInboundCommand(messages: Command): void {
  const command = messages.command("inbound").description("List received messages, the newest first.");
  addInboundFilterOptions(command).addOption(limitOption()).option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: InboundFilterFlags & { readonly limit: number }) => {
    const { inbound } = clientOf(flags).messages;
    const items = await gatherPages((page) => inbound.list({ ...inboundFiltersOf(flags), ...page }), flags.limit);
    printResult(items, flags, printInboundMessages);
  });
}

function addShowCommand(messages: Command): void {
  const command = messages
    .command("show")
    .description("Show a message, sent or received, with all that is known of it.")
    .argument("<sid>", "the message: OM… or IM…")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const client = clientOf(flags);
    if (/^IM/i.test(sid)) {
      const { data } = await client.messages.inbound.get(sid);
      printResult(data, flags, printInboundMessage);
      return;
    }
    const { data } = await client.messages.get(sid);
    printResult(data, flags, printMessage);
  });
}

function addWhyCommand(messages: Command): void {
  const command = messages
    .command("why")
    .description("Tell why a message did or did not arrive: everything that was decided and happened, in order.")
    .argument("<sid>", "the message")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).messages.why(sid);
    printResult(data, flags, printTrail);
  });
}

function printTrail(trail: MessageTrail): void {
  const { errorCode, sid, status, summary } = trail;
  print(`${sid} is ${status}${errorCode === 0 ? "" : `, error ${errorCode}`}\n${summary.what} ${summary.why}\n\n`);
  printTable(
    ["At", "Step", "Details"],
    trail.steps.map(({ at, details, step }) => [at, step, wordsOf(details)]),
  );
  if (summary.advice !== null) say(`→ ${summary.advice}`);
}

/** `name: value, …`, nested values as JSON. */
function wordsOf(details: unknown): string {
  if (details === null || details === undefined) return "";
  if (typeof details !== "object" || Array.isArray(details)) return wordOf(details);
  const known = Object.entries(details).filter(([, value]) => value !== null);
  return known.map(([name, value]) => `${name}: ${wordOf(value)}`).join(", ");
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function addCancelCommand(messages: Command): void {
  const command = messages
    .command("cancel")
    .description("Cancel a message that has not left yet.")
    .argument("<sid>", "the message")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).messages.cancel(sid);
    if (flags.json) printJson(data);
    else printMessages([data]);
  });
}
