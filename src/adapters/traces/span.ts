// A span that has ended, and where it goes.

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  readonly name: string;
  readonly kind: "server" | "client" | "internal" | "consumer";
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** By PostgreSQL's clock, in ms. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Why it failed; undefined when it did not. */
  readonly fault: string | undefined;
}

export interface SpanSink {
  /** Never waits and never throws: spans beyond a limit are dropped. */
  add(span: Span): void;
}
