// The live log across processes: what is watched where, and the entries that pass from one process to another.

export const LIVE_KINDS = ["ApiRequest", "SmppPdu", "SipMessage"] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** What a stream watches. */
export interface LiveKey {
  readonly kind: LiveKind;
  /** Null: the entries of all accounts. */
  readonly accountSid: string | null;
}

export interface PassedEntry {
  readonly accountSid: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isUrgent: boolean;
  /** How many of its kind were dropped before it. */
  readonly skipped: number;
}

export interface LiveBatch extends LiveKey {
  /** A list of `PassedEntry` in JSON. */
  readonly entries: string;
}

/** Where the entries of a process are found. */
export interface PostedBatches {
  readonly process: string;
  readonly first: string;
  readonly last: string;
}

/** The place that all processes share. Each has a name. */
export interface LiveBoard {
  /** All that is watched at this process, until then. Notifies the others when `isNew`. */
  watch(process: string, keys: readonly LiveKey[], untilOn: Date, isNew: boolean): Promise<void>;
  /** What is watched at the other processes. */
  watchedElsewhere(process: string, now: Date): Promise<readonly LiveKey[]>;
  /** Notifies the others of these entries. */
  post(process: string, batches: readonly LiveBatch[], now: Date): Promise<void>;
  /** Those of these keys. What did not fit is `left`. */
  read(
    posted: PostedBatches,
    keys: readonly LiveKey[],
  ): Promise<{ readonly batches: readonly LiveBatch[]; readonly left?: PostedBatches | undefined }>;
  /** What the other processes have posted since then, as far as it is there. */
  postedElsewhere(process: string, sinceOn: Date): Promise<readonly PostedBatches[]>;
}
