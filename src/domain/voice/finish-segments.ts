// Makes files from recorded segments: encodes each, stores the file, and completes its recording.
//
//   Waiting ──claim──▶ Encoding ──encoded, verified, stored──▶ Done
//      ▲                  ├─ a fault of the encoding, put off ─▶ Waiting, after five of them Failed
//      └──────────────────┴─ file store or disk unavailable ───▶ Waiting, for as long as it takes
//
// Guarantees: a segment is Done only when its file is verified and stored, and its raw file is removed only after that;
// a claim of a process that died, or whose answer was lost, becomes free again. While files cannot be stored, only one
// segment is claimed now and then, so that an unavailable store is not overloaded, and no segment is given up because
// of it.
//
// Accounts are served in turns: one segment of each account is claimed first, whatever the others have under way, then
// further ones, up to the capacity. Encoding (`SegmentEncoder`) and storing go on in turns by account, too.

import { type Backoff, backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import { FairPlaces } from "../../base/fair-places.ts";
import type { Log } from "../../base/log.ts";
import type { ClaimKind } from "../give-back.ts";
import type { RecordingFiles, SegmentEncoder, SegmentFile, SegmentQueue, WaitingSegment } from "./ports.ts";

export interface FinishDeps {
  readonly queue: SegmentQueue;
  readonly encoder: SegmentEncoder;
  readonly files: RecordingFiles;
  readonly clock: Clock;
  readonly log: Log;
}

const ATTEMPTS_MAX = 5;
const ENCODING: Backoff = { msMin: 5_000, msMax: 300_000 };
const STORING: Backoff = { msMin: 1_000, msMax: 60_000 };
const WRITING: Backoff = { msMin: 100, msMax: 5_000 };
/** Segments under way in addition to those being encoded, so that a slow store does not keep encoders waiting. */
const STORED_AT_ONCE = 4;
/** Segments under way when each is of another account. */
const UNDER_WAY_MAX = 256;

interface UnderWay {
  readonly accountSid: string;
  readonly run: Promise<void>;
}

export class SegmentFinisher {
  readonly claims: ClaimKind;
  readonly #deps: FinishDeps;
  readonly #underWay = new Map<string, UnderWay>();
  /** Segments under way, unless each is of another account. */
  readonly #capacity: number;
  readonly #storing: FairPlaces;
  /** The claim under way. */
  #claiming: Promise<unknown> = Promise.resolve();
  /** Consecutive failures. */
  #storeFailures = 0;
  #notBeforeMs = 0;
  #isClosed = false;
  #isWanted = false;
  #looking: Promise<void> | undefined;

  constructor(deps: FinishDeps) {
    this.#deps = deps;
    const { queue, encoder } = deps;
    this.#capacity = encoder.places + STORED_AT_ONCE;
    this.#storing = new FairPlaces({ places: this.#capacity, placesPerAccount: this.#capacity - 1 });
    this.claims = {
      name: "segments",
      owned: () => queue.owned(),
      isHeld: (id) => this.#underWay.has(id),
      claimsAnswered: () => this.#claiming,
      giveBackStrays: (strays) => queue.giveBackStrays(strays),
    };
  }

  /**
   * Claims waiting segments up to its capacity, and completes recordings whose segments are all done. When called while
   * it runs, it runs once more.
   */
  look(): Promise<void> {
    this.#isWanted = true;
    this.#looking ??= this.#lookWhileWanted().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    const { queue, clock } = this.#deps;
    await queue.release();
    if (clock.isRight && clock.elapsedMs() >= this.#notBeforeMs) await this.#claimInTurns();
    await queue.complete(clock.now());
    await this.#removeRaw();
  }

  /** Those that have the fewest under way come first. */
  async #claimInTurns(): Promise<void> {
    if (this.#storeFailures > 0) {
      if (this.#underWay.size === 0) await this.#claim(1, []);
      return;
    }
    for (let few: number | undefined = 0; few !== undefined; ) {
      const free = (few === 0 ? UNDER_WAY_MAX : this.#capacity) - this.#underWay.size;
      if (free <= 0 || this.#isClosed) return;
      await this.#claim(free, this.#accountsWithMore(few));
      few = this.#nextCount(few);
    }
  }

  #claim(countMax: number, notOf: readonly string[]): Promise<void> {
    const claim = this.#claimAndBegin(countMax, notOf);
    this.#claiming = claim.catch(() => undefined);
    return claim;
  }

  async #claimAndBegin(countMax: number, notOf: readonly string[]): Promise<void> {
    const { queue, clock } = this.#deps;
    for (const segment of await queue.claim({ countMax, now: clock.now(), notOf })) this.#begin(segment);
  }

  /** How many segments each account has under way. */
  #counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { accountSid } of this.#underWay.values()) counts.set(accountSid, (counts.get(accountSid) ?? 0) + 1);
    return counts;
  }

  #accountsWithMore(than: number): readonly string[] {
    return [...this.#counts()].filter(([, count]) => count > than).map(([accountSid]) => accountSid);
  }

  /** The smallest number of segments that an account has under way and that is larger; undefined if none is. */
  #nextCount(than: number): number | undefined {
    const larger = [...this.#counts().values()].filter((count) => count > than);
    return larger.length === 0 ? undefined : Math.min(...larger);
  }

  /** Resolves when nothing is under way any more. Unfinished segments go back to the queue. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking?.catch(() => undefined);
    await this.#deps.encoder.close();
    await Promise.all([...this.#underWay.values()].map(({ run }) => run));
  }

  #begin(segment: WaitingSegment): void {
    const { log } = this.#deps;
    const { accountSid, recordingSid, index } = segment;
    const id = `${recordingSid}/${index}`;
    const run: Promise<void> = this.#finish(segment)
      .catch((fault: unknown) => log.warn({ recordingSid, index, err: fault }, "segment not finished"))
      .finally(() => {
        // One that was put off may have been claimed again by now.
        if (this.#underWay.get(id)?.run === run) this.#underWay.delete(id);
        this.look().catch((error: Error) => log.warn({ reason: error.message }, "segments not looked for"));
      });
    this.#underWay.set(id, { accountSid, run });
  }

  async #finish(segment: WaitingSegment): Promise<void> {
    const { queue, encoder, files, log } = this.#deps;
    const { recordingSid, index } = segment;
    const encoded = await encoder.encode(segment);
    if (!encoded.ok) return this.#encodingFailed(segment, encoded.refusal);
    const { key } = segment;
    const stored = await this.#store(segment, encoded.value);
    if (stored === "later") return this.#putOff(segment, this.#deps.clock.now(), null);
    if (stored !== "stored") return this.#storingFailed(segment, stored.message);
    const { samples, sizeBytes } = encoded.value;
    const outcome = await this.#written(() => queue.done(segment, encoded.value));
    // The call was deleted meanwhile, perhaps before the file existed.
    if (outcome === "deleted") await files.remove([key]);
    await encoder.discard(segment.rawFile);
    log.info({ recordingSid, index, sizeBytes, samples }, "segment stored");
  }

  /** `later`: its turn came when nothing is stored. The encoder finds the file that it made. */
  #store({ accountSid, key }: WaitingSegment, file: SegmentFile): Promise<"stored" | "later" | Error> {
    const { files, clock } = this.#deps;
    return this.#storing.run(accountSid, async () => {
      if (this.#isClosed || clock.elapsedMs() < this.#notBeforeMs) return "later";
      return files.put(key, file).then(
        () => {
          this.#storeFailures = 0;
          return "stored";
        },
        (fault: Error) => {
          this.#pauseStoring();
          return fault;
        },
      );
    });
  }

  async #encodingFailed(
    segment: WaitingSegment,
    { reason, isPassing }: { readonly reason: string; readonly isPassing: boolean },
  ): Promise<void> {
    const { queue, clock, log } = this.#deps;
    const { recordingSid, index, attempts } = segment;
    if (this.#isClosed) return this.#putOff(segment, clock.now(), null);
    if (isPassing) {
      this.#pauseStoring();
      return this.#storingFailed(segment, reason);
    }
    const failures = attempts + 1;
    log.warn({ recordingSid, index, failures, reason }, "segment not encoded");
    if (failures >= ATTEMPTS_MAX) return this.#written(() => queue.giveUp(segment, reason));
    return this.#putOff(segment, new Date(clock.now().getTime() + backoffMs(ENCODING, failures)), reason);
  }

  #pauseStoring(): void {
    const { clock } = this.#deps;
    // Segments that were under way together fail for the same reason, which counts once.
    if (clock.elapsedMs() >= this.#notBeforeMs) this.#storeFailures += 1;
    this.#notBeforeMs = clock.elapsedMs() + backoffMs(STORING, this.#storeFailures);
  }

  async #storingFailed(segment: WaitingSegment, reason: string): Promise<void> {
    const { clock, log } = this.#deps;
    const { recordingSid, index } = segment;
    const pauseMs = this.#notBeforeMs - clock.elapsedMs();
    log.warn({ recordingSid, index, failures: this.#storeFailures, pauseMs, reason }, "segment not stored");
    await this.#putOff(segment, clock.now(), null);
  }

  #putOff(segment: WaitingSegment, until: Date, reason: string | null): Promise<void> {
    return this.#written(() => this.#deps.queue.putOff(segment, { until, reason }));
  }

  /** Retries until stored: a claim of ours that is not given back would stay ours until this process ends. */
  async #written<Outcome>(write: () => Promise<Outcome>): Promise<Outcome> {
    const { clock, log } = this.#deps;
    for (let failures = 1; ; failures++) {
      try {
        return await write();
      } catch (fault) {
        if (this.#isClosed) throw fault;
        log.warn({ failures, reason: (fault as Error).message }, "what became of a segment is not stored yet");
        await new Promise<void>((resolve) => void clock.after(backoffMs(WRITING, failures), resolve));
      }
    }
  }

  /** Also removes files that a process left behind when it died. */
  async #removeRaw(): Promise<void> {
    const { queue, encoder } = this.#deps;
    const rawFiles = await queue.needlessRawFiles();
    for (const rawFile of rawFiles) {
      await encoder.discard(rawFile);
      await encoder.discardRaw(rawFile);
    }
    if (rawFiles.length > 0) await queue.rawRemoved(rawFiles);
  }
}
