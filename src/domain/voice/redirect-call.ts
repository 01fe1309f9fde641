// Makes a live call go on with another program; the process that has the call does it. As with the recording, a request
// is either carried out, or withdrawn and not carried out later. Of several at the same time the last one counts.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import { type Call, legOf } from "./call.ts";
import type { CallStore } from "./ports.ts";
import type { OrderedProgram } from "./script.ts";

export interface RedirectCallDeps {
  readonly calls: Pick<CallStore, "find" | "askToRedirect" | "redirectionsOf" | "withdrawRedirection">;
  /** Looks again and again for a short time until it is so. Returns what was seen last. */
  readonly until: <Seen>(look: () => Promise<Seen>, isSo: (seen: Seen) => boolean) => Promise<Seen>;
}

const RETRY_SECONDS = 5;

export async function redirectCall(
  { calls, until }: RedirectCallDeps,
  accountSid: string,
  sid: string,
  program: OrderedProgram,
): Promise<Result<Call, Problem>> {
  const found = await calls.find(accountSid, sid);
  if (!found) return refused(problem("not-found"));
  const fault = faultOf(found);
  if (fault !== undefined) return refused(problem("call-not-in-progress", fault));
  const number = await calls.askToRedirect(accountSid, sid, program);
  if (number === undefined) return refused(problem("call-not-in-progress", ENDED));
  const look = () => calls.redirectionsOf(accountSid, sid, number);
  const isDone = (done: number | undefined) => done !== undefined && done >= number;
  const isSettled = (done: number | undefined) => done === undefined || isDone(done);
  let done = await until(look, isSettled);
  const isWithdrawn = !isSettled(done) && (await calls.withdrawRedirection(accountSid, sid, number));
  // Taken up at the last moment: it is being carried out.
  if (!isSettled(done) && !isWithdrawn) done = await until(look, isSettled);
  const call = await calls.find(accountSid, sid);
  if (!call) return refused(problem("not-found"));
  if (isDone(done)) return ok(call);
  if (done === undefined) return refused(problem("call-not-in-progress", ENDED));
  return refused({
    ...problem("call-not-reached", isWithdrawn ? WITHDRAWN : UNCONFIRMED),
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function faultOf(call: Call): string | undefined {
  if (call.status === "Completed") return ENDED;
  return legOf(call, "First")?.answeredOn == null ? "Its first party has not answered yet." : undefined;
}

const ENDED = "The call has ended.";
const WITHDRAWN = "It was not done, and will not be unless it is asked for again.";
const UNCONFIRMED = "It was begun, and not confirmed yet: look at the call.";
