// Reports to the domain what happened to legs, in order and after the current work is done, because the listener may
// call us back immediately. Whatever the listener throws is logged and stops nothing.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { SignallingInput } from "../../domain/voice/ports.ts";
import type { SignallingEvent } from "./dialing.ts";

export class InputQueue {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onInput: (input: SignallingInput) => void;
  #inputs: SignallingInput[] = [];

  constructor(clock: Clock, log: Log, onInput: (input: SignallingInput) => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onInput = onInput;
  }

  push(event: SignallingEvent): void {
    const input = { at: this.#clock.now(), ...event } as SignallingInput;
    if (this.#inputs.push(input) > 1) return;
    // Not by `queueMicrotask`, which makes an async resource for each.
    void Promise.resolve().then(() => {
      const inputs = this.#inputs;
      this.#inputs = [];
      for (const one of inputs) this.#tell(one);
    });
  }

  #tell(input: SignallingInput): void {
    try {
      this.#onInput(input);
    } catch (error) {
      this.#log.error({ err: error, legSid: input.legSid }, "a SIP event could not be processed");
    }
  }
}
