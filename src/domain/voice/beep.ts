// The tone after which a party is recorded.

const SAMPLES_PER_SECOND = 8_000;
const HERTZ = 1_000;
const SECONDS = 0.4;
/** A quarter of the loudest. */
const AMPLITUDE = 8_192;
/** Its ends are faded, so that they do not click. */
const FADE_SAMPLES = 80;

/** 8 kHz mono. */
export async function* beepAudio(): AsyncIterable<Int16Array> {
  const length = SAMPLES_PER_SECOND * SECONDS;
  yield Int16Array.from({ length }, (_, at) => {
    const fade = Math.min(1, at / FADE_SAMPLES, (length - 1 - at) / FADE_SAMPLES);
    return Math.round(AMPLITUDE * fade * Math.sin((2 * Math.PI * HERTZ * at) / SAMPLES_PER_SECOND));
  });
}
