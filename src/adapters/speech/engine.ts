// What every speech engine does: one part of a text at a time.

export interface SpeechEngine {
  /** 8 kHz mono. Throws where it fails; ends at once when `stop` asks for it, whatever the engine is doing. */
  make(text: string, stop: AbortSignal): Promise<Int16Array>;
  close(): Promise<void>;
}
