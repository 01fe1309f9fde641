// What operators see of accounts when they help them: messages, calls, numbers, configs, webhooks, events and requests,
// by the commands that accounts have; and what went wrong anywhere.

import type { Command } from "commander";
import type { TroubledRecording } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, OPERATOR, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, parseYesOrNo } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printDone, printResult, printTable } from "../../output.ts";
import { wordsOf } from "../../print-trail.ts";
import { addReadingCommands as addCallReading } from "../calls/read.ts";
import { addReadingCommands as addConfigReading } from "../configs/read.ts";
import { addOperatorEventsCommand } from "../events.ts";
import { addReadingCommands as addMessageReading } from "../messages/read.ts";
import { addReadingCommands as addNumberReading } from "../numbers/read.ts";
import {
  addRequestOptions,
  addShowOptions,
  printOutcome,
  printRequests,
  type RequestFlags,
  requestFiltersOf,
} from "../requests.ts";
import { addDeliveryCommands } from "../webhooks/deliveries.ts";
import { printSubscriptions } from "../webhooks/list.ts";

export function addViewCommands(operator: Command): void {
  const noun = (name: string, summary: string, example: string) =>
    operator
      .command(name)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .addHelpText("after", `\nExample:\n  tandem operator ${name} ${example}\n`);
  const whose = OPERATOR.suffix;
  addMessageReading(
    noun("messages", "the messages of an account", `why OM01935f1e4c7b7000a3c41f0e5d9b2a17${whose}`),
    OPERATOR,
  );
  addCallReading(noun("calls", "the calls of an account", `sip CA01935f1e4c7b7000a3c41f0e5d9b2a17${whose}`), OPERATOR);
  addNumberReading(noun("numbers", "the numbers of an account", `list${whose}`), OPERATOR);
  addConfigReading(noun("configs", "the MessagingConfigs of an account", `list${whose}`), OPERATOR);
  const webhooks = noun("webhooks", "subscriptions of all accounts, and the deliveries of one", "list --enabled no");
  addWebhookListCommand(webhooks);
  addDeliveryCommands(webhooks, OPERATOR);
  addOperatorEventsCommand(noun("events", "the events of all accounts, or of one", `list --limit 5${whose}`));
  const requests = noun(
    "requests",
    "refused requests of all callers or of an account, and what became of any",
    "show 01935f1e-4c7b-7000-a3c4-1f0e5d9b2a17",
  );
  addRequestListCommand(requests);
  addRequestShowCommand(requests);
  addRecordingsCommand(noun("recordings", "recordings with which something went wrong", "list"));
  addReconcilesCommand(noun("reconciles", "the last run of what keeps campaigns and ports up to date", "list"));
}

function addWebhookListCommand(webhooks: Command): void {
  const command = webhooks
    .command("list")
    .description("List the subscriptions of all accounts; --enabled no finds those that were switched off, and why.")
    .option("--account <sid>", "of this account")
    .option("--enabled <answer>", "yes or no", parseYesOrNo)
    .option("--json", "print JSON instead of a table");
  interface Flags extends OperatorCallFlags {
    readonly account?: string;
    readonly enabled?: boolean;
  }
  addOperatorOptions(command).action(async (flags: Flags) => {
    const client = operatorClientOf(flags);
    const filters = given({ accountSid: flags.account, enabled: flags.enabled });
    const items = await gatherPages((page) => client.webhooks.list({ ...filters, ...page }));
    printResult(items, flags, printSubscriptions);
  });
}

function addRequestListCommand(requests: Command): void {
  const command = addRequestOptions(requests.command("list")).option("--account <sid>", "of this account");
  addOperatorOptions(command).action(async (flags: RequestFlags) => {
    const client = operatorClientOf(flags);
    const filters = requestFiltersOf(flags);
    const { account } = flags;
    const items =
      account === undefined
        ? await gatherPages((page) => client.requests.list({ ...filters, ...page }), flags.limit)
        : await gatherPages((page) => client.account(account).requests.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, printRequests);
  });
}

function addRequestShowCommand(requests: Command): void {
  const command = addShowOptions(requests.command("show")).option("--account <sid>", "of this account");
  interface Flags extends OperatorCallFlags {
    readonly account?: string;
  }
  addOperatorOptions(command).action(async (id: string, flags: Flags) => {
    const client = operatorClientOf(flags);
    const { account } = flags;
    const { data } =
      account === undefined ? await client.requests.get(id) : await client.account(account).requests.get(id);
    printResult(data, flags, printOutcome);
  });
}

function addRecordingsCommand(recordings: Command): void {
  const list = recordings
    .command("list")
    .description("List recordings with which something went wrong.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(list).action(async (flags: OperatorCallFlags) => {
    const client = operatorClientOf(flags);
    printResult(await gatherPages((page) => client.recordings.list(page)), flags, printRecordings);
  });
  const retry = recordings
    .command("retry")
    .description("Make the files of a failed recording after all.")
    .argument("<sid>", "the recording")
    .option("--json", "print JSON");
  addOperatorOptions(retry).action(async (sid: string, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).recordings.retry(sid);
    printDone({ sid, retried: true }, flags, `${sid} is tried again.`);
  });
}

function printRecordings(items: readonly TroubledRecording[]): void {
  printTable(
    ["Sid", "Account", "Call", "Status", "Fault", "Segments"],
    items.map((item) => [
      item.sid,
      item.accountSid,
      item.callSid,
      item.status,
      item.fault,
      item.segments.map(({ index, state }) => `${index} ${state}`).join(", ") || "-",
    ]),
  );
}

function addReconcilesCommand(reconciles: Command): void {
  const list = reconciles
    .command("list")
    .description("List the last run of each reconcile.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(list).action(async (flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).reconciles.list();
    printResult(data.items, flags, (items) =>
      printTable(
        ["Name", "Begun", "Ended", "Outcome", "Details"],
        items.map((item) => [item.name, item.startedOn, item.finishedOn, item.outcome, wordsOf(item.details) || "-"]),
      ),
    );
  });
}
