// Speech from an engine that accounts share. A text is made part by part, each when it is wanted, and accounts take
// turns at every part: a long text gives way after each sentence. Parts are kept for the next call that says them.
//
// Guarantees: an account waits for at most one part of each other account for each place of the engine, and never has
// all places while there are several; a part that is no longer wanted leaves the queue, and is not made. Each call
// wants one part at a time, so an account has no more parts waiting than calls. A part that failed is not kept.

import { FairCache } from "../../base/fair-cache.ts";
import { FairPlaces } from "../../base/fair-places.ts";
import type { Speech, SpokenText } from "../../domain/voice/index.ts";
import type { SpeechEngine } from "./engine.ts";
import { sentencesOf } from "./sentences.ts";

/** About half an hour of speech, 32 MB. */
const SAMPLES_MAX = 16_000_000;
/** What a part counts for in addition to its samples, so that very short ones are bounded, too. */
const PART_SAMPLES = 1_000;

export class SharedSpeech implements Speech {
  readonly #engine: SpeechEngine;
  /** Parts of texts that were made: a prompt is made once for all calls. */
  readonly #cache: FairCache<Int16Array>;
  readonly #places: FairPlaces;

  constructor(engine: SpeechEngine, samplesMax = SAMPLES_MAX) {
    this.#engine = engine;
    this.#cache = new FairCache({ sizeMax: samplesMax, sizeOf: (samples) => samples.length + PART_SAMPLES });
    const { places } = engine;
    this.#places = new FairPlaces({ places, placesPerAccount: Math.max(1, places - 1) });
  }

  async *say({ accountSid, text }: SpokenText, stop: AbortSignal): AsyncGenerator<Int16Array, void> {
    for (const part of sentencesOf(text)) {
      yield this.#cache.find(part) ??
        (await this.#places.run(accountSid, () => this.#make(accountSid, part, stop), stop));
    }
  }

  async #make(accountSid: string, part: string, stop: AbortSignal): Promise<Int16Array> {
    // Another call that says the same may have been first.
    const known = this.#cache.find(part);
    if (known) return known;
    const made = await this.#engine.make(part, stop);
    this.#cache.add(accountSid, part, made);
    return made;
  }
}
