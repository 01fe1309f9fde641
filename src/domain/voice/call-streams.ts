// The streams of a call: opens and ends them, notes in its trail how each of them went, and reports it to the account.
//
// Guarantees: a stream that was opened is reported as Started and, last, as Stopped; one that failed is reported as
// Failed before that, or alone when it was never opened.

import type { PayloadShape } from "../events.ts";
import type { CallTrailStep, MediaLeg, OpenStream, StreamSummary, Streams, ToldStream } from "./ports.ts";
import { STARTED_MAX, type StreamOrder } from "./stream.ts";

export interface CallStreamsDeps {
  readonly streams: Streams;
  readonly call: { readonly sid: string; readonly accountSid: string };
  /** With the events that are stored at the same time. */
  readonly note: (details: CallTrailStep["details"], told?: readonly ToldStream[]) => void;
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
  /** Those that hear the call beside it. */
  readonly #started = new Map<OpenStream, StreamOrder>();

  constructor(deps: CallStreamsDeps) {
    this.#deps = deps;
  }

  /** `ended` is called when the stream is over, unless `disconnect` has ended it. */
  connect(order: StreamOrder, place: StreamPlace, ended: (summary: StreamSummary) => void): void {
    const connected = this.#open(order, true, place, (summary) => {
      if (this.#connected !== connected) return;
      this.#connected = undefined;
      ended(summary);
    });
    this.#connected = connected;
  }

  start(order: StreamOrder, place: StreamPlace): void {
    const fault = this.#whyNotStarted(order);
    if (fault !== undefined) {
      this.#deps.note({ url: order.url, packetsSent: 0, packetsReceived: 0, fault });
      return;
    }
    const started = this.#open(order, false, place, () => void this.#started.delete(started));
    this.#started.set(started, order);
  }

  stop(name: string): void {
    const [started] = [...this.#started].find(([, order]) => order.name === name) ?? [];
    if (started) started.stop();
    else this.#deps.note({ fault: `No stream of the name ${name} is open.`, packetsSent: 0, packetsReceived: 0 });
  }

  close(): void {
    this.disconnect();
    for (const started of this.#started.keys()) started.stop();
  }

  #whyNotStarted({ name }: StreamOrder): string | undefined {
    if (this.#started.size >= STARTED_MAX) return `The call has ${STARTED_MAX} streams, which is the most it may.`;
    const isTwice = name !== "" && [...this.#started.values()].some((other) => other.name === name);
    return isTwice ? `A stream of the name ${name} is open.` : undefined;
  }

  #open(
    order: StreamOrder,
    isTwoWay: boolean,
    { media, shape }: StreamPlace,
    ended: (summary: StreamSummary) => void,
  ): OpenStream {
    const { streams, note, call } = this.#deps;
    const { sid: callSid, accountSid } = call;
    let sequence = 0;
    const told = (streamSid: string, status: ToldStream["status"], fault: string | null = null): ToldStream => {
      sequence += 1;
      return { streamSid, order, shape, status, fault, sequence };
    };
    return streams.open({
      ...{ accountSid, callSid, shape, order, isTwoWay, media },
      opened: ({ streamSid, ms }) => note({ connected: order.url, streamSid, ms }, [told(streamSid, "Started")]),
      ended: (summary) => {
        const { streamSid, fault } = summary;
        const wasOpen = sequence > 0;
        const failed = fault === undefined ? [] : [told(streamSid, "Failed", fault)];
        note({ ...summary }, wasOpen ? [...failed, told(streamSid, "Stopped")] : failed);
        ended(summary);
      },
    });
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
