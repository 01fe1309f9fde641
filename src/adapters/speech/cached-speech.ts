// Speech from an engine, part by part, with a cache of the parts: a prompt is made once for all calls.
//
// Guarantees: bounded memory; a part that failed is not cached.

import type { Speech } from "../../domain/voice/index.ts";
import type { SpeechEngine } from "./engine.ts";
import { sentencesOf } from "./sentences.ts";

/** About half an hour of speech, 32 MB. */
const SAMPLES_MAX = 16_000_000;

export class CachedSpeech implements Speech {
  readonly #engine: SpeechEngine;
  readonly #samplesMax: number;
  /** Least recently used first. */
  readonly #made = new Map<string, Int16Array>();
  #samples = 0;

  constructor(engine: SpeechEngine, samplesMax = SAMPLES_MAX) {
    this.#engine = engine;
    this.#samplesMax = samplesMax;
  }

  async *say(text: string, stop: AbortSignal): AsyncGenerator<Int16Array, void> {
    for (const part of sentencesOf(text)) {
      const made = this.#made.get(part) ?? (await this.#engine.make(part, stop));
      this.#remember(part, made);
      yield made;
    }
  }

  #remember(part: string, made: Int16Array): void {
    this.#samples += made.length - (this.#made.get(part)?.length ?? 0);
    this.#made.delete(part);
    this.#made.set(part, made);
    for (const [oldest, samples] of this.#made) {
      if (this.#samples <= this.#samplesMax) return;
      this.#made.delete(oldest);
      this.#samples -= samples.length;
    }
  }
}
