// The interface of every speech engine: one part of a text at a time.

export interface SpeechEngine {
  /** How many parts it makes at the same time; further ones wait in the order in which they came. */
  readonly places: number;
  /** Returns 8 kHz mono. Throws on failure; ends immediately when `stop` aborts, whatever the engine is doing. */
  make(text: string, stop: AbortSignal): Promise<Int16Array>;
  close(): Promise<void>;
}
