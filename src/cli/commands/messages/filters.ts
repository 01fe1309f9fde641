// The filters that lists of messages share.

import type { Command } from "commander";
import {
  type InboundMessageListOptions,
  MESSAGE_STATUSES,
  type MessageListOptions,
  type MessageStatus,
} from "../../../../sdk/src/index.ts";
import type { AccountFlags } from "../../account-options.ts";
import { given, oneOf, parseErrorCode, parseMoment } from "../../arguments.ts";

export interface InboundFilterFlags extends AccountFlags {
  readonly from?: string;
  readonly to?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface FilterFlags extends InboundFilterFlags {
  readonly status?: MessageStatus;
  readonly errorCode?: number;
}

export function addInboundFilterOptions(command: Command): Command {
  return command
    .option("--from <number>", "from this number")
    .option("--to <number>", "to this number")
    .option("--since <time>", "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z", (text) => parseMoment(text))
    .option("--until <time>", "until then", (text) => parseMoment(text));
}

export function addFilterOptions(command: Command): Command {
  return addInboundFilterOptions(command)
    .option("--status <status>", MESSAGE_STATUSES.join(", "), oneOf(MESSAGE_STATUSES))
    .option("--error-code <code>", "with this error; 0 is none", parseErrorCode);
}

export function inboundFiltersOf(flags: InboundFilterFlags): InboundMessageListOptions {
  return given({ from: flags.from, to: flags.to, createdOnFrom: flags.since, createdOnTo: flags.until });
}

export function filtersOf(flags: FilterFlags): MessageListOptions {
  return {
    ...inboundFiltersOf(flags),
    ...given({ status: flags.status, errorCode: flags.errorCode }),
  };
}
