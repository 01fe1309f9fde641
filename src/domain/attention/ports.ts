// What findings are made of.

import type { Fact } from "./finding.ts";

export interface Minute {
  readonly at: Date;
  /** Messages accepted in this minute, and what has become of them. */
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly received: number;
  readonly calls: number;
}

export interface Traffic {
  /** The first minute that was counted: later than requested if there is too much to count. */
  readonly since: Date;
  /** Only minutes with activity, in no particular order. */
  readonly minutes: readonly Minute[];
}

export interface AttentionStore {
  factsOf(accountSid: string, now: Date): Promise<readonly Fact[]>;
  /** Facts of all accounts, and what waits for operators. `isByHand`: operators carry out port orders themselves. */
  factsOfAll(now: Date, isByHand: boolean): Promise<readonly Fact[]>;
  trafficOf(accountSid: string, from: Date): Promise<Traffic>;
}
