// The streams of a call: opens and ends them, and notes in its trail how each of them went.

import type { PayloadShape } from "../events.ts";
import type { CallTrailStep, MediaLeg, OpenStream, StreamSummary, Streams } from "./ports.ts";
import type { StreamOrder } from "./stream.ts";

export interface CallStreamsDeps {
  readonly streams: Streams;
  readonly call: { readonly sid: string; readonly accountSid: string };
  readonly note: (details: CallTrailStep["details"]) => void;
}

/** Where a stream belongs. */
export interface StreamPlace {
  readonly media: MediaLeg;
  readonly shape: PayloadShape;
}

export class CallStreams {
  readonly #deps: CallStreamsDeps;
  /** The one that the first party is connected with. */
  #connected: OpenStream | undefined;

  constructor(deps: CallStreamsDeps) {
    this.#deps = deps;
  }

  /** `ended` is called when the stream is over, unless `disconnect` has ended it. */
  connect(order: StreamOrder, { media, shape }: StreamPlace, ended: (summary: StreamSummary) => void): void {
    const { streams, note, call } = this.#deps;
    const { sid: callSid, accountSid } = call;
    const connected = streams.open({
      ...{ accountSid, callSid, shape, order, media },
      opened: ({ streamSid, ms }) => note({ connected: order.url, streamSid, ms }),
      ended: (summary) => {
        note({ ...summary });
        if (this.#connected !== connected) return;
        this.#connected = undefined;
        ended(summary);
      },
    });
    this.#connected = connected;
  }

  press(digit: string): void {
    this.#connected?.press(digit);
  }

  disconnect(): void {
    const connected = this.#connected;
    this.#connected = undefined;
    connected?.stop();
  }
}
