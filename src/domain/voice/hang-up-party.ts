// Ends a party that a call has dialled, and not the call: what follows the dial is done, or the call ends where nothing
// does. The process that has the call does it. As with the recording, a request is either carried out, or withdrawn and
// not carried out later.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { Call } from "./call.ts";
import type { CallStore } from "./ports.ts";
import type { RedirectCallDeps } from "./redirect-call.ts";

interface HangUpPartyDeps {
  readonly calls: Pick<CallStore, "findByParty" | "askToHangUpParty" | "withdrawPartyHangUp">;
  readonly until: RedirectCallDeps["until"];
}

const RETRY_SECONDS = 5;

/** Returns the call. */
export async function hangUpParty(
  { calls, until }: HangUpPartyDeps,
  accountSid: string,
  legSid: string,
): Promise<Result<Call, Problem>> {
  const look = () => calls.findByParty(accountSid, legSid);
  const isOver = (call: Call | undefined) =>
    call?.legs.find(({ sid }) => sid === legSid)?.status === "Completed" || call === undefined;
  let call = await look();
  if (!isOver(call)) {
    await calls.askToHangUpParty(legSid);
    call = await until(look, isOver);
  }
  const isWithdrawn = !isOver(call) && (await calls.withdrawPartyHangUp(legSid));
  // Taken up at the last moment: it is being carried out.
  if (!isOver(call) && !isWithdrawn) call = await until(look, isOver);
  if (!call) return refused(problem("not-found"));
  if (isOver(call)) return ok(call);
  return refused({
    ...problem("call-not-reached", isWithdrawn ? WITHDRAWN : UNCONFIRMED),
    retryAfterSeconds: RETRY_SECONDS,
  });
}

const WITHDRAWN = "The party was not hung up, and will not be unless it is asked for again.";
const UNCONFIRMED = "Hanging up the party was begun, and not confirmed yet: look at the call.";
