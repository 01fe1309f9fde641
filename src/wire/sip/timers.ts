// The timer values of RFC 3261 17 (table 4).

export interface SipTimers {
  /** Round-trip time estimate. */
  readonly t1Ms: number;
  /** Longest interval between retransmissions of anything but an INVITE request. */
  readonly t2Ms: number;
  /** How long a message may stay in the network. */
  readonly t4Ms: number;
}

export const SIP_TIMERS: SipTimers = { t1Ms: 500, t2Ms: 4000, t4Ms: 5000 };

export const NEVER_MS = Number.POSITIVE_INFINITY;

/** Timers B, F, H, J, L and M. */
export function transactionMs({ t1Ms }: SipTimers): number {
  return 64 * t1Ms;
}
