// An account is suspended with a reason, which its refusals show. Resuming the account clears the reason.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { Account } from "./account.ts";
import type { AccountChange } from "./ports.ts";

type Suspension = Pick<Account, "status" | "suspendedReason">;

/** Returns the suspension of the account after the change. */
export function changeSuspension(before: Suspension, change: AccountChange): Result<Suspension, Problem> {
  const { status = before.status, suspendedReason = before.suspendedReason } = change;
  if (status === "Suspended") return ok({ status, suspendedReason });
  if (typeof change.suspendedReason === "string") {
    return refused(problem("conflict", "Only a suspended account has a suspendedReason."));
  }
  return ok({ status, suspendedReason: null });
}
