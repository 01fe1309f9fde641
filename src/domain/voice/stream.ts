// Streams: the sound of a call that goes to a program over a WebSocket, and what comes back from it.

/** What a script requests. */
export interface StreamOrder {
  /** ws: or wss:, absolute, without a query. */
  readonly url: string;
  /** Unique among the streams of the call that are open; empty where the script names none. */
  readonly name: string;
  readonly tracks: StreamTracks;
  /** Passed to the program as the stream starts. */
  readonly parameters: readonly StreamParameter[];
  /** Sound goes both ways in binary frames of 16-bit samples at this rate; absent: as µ-law in JSON. */
  readonly linearRate?: LinearRate | undefined;
  /** Notified when the stream starts, stops or fails, instead of subscriptions. */
  readonly callbackUrl?: string | undefined;
}

export type LinearRate = 8_000 | 16_000;

/** What the program hears: what comes from the first party, what is sent to it, or both. */
export type StreamTracks = "inbound" | "outbound" | "both";

export type StreamParameter = readonly [name: string, value: string];

/** Of the name and the value of a parameter, together. */
export const PARAMETER_CHARACTERS_MAX = 500;
export const PARAMETERS_MAX = 50;
/** Of streams of a call that were started beside it. */
export const STARTED_MAX = 4;
export const STREAM_NAME_MAX = 256;
