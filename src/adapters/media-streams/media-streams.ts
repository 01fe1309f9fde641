// The streams of this process. An account has a bounded number of them at the same time.

import type { Ids } from "../../base/ids.ts";
import type { OpenStream, StreamOpening, Streams } from "../../domain/voice/index.ts";
import { MediaStream, type MediaStreamDeps } from "./media-stream.ts";

const STREAMS_PER_ACCOUNT_MAX = 100;

export class MediaStreams implements Streams {
  readonly #deps: MediaStreamDeps & { readonly ids: Ids };
  /** How many each account has. */
  readonly #counts = new Map<string, number>();

  constructor(deps: MediaStreamDeps & { readonly ids: Ids }) {
    this.#deps = deps;
  }

  open(opening: StreamOpening): OpenStream {
    const { accountSid } = opening;
    const streamSid = this.#deps.ids.sid("MZ");
    const count = this.#counts.get(accountSid) ?? 0;
    if (count >= STREAMS_PER_ACCOUNT_MAX) return refusedStream(opening, streamSid);
    this.#counts.set(accountSid, count + 1);
    const ended: StreamOpening["ended"] = (summary) => {
      const left = (this.#counts.get(accountSid) ?? 0) - 1;
      if (left > 0) this.#counts.set(accountSid, left);
      else this.#counts.delete(accountSid);
      opening.ended(summary);
    };
    return new MediaStream(this.#deps, { ...opening, ended }, streamSid);
  }
}

function refusedStream({ order: { url }, ended }: StreamOpening, streamSid: string): OpenStream {
  const fault = `The account has ${STREAMS_PER_ACCOUNT_MAX} streams at the same time, which is the most it may.`;
  let isOver = false;
  const end = () => {
    if (!isOver) ended({ streamSid, url, packetsSent: 0, packetsReceived: 0, fault });
    isOver = true;
  };
  queueMicrotask(end);
  return { press: () => undefined, stop: end };
}
