// Texts that are spoken to a party: which ones are accepted, and the audio of a text. The audio fails when its next
// part does not arrive in time, so that no call waits for an engine.

import type { Clock } from "../../base/clock.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Speech, SpokenText } from "./ports.ts";

export const SPOKEN_TEXT_MAX = 4_000;
export const KEY_PROMPT_MAX = 500;
export const KEY_PROMPT = "You have a call. Press any key to be connected.";

/** Deadline for the next part of a text; the sentences before it play meanwhile. */
const PART_MS_MAX = 15_000;

/** Tabs and line breaks are white space; nothing that an engine could take for a command is let through. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/u;
const MARKUP = /<\/?[a-z!?][^>]*>/i;

/** The text as it is spoken, or why it is refused. */
export function readSpokenText(text: string, charactersMax: number): Result<string, string> {
  const trimmed = text.replace(/\s+/gu, " ").trim();
  if ([...trimmed].length > charactersMax) return refused(`A text has ${charactersMax} characters at most.`);
  if (CONTROL.test(text)) return refused("A text must not have control characters.");
  if (MARKUP.test(trimmed)) return refused("A text is spoken as it stands: it must not have SSML or other markup.");
  return ok(trimmed);
}

export interface SoundingDeps {
  readonly clock: Clock;
  /** Called once at most, with the reason. The audio ends then. */
  readonly failed: (reason: string) => void;
}

export interface SpeakingDeps extends SoundingDeps {
  readonly speech: Speech;
}

/** The audio of a text. */
export function spokenAudio({ speech, ...deps }: SpeakingDeps, spoken: SpokenText): ReturnType<typeof audioInTime> {
  return audioInTime(deps, (stop) => speech.say(spoken, stop));
}

/** Makes audio until `stop` aborts. */
type MakeAudio = (stop: AbortSignal) => AsyncIterable<Int16Array>;

/** Never throws. When the reader stops, the engine stops too, even while it makes a part. */
export function audioInTime(
  deps: SoundingDeps,
  make: MakeAudio,
): Required<Pick<AsyncIterator<Int16Array>, "next" | "return">> & AsyncIterable<Int16Array> {
  const stop = new AbortController();
  const parts = partsInTime(deps, make, stop);
  return {
    next: () => parts.next(),
    return() {
      stop.abort();
      return parts.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* partsInTime(
  deps: SoundingDeps,
  make: MakeAudio,
  stop: AbortController,
): AsyncGenerator<Int16Array, undefined, undefined> {
  const parts = make(stop.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await inTime(parts.next(), deps.clock);
      if (part.done) return undefined;
      yield part.value;
    }
  } catch (fault) {
    if (!stop.signal.aborted) deps.failed(fault instanceof Error ? fault.message : String(fault));
    return undefined;
  } finally {
    stop.abort();
  }
}

async function inTime<Value>(work: Promise<Value>, clock: Clock): Promise<Value> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(PART_MS_MAX, () => reject(new Error(`no speech for ${PART_MS_MAX / 1000} s`)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
    // The engine may still fail later; the result is no longer needed.
    work.catch(() => undefined);
  }
}
