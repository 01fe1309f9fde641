// RFC 3550 A.1, A.3, A.8: how many packets of a peer were received and lost, and their jitter. Counts are kept across
// changes of the peer's source (SSRC).

/** A larger jump ahead is a restart, not a loss (RFC 3550 A.1). */
const DROPOUT_MAX = 3000;
const MISORDER_MAX = 100;

export class Reception {
  /** From the peer's reports; 0 without any. */
  roundTripMs = 0;
  #received = 0;
  #lost = 0;
  #jitter = 0;
  #ssrc = -1;
  #first = 0;
  #highest = 0;
  #receivedOfSource = 0;
  #lostBefore = 0;
  #transit: number | undefined;
  #expectedAtReport = 0;
  #receivedAtReport = 0;

  get ssrc(): number {
    return this.#ssrc;
  }

  /** In samples. */
  get jitter(): number {
    return this.#jitter;
  }

  get quality(): Quality {
    const jitterMs = this.#jitter / 8;
    const sent = this.#received + this.#lost;
    // One-way delay: half of the round trip, and a jitter buffer of twice the jitter and two packets.
    const delayMs = this.roundTripMs / 2 + 2 * jitterMs + 40;
    const mos = this.#received === 0 ? 1 : meanOpinion(delayMs, (this.#lost * 100) / sent);
    return {
      packetsReceived: this.#received,
      packetsLost: this.#lost,
      jitterMs: Math.round(jitterMs * 10) / 10,
      mos: Math.round(mos * 100) / 100,
    };
  }

  /** Includes the cycles of the sequence number, as in reports. */
  get highestSequence(): number {
    return this.#highest >>> 0;
  }

  /** `timestamp` only if it is the sampling time: not for events, whose timestamp is that of their beginning. */
  count(ssrc: number, sequence: number, timestamp: number | undefined, nowMs: number): void {
    this.#received++;
    const ahead = (sequence - this.#highest) & 0xffff;
    const isRestart = ssrc !== this.#ssrc || (ahead > DROPOUT_MAX && ahead < 0x10000 - MISORDER_MAX);
    if (isRestart) {
      this.#lostBefore = this.#lost;
      this.#ssrc = ssrc;
      this.#first = sequence;
      this.#highest = sequence;
      this.#receivedOfSource = 0;
      this.#transit = undefined;
      this.#expectedAtReport = 0;
      this.#receivedAtReport = 0;
    } else if (ahead <= DROPOUT_MAX) this.#highest += ahead;
    this.#receivedOfSource++;
    const lost = this.#highest - this.#first + 1 - this.#receivedOfSource;
    this.#lost = this.#lostBefore + Math.max(0, lost);
    if (timestamp !== undefined) this.#measure(timestamp, nowMs);
  }

  #measure(timestamp: number, nowMs: number): void {
    const transit = (Math.round(nowMs * 8) - timestamp) | 0;
    if (this.#transit !== undefined) {
      const difference = Math.abs((transit - this.#transit) | 0);
      this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }

  /** RFC 3550 A.3: packets lost since the last report, in 256ths, and in total. */
  report(): { readonly fractionLost: number; readonly lost: number } {
    const expected = this.#highest - this.#first + 1;
    const expectedSince = expected - this.#expectedAtReport;
    const lostSince = expectedSince - (this.#receivedOfSource - this.#receivedAtReport);
    this.#expectedAtReport = expected;
    this.#receivedAtReport = this.#receivedOfSource;
    const fractionLost =
      expectedSince > 0 && lostSince > 0 ? Math.min(255, Math.floor((lostSince * 256) / expectedSince)) : 0;
    return { fractionLost, lost: Math.max(0, expected - this.#receivedOfSource) };
  }
}

export interface Quality {
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  /** ITU-T G.107, 1 to 4.4; 1 when nothing was received. */
  readonly mos: number;
}

/** For a peer that never sent a packet. */
export const NO_QUALITY: Quality = { packetsReceived: 0, packetsLost: 0, jitterMs: 0, mos: 1 };

/** G.107 with the values of G.113 for G.711 with concealment: Ie 0, Bpl 25.1. */
export function meanOpinion(delayMs: number, lossPercent: number): number {
  const late = delayMs > 177.3 ? 0.11 * (delayMs - 177.3) : 0;
  const rating = Math.max(0, Math.min(100, 93.2 - 0.024 * delayMs - late - (95 * lossPercent) / (lossPercent + 25.1)));
  return Math.max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6);
}
