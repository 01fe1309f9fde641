// Pauses or resumes the recording of a call; the process that has the call does the work. A request is either carried
// out, or withdrawn and not carried out later: the process takes it up before it carries it out, and only a request
// that is not taken up can be withdrawn.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { Call } from "./call.ts";
import type { CallStore } from "./ports.ts";
import type { CallRecording, RecordingAction } from "./recording.ts";

export interface SwitchRecordingDeps {
  readonly calls: Pick<CallStore, "find" | "askToSwitch" | "withdrawSwitch">;
  /** Waits a short time for the process that has the call to reach this state. Returns the call as it is then. */
  readonly untilCall: (accountSid: string, sid: string, isSo: (call: Call) => boolean) => Promise<Call | undefined>;
}

const RETRY_SECONDS = 5;

export async function switchRecording(
  { calls, untilCall }: SwitchRecordingDeps,
  accountSid: string,
  sid: string,
  action: RecordingAction,
): Promise<Result<CallRecording, Problem>> {
  const found = await calls.find(accountSid, sid);
  if (!found) return refused(problem("not-found"));
  const switches = await calls.askToSwitch(accountSid, sid, action);
  if (switches === undefined)
    return refused(problem("conflict", found.recording ? ENDED : "The call is not recorded."));
  const isDone = ({ recording }: Call) => recording !== null && recording.switches >= switches;
  const isSettled = (call: Call) => isDone(call) || call.status === "Completed";
  let call = await untilCall(accountSid, sid, isSettled);
  const isWithdrawn = call && !isDone(call) && (await calls.withdrawSwitch(accountSid, sid, switches));
  // Taken up at the last moment: it is being carried out.
  if (call && !isDone(call) && !isWithdrawn) call = await untilCall(accountSid, sid, isSettled);
  if (!call?.recording) return refused(problem("not-found"));
  if (isDone(call)) return ok(call.recording);
  if (call.status === "Completed") return refused(problem("conflict", ENDED));
  return refused({
    ...problem("call-not-reached", isWithdrawn ? WITHDRAWN : UNCONFIRMED),
    retryAfterSeconds: RETRY_SECONDS,
  });
}

const ENDED = "The call has ended.";
const WITHDRAWN = "It was not done, and will not be unless it is asked for again.";
const UNCONFIRMED = "It was begun, and not confirmed yet: ask again.";
