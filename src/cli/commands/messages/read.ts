// Commands that read messages, for an account and for operators who look at one: list, show, why, inbound.

import type { Command } from "commander";
import type { AccountFlags, Reader } from "../../account-options.ts";
import { limitOption } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printResult } from "../../output.ts";
import { printTrail } from "../../print-trail.ts";
import {
  addFilterOptions,
  addInboundFilterOptions,
  type FilterFlags,
  filtersOf,
  type InboundFilterFlags,
  inboundFiltersOf,
} from "./filters.ts";
import { printInboundMessage, printInboundMessages, printMessage, printMessages } from "./print-message.ts";

export function addReadingCommands(messages: Command, reader: Reader): void {
  addListCommand(messages, reader);
  addShowCommand(messages, reader);
  addWhyCommand(messages, reader);
  addInboundCommand(messages, reader);
}

function addListCommand(messages: Command, { addOptions, viewOf }: Reader): void {
  const command = messages.command("list").description("List sent messages, the newest first.");
  addFilterOptions(command).addOption(limitOption()).option("--json", "print JSON instead of a table");
  addOptions(command).action(async (flags: FilterFlags & { readonly limit: number }) => {
    const view = viewOf(flags);
    const items = await gatherPages((page) => view.messages.list({ ...filtersOf(flags), ...page }), flags.limit);
    printResult(items, flags, printMessages);
  });
}

function addInboundCommand(messages: Command, { addOptions, viewOf }: Reader): void {
  const command = messages.command("inbound").description("List received messages, the newest first.");
  addInboundFilterOptions(command).addOption(limitOption()).option("--json", "print JSON instead of a table");
  addOptions(command).action(async (flags: InboundFilterFlags & { readonly limit: number }) => {
    const { inbound } = viewOf(flags).messages;
    const items = await gatherPages((page) => inbound.list({ ...inboundFiltersOf(flags), ...page }), flags.limit);
    printResult(items, flags, printInboundMessages);
  });
}

function addShowCommand(messages: Command, { addOptions, viewOf }: Reader): void {
  const command = messages
    .command("show")
    .description("Show a message, sent or received, with all that is known of it.")
    .argument("<sid>", "the message: OM… or IM…")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const view = viewOf(flags);
    if (/^IM/i.test(sid)) {
      const { data } = await view.messages.inbound.get(sid);
      printResult(data, flags, printInboundMessage);
      return;
    }
    const { data } = await view.messages.get(sid);
    printResult(data, flags, printMessage);
  });
}

function addWhyCommand(messages: Command, { addOptions, viewOf }: Reader): void {
  const command = messages
    .command("why")
    .description("Tell why a message did or did not arrive: everything that was decided and happened, in order.")
    .argument("<sid>", "the message")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { data } = await viewOf(flags).messages.why(sid);
    printResult(data, flags, ({ errorCode, status }) =>
      printTrail(`${data.sid} is ${status}${errorCode === 0 ? "" : `, error ${errorCode}`}`, data),
    );
  });
}
