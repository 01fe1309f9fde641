// Says which exchanges are put on record with their headers: every one that failed, and of the others so many in a
// second. So whoever looks at a delivery finds them, and many deliveries cost no more than before.

export const KEPT_PER_SECOND = 50;

export class ExchangeSample {
  #second = 0;
  #kept = 0;

  takes(isSuccess: boolean, nowMs: number): boolean {
    if (!isSuccess) return true;
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) this.#kept = 0;
    this.#second = second;
    if (this.#kept >= KEPT_PER_SECOND) return false;
    this.#kept++;
    return true;
  }
}
