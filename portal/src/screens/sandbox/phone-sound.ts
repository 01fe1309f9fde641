// The audio of a call in the browser: microphone and speaker, or a tone if there is no microphone. Opened for a call
// and closed with it, so that the browser shows the microphone in use only then.

import worklet from "./sound-worklet.ts?worker&url";

/** What the other party hears: the microphone; a tone, because there is none or it was refused; nothing. */
export type Speaking = "Microphone" | "ToneForNone" | "ToneForRefused" | "Nothing";

export interface OpenSound {
  readonly speaking: Speaking;
  play(samples: Int16Array<ArrayBuffer>): void;
  close(): void;
}

const TONE_HERTZ = 440;
const TONE_GAIN = 0.2;
/** The audio band of a telephone. */
const BAND_HERTZ = 3_400;

const WITHOUT: OpenSound = { speaking: "Nothing", play: () => undefined, close: () => undefined };

/** `say` gets frames of 160 samples of 8 kHz. */
export async function openSound(say: (frame: Int16Array<ArrayBuffer>) => void): Promise<OpenSound> {
  const context = new AudioContext({ latencyHint: "interactive" });
  // Browsers have audio worklets only over HTTPS and on localhost.
  if (!context.audioWorklet) {
    void context.close();
    return WITHOUT;
  }
  await context.audioWorklet.addModule(worklet);
  const capture = new AudioWorkletNode(context, "capture", { channelCount: 1, channelCountMode: "explicit" });
  capture.port.onmessage = ({ data }: MessageEvent<Int16Array<ArrayBuffer>>) => say(data);
  // Its output is silent, but it runs only while it is connected.
  capture.connect(context.destination);
  const playback = new AudioWorkletNode(context, "playback", { numberOfInputs: 0, outputChannelCount: [1] });
  playback.connect(bandOf(context)).connect(context.destination);
  const { source, stream, speaking } = await openVoice(context);
  source.connect(bandOf(context)).connect(capture);
  await context.resume();
  return {
    speaking,
    play: (samples) => playback.port.postMessage(samples, [samples.buffer]),
    close() {
      for (const track of stream?.getTracks() ?? []) track.stop();
      void context.close();
    },
  };
}

function bandOf(context: AudioContext): AudioNode {
  return new BiquadFilterNode(context, { type: "lowpass", frequency: BAND_HERTZ });
}

interface Voice {
  readonly source: AudioNode;
  readonly stream?: MediaStream;
  readonly speaking: Speaking;
}

async function openVoice(context: AudioContext): Promise<Voice> {
  try {
    // Without echo cancellation the other party would hear itself from the speaker.
    const audio = { echoCancellation: true, noiseSuppression: false, autoGainControl: false };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    return { source: new MediaStreamAudioSourceNode(context, { mediaStream: stream }), stream, speaking: "Microphone" };
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === "NotAllowedError";
    return { source: toneOf(context), speaking: isRefused ? "ToneForRefused" : "ToneForNone" };
  }
}

function toneOf(context: AudioContext): AudioNode {
  const tone = new OscillatorNode(context, { frequency: TONE_HERTZ });
  const gain = new GainNode(context, { gain: TONE_GAIN });
  tone.start();
  return tone.connect(gain);
}
