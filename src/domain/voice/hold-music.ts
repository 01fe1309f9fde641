// What is heard until a conference starts, and on hold: a quiet sequence of broken chords, without end.

const SAMPLES_PER_SECOND = 8_000;
const NOTE_SECONDS = 0.4;
const AMPLITUDE = 2_400;
/** C, A minor, F and G, each note in hertz. */
const CHORDS = [
  [261.6, 329.6, 392, 523.3],
  [220, 261.6, 329.6, 440],
  [174.6, 220, 261.6, 349.2],
  [196, 246.9, 293.7, 392],
] as const;

/** 8 kHz mono, a chord in each part. */
export async function* holdMusic(): AsyncIterable<Int16Array> {
  const parts = CHORDS.map(broken);
  for (let at = 0; ; at++) yield parts[at % parts.length] as Int16Array;
}

function broken(hertz: readonly number[]): Int16Array {
  const note = SAMPLES_PER_SECOND * NOTE_SECONDS;
  return Int16Array.from({ length: note * hertz.length }, (_, at) => {
    const place = at % note;
    const fade = Math.min(1, place / 80) * (1 - place / note);
    const frequency = hertz[Math.floor(at / note)] as number;
    return Math.round(AMPLITUDE * fade * Math.sin((2 * Math.PI * frequency * place) / SAMPLES_PER_SECOND));
  });
}
