// The events of a call, built from its record.

import type { NewEvent } from "../events.ts";
import { type Call, type CallStatus, durationSeconds, type LegName, legOf } from "./call.ts";
import type { LegMark } from "./call-state.ts";
import type { CallCallback, CallScope, ToldStream } from "./ports.ts";
import {
  type CallRecording,
  type RecordingCallback,
  type RecordingSegment,
  type RecordingSource,
  recordedSeconds,
  segmentSeconds,
} from "./recording.ts";

type Scope = Pick<CallScope, "phone" | "messagingConfigSid" | "callback">;

export function statusEvent(
  call: Call,
  { phone, messagingConfigSid, callback }: Scope,
  told: LegMark & { readonly status: CallStatus; readonly sequence: number },
): NewEvent<"CallStatusChangedWebhook"> {
  const { leg: name, legSid, status, sequence } = told;
  const leg = call.legs.find(({ sid }) => sid === legSid);
  const isOver = status === "Completed";
  return {
    accountSid: call.accountSid,
    type: "CallStatusChangedWebhook",
    resourceSid: call.sid,
    sequence,
    phone,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    ...(callback ? calledBack(callback, name, status) : {}),
    fields: {
      CallSid: call.sid,
      LegSid: legSid,
      Leg: name,
      Direction: leg?.direction ?? call.direction,
      From: leg?.from ?? call.from,
      To: leg?.to ?? call.to,
      Status: status,
      DurationSeconds: leg && isOver ? durationSeconds(leg) : null,
      EndReason: isOver ? (leg?.endReason ?? null) : null,
    },
  };
}

/** Delivers to the callback if it takes this status, otherwise to no receiver: the event is stored in both cases. */
function calledBack({ url, shape, statuses }: CallCallback, leg: LegName, status: CallStatus) {
  return leg === "First" && statuses.includes(status) ? { callbackUrl: url, callbackShape: shape } : { onlyTo: "" };
}

/** The first event of its call. */
export function receivedEvent(
  call: Call,
  { phone, messagingConfigSid }: Scope,
): NewEvent<"InboundCallReceivedWebhook"> {
  return {
    accountSid: call.accountSid,
    type: "InboundCallReceivedWebhook",
    resourceSid: call.sid,
    sequence: 1,
    phone,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: { CallSid: call.sid, LegSid: legOf(call, "First")?.sid ?? "", From: call.from, To: call.to },
  };
}

/** The events of a stream are a resource of their own: they do not wait for those of the call, nor those for them. */
export function streamEvent(
  { sid, accountSid }: Call,
  { phone, messagingConfigSid }: Scope,
  { streamSid, order, shape, status, fault, sequence }: ToldStream,
): NewEvent<"CallStreamStatusChanged"> {
  return {
    accountSid,
    type: "CallStreamStatusChanged",
    resourceSid: streamSid,
    sequence,
    phone,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    ...(order.callbackUrl !== undefined && { callbackUrl: order.callbackUrl, callbackShape: shape }),
    fields: { CallSid: sid, StreamSid: streamSid, StreamName: order.name, Status: status, Error: fault },
  };
}

interface FinishedRecording extends Omit<CallScope, "callback">, Pick<CallRecording, "sid"> {
  /** That of parties that were connected has none. */
  readonly source: RecordingSource | null;
  readonly callback: RecordingCallback | null;
  readonly conferenceSid?: string | null;
  readonly callSid: string;
  readonly accountSid: string;
  readonly segments: readonly Pick<RecordingSegment, "index" | "samples" | "sizeBytes" | "sha256">[];
}

/** The last event of its call; that of a program's recording does not wait for the call's others, nor they for it. */
export function recordingEvent(
  recording: FinishedRecording,
  urlOf: (index: number) => string,
): NewEvent<"CallRecordingCompleted"> {
  const { sid, callSid, conferenceSid, accountSid, phone, messagingConfigSid, eventsTold } = recording;
  const { segments, source, callback } = recording;
  const numbered = source === null ? { resourceSid: callSid, sequence: eventsTold + 1 } : { resourceSid: sid };
  return {
    accountSid,
    type: "CallRecordingCompleted",
    ...numbered,
    phone,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    ...(callback && { callbackUrl: callback.url, callbackShape: callback.shape }),
    fields: {
      CallSid: callSid,
      RecordingSid: sid,
      DurationSeconds: recordedSeconds(recording),
      ...(source !== null && { Source: source }),
      ...(conferenceSid != null && { ConferenceSid: conferenceSid }),
      Segments: segments.map((segment) => ({
        Index: segment.index,
        DurationSeconds: segmentSeconds(segment) ?? 0,
        SizeBytes: segment.sizeBytes ?? 0,
        Sha256: segment.sha256 ?? "",
        Url: urlOf(segment.index),
      })),
    },
  };
}
