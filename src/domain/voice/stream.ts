// Streams: the sound of a call that goes to a program over a WebSocket, and what comes back from it.

/** What a script requests. */
export interface StreamOrder {
  /** ws: or wss:, absolute, without a query. */
  readonly url: string;
  /** Unique among the streams of the call that are open; empty where the script names none. */
  readonly name: string;
  /** Passed to the program as the stream starts. */
  readonly parameters: readonly StreamParameter[];
}

export type StreamParameter = readonly [name: string, value: string];

/** Of the name and the value of a parameter, together. */
export const PARAMETER_CHARACTERS_MAX = 500;
export const PARAMETERS_MAX = 50;
export const STREAM_NAME_MAX = 256;
