// The scope of an opt-out: the messages of one sender, or of a campaign.

import { type Command, Option } from "commander";
import type { OptOutOrder } from "../../../../sdk/src/index.ts";
import { UsageError } from "../../exit-codes.ts";

export type Scope = Omit<OptOutOrder, "number">;

export interface ScopeFlags {
  readonly from?: string;
  readonly campaign?: string;
}

export function addScopeOptions(command: Command): Command {
  return command
    .option("--from <number>", "of messages from this number of yours")
    .addOption(new Option("--campaign <id>", "of messages of this campaign").conflicts("from"));
}

export function scopeOf({ campaign, from }: ScopeFlags): Scope | undefined {
  if (campaign !== undefined) return { scopeType: "TcrCampaign", scope: campaign };
  return from === undefined ? undefined : { scopeType: "SenderPhoneNumber", scope: from };
}

export function neededScope(flags: ScopeFlags): Scope {
  const scope = scopeOf(flags);
  if (scope === undefined) throw new UsageError("Say of whose messages: --from NUMBER, or --campaign ID.");
  return scope;
}
