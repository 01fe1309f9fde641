// Parts of texts that were made, for the next call that says them: a prompt is made once for all calls.
//
// Guarantees: bounded memory. What no longer fits is taken from the account that holds the most, its least recently
// used part first, so the long texts of one account do not displace the prompts of others.

/** About half an hour of speech, 32 MB. */
const SAMPLES_MAX = 16_000_000;
/** What a part counts for in addition to its samples, so that very short ones are bounded, too. */
const PART_SAMPLES = 1_000;

interface Made {
  readonly accountSid: string;
  readonly samples: Int16Array;
}

const sizeOf = (samples: Int16Array) => samples.length + PART_SAMPLES;

export class SpeechCache {
  readonly #samplesMax: number;
  /** Least recently used first. */
  readonly #made = new Map<string, Made>();
  /** What each account holds. */
  readonly #held = new Map<string, number>();
  #size = 0;

  constructor(samplesMax = SAMPLES_MAX) {
    this.#samplesMax = samplesMax;
  }

  find(part: string): Int16Array | undefined {
    const made = this.#made.get(part);
    if (!made) return undefined;
    this.#made.delete(part);
    this.#made.set(part, made);
    return made.samples;
  }

  add(accountSid: string, part: string, samples: Int16Array): void {
    this.#remove(part);
    this.#made.set(part, { accountSid, samples });
    this.#count(accountSid, sizeOf(samples));
    while (this.#size > this.#samplesMax) this.#remove(this.#leastNeeded());
  }

  #leastNeeded(): string {
    const [[heaviest] = [""]] = [...this.#held].sort(([, one], [, other]) => other - one);
    for (const [part, { accountSid }] of this.#made) if (accountSid === heaviest) return part;
    throw new Error("the cache holds nothing");
  }

  #remove(part: string): void {
    const made = this.#made.get(part);
    if (!made) return;
    this.#made.delete(part);
    this.#count(made.accountSid, -sizeOf(made.samples));
  }

  #count(accountSid: string, change: number): void {
    const held = (this.#held.get(accountSid) ?? 0) + change;
    if (held > 0) this.#held.set(accountSid, held);
    else this.#held.delete(accountSid);
    this.#size += change;
  }
}
