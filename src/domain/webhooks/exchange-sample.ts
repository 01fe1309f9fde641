// Decides which exchanges are stored with their headers: every one that failed, and a limited number of the others in
// each second. So the exchanges are usually there for inspection, and their cost is bounded.

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
