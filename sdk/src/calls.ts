// Calls: placing them, their state and history, and ending them.

import type {
  Call,
  CallOrder,
  CallRecording,
  CallTrail,
  ListCallsQuery,
  RecordingControl,
  SipMessageList,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type CallListOptions = ListCallsQuery & CallOptions;

export interface Calls {
  /** Rings `from`, then `to`, and connects both. Answered when the call is stored. */
  place(call: CallOrder, options?: WriteOptions): Promise<Answer<Call>>;
  list(options?: CallListOptions): Listing<Call>;
  get(sid: string, options?: CallOptions): Promise<Answer<Call>>;
  hangUp(sid: string, options?: WriteOptions): Promise<Answer<Call>>;
  delete(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  /** Everything that was decided and happened, in order. */
  why(sid: string, options?: CallOptions): Promise<Answer<CallTrail>>;
  /** Pauses or resumes the recording: each resume begins a new segment. */
  controlRecording(
    sid: string,
    action: RecordingControl["action"],
    options?: WriteOptions,
  ): Promise<Answer<CallRecording>>;
  /** The MP3 of a segment of its recording, from 1. */
  recording(sid: string, index: number, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /** The SIP messages of the call, in order. */
  sipMessages(sid: string, options?: CallOptions): Promise<Answer<SipMessageList>>;
  /** The same as a capture file, for Wireshark and the like. */
  sipCapture(sid: string, options?: CallOptions): Promise<Answer<Uint8Array>>;
}

export function callsOf(order: ClientOrder): Calls {
  return {
    place: (body, options) => ask(order, "POST /v1/Voice/Calls", { ...options, body }),
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Voice/Calls", { signal, query }),
    get: (sid, options) => ask(order, "GET /v1/Voice/Calls/{sid}", { ...options, params: { sid } }),
    hangUp: (sid, options) => ask(order, "POST /v1/Voice/Calls/{sid}/hangup", { ...options, params: { sid } }),
    delete: (sid, options) => ask(order, "DELETE /v1/Voice/Calls/{sid}", { ...options, params: { sid } }),
    why: (sid, options) => ask(order, "GET /v1/Voice/Calls/{sid}/why", { ...options, params: { sid } }),
    controlRecording: (sid, action, options) =>
      ask(order, "POST /v1/Voice/Calls/{sid}/recording-control", { ...options, params: { sid }, body: { action } }),
    recording: (sid, index, options) =>
      ask(order, "GET /v1/Voice/Calls/{sid}/recordings/{index}", { ...options, params: { sid, index: String(index) } }),
    sipMessages: (sid, options) => ask(order, "GET /v1/Voice/Calls/{sid}/sip", { ...options, params: { sid } }),
    sipCapture: (sid, options) => ask(order, "GET /v1/Voice/Calls/{sid}/sip.pcap", { ...options, params: { sid } }),
  };
}
