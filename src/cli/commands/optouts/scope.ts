// The scope of an opt-out: the messages of one sender, or of a campaign. The options are those of `tandem optouts add`.

import type { Command } from "commander";
import type { OptOutOrder } from "../../../../sdk/src/index.ts";
import { addOptionsOf, membersOf, neededMembersOf } from "../../plain-commands.ts";

export type Scope = Omit<OptOutOrder, "number">;

export function addScopeOptions(command: Command): Command {
  return addOptionsOf(command, "optouts add");
}

export function scopeOf(flags: object): Scope | undefined {
  const { scopeType, scope } = membersOf<Scope>("optouts add", flags);
  return scopeType && scope !== undefined ? { scopeType, scope } : undefined;
}

export function neededScope(flags: object): Scope {
  return neededMembersOf<Scope>("optouts add", flags);
}
