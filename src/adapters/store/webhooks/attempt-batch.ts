// Attempts at deliveries of one batch that ended together are one row, with a list for each column. What many of them
// share, such as the URL, is stored once.

import type { Attempt, SettledDelivery } from "../../../domain/webhooks/index.ts";
import { plainArray, textArray } from "../engine/array-text.ts";

type Shape = SettledDelivery["payloadShape"];

/** The attempts at deliveries of one batch, as lists. */
export class AttemptBatch {
  readonly batchSid: string;
  readonly #startMs: number;
  readonly #places: number[] = [];
  readonly #beganMs: number[] = [];
  readonly #tookMs: number[] = [];
  readonly #statuses: (number | null)[] = [];
  readonly #details: (number | null)[] = [];
  readonly #texts = new Map<string, number>();
  /** Most attempts have the same text as the one before. */
  #last: { readonly attempt: Attempt; readonly shape: Shape; readonly detail: number } | undefined;

  constructor(batchSid: string, startMs: number) {
    this.batchSid = batchSid;
    this.#startMs = startMs;
  }

  add(place: number, attempt: Attempt, shape: Shape): void {
    if (!this.#last || this.#last.shape !== shape || !haveSameText(this.#last.attempt, attempt))
      this.#last = { attempt, shape, detail: this.#detailOf(detailText(attempt, shape)) };
    this.#push(place, attempt.at.getTime(), attempt.ms, attempt.status, this.#last.detail);
  }

  /** It was canceled without an attempt. */
  addCanceled(place: number, atMs: number): void {
    this.#push(place, atMs, 0, null, null);
  }

  /** The values of `at` in ms, places, began_ms, took_ms, statuses, details, texts. */
  get values(): readonly [number, ...string[]] {
    const lists = [this.#places, this.#beganMs, this.#tookMs, this.#statuses, this.#details].map(plainArray);
    return [this.#startMs, ...lists, textArray([...this.#texts.keys()])];
  }

  #push(place: number, atMs: number, ms: number, status: number | null, detail: number | null): void {
    this.#places.push(place);
    this.#beganMs.push(atMs - this.#startMs);
    this.#tookMs.push(ms);
    this.#statuses.push(status);
    this.#details.push(detail);
  }

  #detailOf(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }
}

type AttemptText = Pick<Attempt, "url" | "failure" | "answer" | "exchange">;

function haveSameText(one: AttemptText, other: AttemptText): boolean {
  const isPlain = one.exchange === undefined && other.exchange === undefined;
  return isPlain && one.url === other.url && one.failure === other.failure && one.answer === other.answer;
}

/** Text, because no query searches it. */
function detailText({ url, failure, answer, exchange }: AttemptText, shape: Shape): string {
  return JSON.stringify({
    url,
    ...(failure !== null && { failure }),
    ...(answer !== null && { answer }),
    ...(exchange && { exchange }),
    ...(shape !== null && { shape }),
  });
}

export interface AttemptDetail extends Partial<AttemptText> {
  readonly url: string;
  /** The shape in which it was sent, where that is not the subscription's. */
  readonly shape?: Exclude<Shape, null>;
}
