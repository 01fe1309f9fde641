// Encodes segments in processes of low priority, in turns by account, eight seconds of audio at a time: a four-hour
// recording gives way after each of them.
//
// An encoding that gives way keeps its process, because an encoder's state cannot be put aside. So the number of long
// segments that are begun is limited, also in turns by account: `LONG_MAX` more than are encoded at the same time.
// A segment of one minute or less is encoded as a whole and not counted among them, so it waits for at most a minute of
// each other account for each place, however many long ones there are.

import { availableParallelism } from "node:os";
import { FairPlaces } from "../../base/fair-places.ts";
import { processOf, type StartProgram } from "../program.ts";
import { WorkerPool } from "../worker-pool.ts";
import { type EncodedSegment, type SegmentOrder, SHORT_SAMPLES } from "./encode-segment.ts";

export interface PoolOrder extends SegmentOrder {
  readonly accountSid: string;
  /** Of each channel. */
  readonly samples: number;
}

export interface EncoderPoolOptions {
  /** The program to run; the build puts it beside ours. */
  readonly program?: URL;
  /** Starts something else in place of the program. */
  readonly start?: StartProgram;
  readonly execArgv?: readonly string[];
  /** The machine's `lame` program, in place of the built-in encoder. */
  readonly lame?: string | undefined;
  /** How many encode at the same time; by default one less than there are processors, and at least one. */
  readonly places?: number;
  /** An encoder that reports nothing for this long is killed. */
  readonly silenceMs?: number;
  readonly idleMs?: number;
}

const BUILT_PROGRAM = new URL("./mp3-encoder.js", import.meta.url);
const SILENCE_MS = 300_000;
const IDLE_MS = 30_000;
/** A process that waits takes some fifty megabytes. */
const LONG_MAX = 4;

export class EncoderPool {
  readonly places: number;
  readonly #pool: WorkerPool<EncodedSegment>;
  readonly #encoding: FairPlaces;
  readonly #long: FairPlaces;

  constructor(options: EncoderPoolOptions = {}) {
    const { program = BUILT_PROGRAM, execArgv = [], lame, silenceMs = SILENCE_MS, idleMs = IDLE_MS } = options;
    const start = options.start ?? processOf(program, lame === undefined ? [] : [lame], { execArgv });
    const places = options.places ?? Math.max(1, availableParallelism() - 1);
    const longMax = places + LONG_MAX;
    this.places = places;
    this.#encoding = new FairPlaces({ places, placesPerAccount: places });
    this.#long = new FairPlaces({ places: longMax, placesPerAccount: places });
    this.#pool = new WorkerPool({ name: "encoder", start, sizeMax: places + longMax, silenceMs, idleMs });
  }

  /** Running processes. */
  get size(): number {
    return this.#pool.size;
  }

  encode({ accountSid, samples, ...order }: PoolOrder): Promise<EncodedSegment> {
    if (samples <= SHORT_SAMPLES) return this.#encoding.run(accountSid, () => this.#pool.run(order));
    const encode = () => this.#encoding.run(accountSid, (nextUnit) => this.#pool.run(order, { nextUnit }));
    return this.#long.run(accountSid, encode);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
