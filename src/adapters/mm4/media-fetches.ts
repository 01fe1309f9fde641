// Fetches the media of outgoing messages side by side, in places that accounts share.
//
// Guarantees: at most `places` fetches at a time, and for one account a quarter of them. A fetch waits for at most one
// fetch of each other account for each place (fair-places.ts). A message needs all of its media: when one is refused,
// or they come to more than the carrier takes, its other fetches end and free their places.

import { FairPlaces } from "../../base/fair-places.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Media, MediaFetcher, Outgoing } from "../../domain/messaging/index.ts";

export interface FetchLimits {
  readonly places: number;
  /** All media of a message together. */
  readonly octetsMax: number;
}

/** An account may have one in so many places. */
const ACCOUNT_SHARE = 4;

export class MediaFetches {
  readonly #fetcher: MediaFetcher;
  readonly #octetsMax: number;
  readonly #places: FairPlaces;

  constructor(fetcher: MediaFetcher, { places, octetsMax }: FetchLimits) {
    this.#fetcher = fetcher;
    this.#octetsMax = octetsMax;
    this.#places = new FairPlaces({ places, placesPerAccount: Math.ceil(places / ACCOUNT_SHARE) });
  }

  /** Aborting `giveUp` ends it early; it is aborted here when the media are refused. */
  async fetchAll(
    { accountSid, mediaUrls }: Pick<Outgoing, "accountSid" | "mediaUrls">,
    giveUp: AbortController,
  ): Promise<Result<readonly Media[], string>> {
    let octets = 0;
    let refusal = "The media were given up.";
    const refuse = (url: string, detail: string) => {
      refusal = `${url}: ${detail}`;
      giveUp.abort();
    };
    const fetchOne = (url: string) =>
      this.#inPlace(accountSid, giveUp, async () => {
        const got = await this.#fetcher.fetch(url, giveUp.signal);
        if (giveUp.signal.aborted) return undefined;
        if (!got.ok) {
          refuse(url, got.refusal.detail);
          return undefined;
        }
        octets += got.value.bytes.length;
        if (octets > this.#octetsMax)
          refuse(url, `The carrier takes ${this.#octetsMax} bytes at most, and this is more.`);
        return got.value;
      });
    const media = await Promise.all(mediaUrls.map(fetchOne));
    return giveUp.signal.aborted ? refused(refusal) : ok(media.filter((one) => one !== undefined));
  }

  /** Does nothing when it is given up before it begins. What fails is given up before its place is free. */
  async #inPlace<Value>(
    account: string,
    giveUp: AbortController,
    work: () => Promise<Value>,
  ): Promise<Value | undefined> {
    const isGiven = await this.#places.take(account, giveUp.signal).then(
      () => true,
      () => false,
    );
    if (!isGiven) return undefined;
    try {
      return giveUp.signal.aborted ? undefined : await work();
    } catch (error) {
      giveUp.abort();
      throw error;
    } finally {
      this.#places.release(account);
    }
  }
}
