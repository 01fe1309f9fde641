// The load of both clients: keeps a window full for a while and counts the answers. The last line has the submits per
// second and the CPU time of each.

export const WINDOW = 100;
export const FROM = "+14155550100";
export const TO = "+14155550123";
export const TEXT = "Your parcel arrives today between 14:00 and 16:00. Reply STOP to get no more of these.";

const WARM_UP_MS = 1500;
const MEASURED_MS = 4000;

export class Load {
  #answers = 0;
  #startMs = performance.now();
  #cpu = process.cpuUsage();
  #isWarm = false;

  /** Counts an answer; returns false when the measurement is over. */
  answered(): boolean {
    this.#answers++;
    if (this.#answers % 64 !== 0) return true;
    const ms = performance.now() - this.#startMs;
    if (!this.#isWarm && ms > WARM_UP_MS) {
      this.#isWarm = true;
      this.#answers = 0;
      this.#startMs = performance.now();
      this.#cpu = process.cpuUsage();
      return true;
    }
    if (ms < MEASURED_MS) return true;
    const { user, system } = process.cpuUsage(this.#cpu);
    const perSecond = Math.round(this.#answers / (ms / 1000));
    console.log(JSON.stringify({ perSecond, cpuUs: Math.round(((user + system) / this.#answers) * 100) / 100 }));
    return false;
  }
}
