// Ends a party that a call has dialled, and not the call: what follows the dial is done, or the call ends where nothing
// does. The process that has the call does it. A request that does not reach it is not carried out later.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { Call } from "./call.ts";
import type { CallStore } from "./ports.ts";
import type { RedirectCallDeps } from "./redirect-call.ts";

interface HangUpPartyDeps {
  readonly calls: Pick<CallStore, "findByParty" | "askToHangUpParty">;
  readonly until: RedirectCallDeps["until"];
}

const NOT_REACHED: Problem = {
  ...problem("call-not-reached", "The process that has the call has not hung the party up: ask again."),
  retryAfterSeconds: 5,
};

/** Returns the call. */
export async function hangUpParty(
  { calls, until }: HangUpPartyDeps,
  accountSid: string,
  legSid: string,
): Promise<Result<Call, Problem>> {
  const look = () => calls.findByParty(accountSid, legSid);
  const isOver = (call: Call | undefined) =>
    call?.legs.find(({ sid }) => sid === legSid)?.status === "Completed" || call === undefined;
  const found = await look();
  if (found && !isOver(found)) await calls.askToHangUpParty(legSid);
  const call = found && (isOver(found) ? found : await until(look, isOver));
  if (!call) return refused(problem("not-found"));
  return isOver(call) ? ok(call) : refused(NOT_REACHED);
}
