// W3C Trace Context. A trace of ours has the digits of a sid, or of a request's id, as its id, and the span of the
// request that made a record the last 16 of them. So any process finds both from the sid, and neither is stored.

export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

/** The value of the header, if it is valid. */
export function readTraceparent(value: string | readonly string[] | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof value === "string" && TRACEPARENT.exec(value)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** The span of the request that made what has these digits. */
export function requestSpanOf(digits: string): string {
  return digits.slice(16);
}
