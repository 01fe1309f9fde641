// RFC 4733: keys as events. A key is several packets with one timestamp; it is reported once, when its end arrives, or
// when something later shows that its end was lost.

import { readU16, writeU16 } from "./packet.ts";

export const DIGITS = "0123456789*#ABCD";
export const EVENT_LENGTH = 4;
/** RFC 4733 2.3.3: -10 dBm0, a common level. */
const VOLUME = 10;

export interface TelephoneEvent {
  readonly event: number;
  readonly isEnd: boolean;
  /** In samples at 8000 Hz. */
  readonly duration: number;
}

export function readEvent(octets: Uint8Array, start: number, end: number): TelephoneEvent | undefined {
  if (end - start < EVENT_LENGTH) return undefined;
  return {
    event: octets[start] as number,
    isEnd: (octets[start + 1] as number) > 127,
    duration: readU16(octets, start + 2),
  };
}

export function writeEvent(octets: Uint8Array, offset: number, { event, isEnd, duration }: TelephoneEvent): void {
  octets[offset] = event;
  octets[offset + 1] = VOLUME | (isEnd ? 0x80 : 0);
  writeU16(octets, offset + 2, Math.min(duration, 0xffff));
}

export interface PressedKey {
  readonly digit: string;
  readonly ms: number;
}

/** Detects the keys in the events of one stream. */
export class KeyListener {
  #timestamp = -1;
  #event = 0;
  #duration = 0;
  #isReported = true;

  /** The key that goes down with this packet. To be asked before `hear`. */
  begunBy(timestamp: number, { event }: TelephoneEvent): string | undefined {
    return timestamp === this.#timestamp && event === this.#event ? undefined : DIGITS[event];
  }

  /** The key that this packet ends, or whose lost end it reveals. */
  hear(timestamp: number, { event, isEnd, duration }: TelephoneEvent): PressedKey | undefined {
    if (event >= DIGITS.length) return undefined;
    const isNew = timestamp !== this.#timestamp || event !== this.#event;
    const left = isNew ? this.finish() : undefined;
    if (isNew) {
      this.#timestamp = timestamp;
      this.#event = event;
      this.#duration = 0;
      this.#isReported = false;
    }
    this.#duration = Math.max(this.#duration, duration);
    // The first packet of the next key reveals the lost end of the previous one: only the previous key is reported now.
    if (left || !isEnd) return left;
    return this.finish();
  }

  /** The key that was begun and not yet reported. Called when audio continues, or when the stream ends. */
  finish(): PressedKey | undefined {
    if (this.#isReported) return undefined;
    this.#isReported = true;
    return { digit: DIGITS[this.#event] as string, ms: Math.round(this.#duration / 8) };
  }
}
