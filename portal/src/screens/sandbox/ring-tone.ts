// Rings like a North American telephone: two seconds of 440 and 480 Hz, four of silence. Silent until the user has
// interacted with the page, because browsers allow no sound before.

const HERTZ = [440, 480] as const;
const RING_SECONDS = 2;
const PERIOD_SECONDS = 6;
const RINGS_MAX = 20;
const GAIN = 0.06;

/** The returned function stops it. */
export function startRinging(): () => void {
  if (navigator.userActivation?.hasBeenActive !== true) return () => undefined;
  const context = new AudioContext();
  const gain = new GainNode(context, { gain: 0 });
  gain.connect(context.destination);
  for (let ring = 0; ring < RINGS_MAX; ring++) {
    const begin = context.currentTime + ring * PERIOD_SECONDS;
    gain.gain.setValueAtTime(GAIN, begin).setValueAtTime(0, begin + RING_SECONDS);
  }
  for (const frequency of HERTZ) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(gain);
    tone.start();
  }
  return () => void context.close();
}
