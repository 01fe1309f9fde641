// Speech on its way to the thread that holds the sockets: only a few parts ahead of what is played, so that a long text
// takes little memory and no unheard speech is made.

import type { MediaOrder } from "./control.ts";

/** The part that is being played, and the next. */
const PARTS_AHEAD = 2;

type SpeechOrder = Extract<MediaOrder, { readonly kind: "speechPart" | "speechEnd" }>;
type WithoutLeg<Order> = Order extends unknown ? Omit<Order, "leg" | "speech"> : never;

export class LegSpeech {
  readonly #parts: AsyncIterator<Int16Array>;
  readonly #tailMs: number;
  readonly #order: (order: WithoutLeg<SpeechOrder>) => void;
  #wanted = PARTS_AHEAD;
  #isReading = false;
  #isStopped = false;

  constructor(
    { audio, tailMs }: { readonly audio: AsyncIterable<Int16Array>; readonly tailMs: number },
    order: (order: WithoutLeg<SpeechOrder>) => void,
  ) {
    this.#parts = audio[Symbol.asyncIterator]();
    this.#tailMs = tailMs;
    this.#order = order;
    void this.#read();
  }

  /** A part was consumed. */
  want(): void {
    this.#wanted++;
    void this.#read();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#parts.return?.().catch(() => undefined);
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wanted > 0 && !this.#isStopped) {
      this.#wanted--;
      const part = await this.#parts.next().catch(() => ({ done: true, value: undefined }) as const);
      if (this.#isStopped) return;
      if (part.done) {
        this.#isStopped = true;
        this.#order({ kind: "speechEnd", tailMs: this.#tailMs });
      } else this.#order({ kind: "speechPart", samples: part.value });
    }
    this.#isReading = false;
  }
}
