// `tandem requests` finds refused requests and what became of a request, of an account or, for operators, of all
// callers.

import { type Command, InvalidArgumentError } from "commander";
import type {
  OwnedRefusedRequest,
  OwnedRequestOutcome,
  RefusedRequest,
  RequestListOptions,
  RequestOutcome,
} from "../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../account-options.ts";
import { given, limitOption, parseMoment } from "../arguments.ts";
import { gatherPages } from "../gather-pages.ts";
import { printResult, printTable } from "../output.ts";

const HELP = `
Examples:
  tandem requests show 01935f1e-4c7b-7000-a3c4-1f0e5d9b2a17
  tandem requests list --status 429 --since 1h
`;

export interface RequestFlags extends AccountFlags {
  readonly requestId?: string;
  readonly traceId?: string;
  readonly status?: number;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

export function addRequestsCommand(program: Command): void {
  const requests = program
    .command("requests")
    .summary("requests that were refused, and what became of one")
    .description("Requests that were refused in the last 7 days, and what became of a request.")
    .addHelpText("after", HELP);
  const command = addRequestOptions(requests.command("list"));
  addAccountOptions(command).action(async (flags: RequestFlags) => {
    const client = clientOf(flags);
    const items = await gatherPages(
      (page) => client.requests.list({ ...requestFiltersOf(flags), ...page }),
      flags.limit,
    );
    printResult(items, flags, printRequests);
  });
  addAccountOptions(addShowOptions(requests.command("show"))).action(async (id: string, flags: AccountFlags) => {
    const { data } = await clientOf(flags).requests.get(id);
    printResult(data, flags, printOutcome);
  });
}

export function addShowOptions(command: Command): Command {
  return command
    .description("Show what became of a request: what it made, and how it was refused.")
    .argument("<id>", "its X-Request-Id, the traceId of a refusal, or the sid of what it made")
    .option("--json", "print JSON");
}

export function printOutcome({ made, refused }: RequestOutcome | OwnedRequestOutcome): void {
  if (made.length > 0) {
    printTable(
      ["Made", "Sid", "Created", ...(made.some((item) => "accountSid" in item) ? ["Account"] : [])],
      made.map((item) => [
        item.kind,
        item.sid,
        item.createdOn,
        ...("accountSid" in item ? [item.accountSid as string] : []),
      ]),
    );
  }
  if (refused.length > 0) printRequests(refused);
}

export function addRequestOptions(command: Command): Command {
  return command
    .description("List refused requests, the newest first.")
    .option("--request-id <id>", "with this X-Request-Id, which every refusal shows")
    .option("--trace-id <id>", "with this traceId")
    .option("--status <status>", "with this HTTP status", parseStatus)
    .option("--since <time>", "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z", (text) => parseMoment(text))
    .option("--until <time>", "until then", (text) => parseMoment(text))
    .addOption(limitOption())
    .option("--json", "print JSON instead of a table");
}

export function requestFiltersOf(flags: RequestFlags): RequestListOptions {
  const { requestId, traceId, status, since: createdOnFrom, until: createdOnTo } = flags;
  return given({ requestId, traceId, status, createdOnFrom, createdOnTo });
}

function parseStatus(text: string): number {
  if (!/^[45]\d\d$/.test(text)) throw new InvalidArgumentError("A status from 400 to 599 is wanted.");
  return Number(text);
}

export function printRequests(items: readonly (RefusedRequest | OwnedRefusedRequest)[]): void {
  const isOwned = items.some((item) => "accountSid" in item);
  printTable(
    ["At", ...(isOwned ? ["Account"] : []), "Operation", "Status", "Code", "Fault", "Request"],
    items.map((item) => [
      item.createdOn,
      ...("accountSid" in item ? [item.accountSid ?? "-"] : []),
      item.operation ?? "-",
      String(item.status),
      item.code,
      item.fault ?? "-",
      item.requestId,
    ]),
  );
}
