// Encodes segments in processes of low priority: one less than there are processors, and at least one.

import { availableParallelism } from "node:os";
import { processOf } from "../program.ts";
import { WorkerPool } from "../worker-pool.ts";
import type { EncodedSegment, SegmentOrder } from "./encode-segment.ts";

export interface EncoderPoolOptions {
  /** The program to run; the build puts it beside ours. */
  readonly program?: URL;
  readonly execArgv?: readonly string[];
  /** The machine's `lame` program, in place of the built-in encoder. */
  readonly lame?: string | undefined;
  readonly sizeMax?: number;
  /** An encoder that reports nothing for this long is killed. */
  readonly silenceMs?: number;
  readonly idleMs?: number;
}

const BUILT_PROGRAM = new URL("./mp3-encoder.js", import.meta.url);
const SILENCE_MS = 300_000;
const IDLE_MS = 30_000;

export class EncoderPool {
  readonly sizeMax: number;
  readonly #pool: WorkerPool<EncodedSegment>;

  constructor(options: EncoderPoolOptions = {}) {
    const { program = BUILT_PROGRAM, execArgv = [], lame, silenceMs = SILENCE_MS, idleMs = IDLE_MS } = options;
    const start = processOf(program, lame === undefined ? [] : [lame], { execArgv });
    this.sizeMax = options.sizeMax ?? Math.max(1, availableParallelism() - 1);
    this.#pool = new WorkerPool({ name: "encoder", start, sizeMax: this.sizeMax, silenceMs, idleMs });
  }

  /** Running processes. */
  get size(): number {
    return this.#pool.size;
  }

  encode(order: SegmentOrder): Promise<EncodedSegment> {
    return this.#pool.run(order);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
