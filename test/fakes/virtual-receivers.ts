// Webhook receivers on virtual time, and their random behaviour: respond with success, fail now and then, hang, are
// down for days and send Retry-After, answer 410 from some time on, or always fail.

import { type Clock, pause } from "../../src/base/clock.ts";
import type { PostOrder, PostOutcome } from "../../src/domain/webhooks/index.ts";
import type { Chance } from "./chance.ts";

export interface SeenPost {
  readonly subscriptionSid: string;
  readonly deliverySid: string;
  readonly isBackup: boolean;
  readonly startMs: number;
  endMs: number;
  /** Undefined until there is a response; null when there never is. */
  status: number | null | undefined;
  retryAfterMs: number | undefined;
}

export const RECEIVER_KINDS = ["well", "flaky", "hanging", "out", "leaving", "dead"] as const;
export type ReceiverKind = (typeof RECEIVER_KINDS)[number];

interface Conduct {
  /** Null: no response. */
  readonly status: number | null;
  readonly retryAfterMs?: number;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

export class VirtualReceivers {
  readonly posts: SeenPost[] = [];
  readonly #clock: Clock;
  readonly #chance: Chance;
  /** By URL. */
  readonly #conducts = new Map<string, () => Conduct>();

  constructor(clock: Clock, chance: Chance) {
    this.#clock = clock;
    this.#chance = chance;
  }

  /** Returns its URL. */
  add(host: string, kind: ReceiverKind): string {
    const url = `https://${host}/`;
    this.#conducts.set(url, this.#conductOf(kind));
    return url;
  }

  async post({ url, headers, deadlineMs }: PostOrder, told: (post: SeenPost) => void): Promise<PostOutcome> {
    const post: SeenPost = {
      subscriptionSid: url.slice(8, 11).toUpperCase(),
      deliverySid: headers["x-request-id"] as string,
      isBackup: url.includes("backup"),
      startMs: this.#clock.now().getTime(),
      endMs: Number.POSITIVE_INFINITY,
      status: undefined,
      retryAfterMs: undefined,
    };
    this.posts.push(post);
    const { status, retryAfterMs } = (this.#conducts.get(url) as () => Conduct)();
    const ms = status === null ? deadlineMs : this.#chance.integer(2, 300);
    await pause(this.#clock, ms);
    Object.assign(post, { endMs: this.#clock.now().getTime(), status, retryAfterMs });
    told(post);
    const failure = status === null ? "timeout: no answer" : null;
    return { status, failure, ms, answer: new Uint8Array(), isCut: false, contentType: null, retryAfterMs };
  }

  #conductOf(kind: ReceiverKind): () => Conduct {
    const chance = this.#chance;
    const well = { status: 200 };
    const beginsMs = chance.integer(0, 4 * DAY);
    const endsMs = beginsMs + chance.integer(HOUR, 3 * DAY);
    const isOut = () => this.#clock.elapsedMs() >= beginsMs && this.#clock.elapsedMs() < endsMs;
    const patienceMs = chance.oneOf([20 * SECOND, 2 * HOUR, 2 * DAY]);
    switch (kind) {
      case "well":
        return () => (chance.happens(0.02) ? { status: 500 } : well);
      case "flaky":
        return () => (chance.happens(0.5) ? { status: chance.oneOf([500, 502, 404, 301, null]) } : well);
      case "hanging":
        return () => (isOut() ? { status: null } : well);
      case "out":
        return () => (isOut() ? { status: 503, retryAfterMs: patienceMs } : well);
      case "leaving":
        return () => (this.#clock.elapsedMs() >= beginsMs ? { status: 410 } : well);
      case "dead":
        return () => ({ status: 500 });
    }
  }
}
