// Runs in the browser's audio thread, as a file of its own: resamples the captured audio to 8 kHz in frames of 20 ms,
// and plays received audio at the rate of the speaker.
//
// Guarantees: the samples that wait to be played are bounded; when more arrive, the oldest are dropped, so that the
// delay stays bounded.

declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: readonly Channels[], outputs: readonly Channels[]): boolean;
}
type Channels = readonly Float32Array[];

const RATE = 8_000;
const FRAME = 160;
/** Samples in the buffer: how many before playback begins, and again after it ran empty; and at most. */
const WAITING_BEFORE = 3 * FRAME;
const WAITING_MAX = 15 * FRAME;

/** Posts an Int16Array of 160 samples every 20 ms. Frequencies too high for 8 kHz are filtered out before. */
class Capture extends AudioWorkletProcessor {
  #frame = new Int16Array(FRAME);
  #filled = 0;
  #phase = 0;
  #sum = 0;
  #count = 0;

  process([input]: readonly Channels[]): boolean {
    for (const sample of input?.[0] ?? []) this.#take(sample);
    return true;
  }

  #take(sample: number): void {
    this.#sum += sample;
    this.#count += 1;
    this.#phase += RATE;
    if (this.#phase < sampleRate) return;
    this.#phase -= sampleRate;
    this.#frame[this.#filled++] = Math.round(Math.max(-1, Math.min(1, this.#sum / this.#count)) * 32_767);
    this.#sum = 0;
    this.#count = 0;
    if (this.#filled < FRAME) return;
    this.port.postMessage(this.#frame, [this.#frame.buffer]);
    this.#frame = new Int16Array(FRAME);
    this.#filled = 0;
  }
}

/** Receives Int16Arrays of samples by message. */
class Playback extends AudioWorkletProcessor {
  #waiting: number[] = [];
  #isPlaying = false;
  #phase = 0;
  #last = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Int16Array>) => {
      for (const sample of data) this.#waiting.push(sample / 32_768);
      if (this.#waiting.length > WAITING_MAX) this.#waiting = this.#waiting.slice(-WAITING_BEFORE);
    };
  }

  process(_inputs: readonly Channels[], [output]: readonly Channels[]): boolean {
    const channel = output?.[0];
    if (!channel) return true;
    this.#isPlaying ||= this.#waiting.length >= WAITING_BEFORE;
    let read = 0;
    for (let at = 0; this.#isPlaying && at < channel.length; at++) {
      const next = this.#waiting[read] ?? 0;
      channel[at] = this.#last + (next - this.#last) * (this.#phase / sampleRate);
      this.#phase += RATE;
      if (this.#phase < sampleRate) continue;
      this.#phase -= sampleRate;
      this.#last = next;
      this.#isPlaying = ++read < this.#waiting.length;
    }
    this.#waiting.splice(0, read);
    return true;
  }
}

registerProcessor("capture", Capture);
registerProcessor("playback", Playback);
