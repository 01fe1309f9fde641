// Sends spans to an OpenTelemetry collector, as OTLP over HTTP in JSON. Guarantees: nothing waits for the collector.
// While it is away, spans beyond a bounded queue are dropped; the log says so once, and once when it is back.

import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Log } from "../../base/log.ts";
import type { Span, SpanSink } from "./span.ts";

export interface OtlpOrder {
  readonly url: string;
  /** Of the resource: what sends the spans. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly log: Log;
}

export interface OtlpSink extends SpanSink {
  /** Sends what waits, for a bounded time. */
  close(): Promise<void>;
}

const QUEUE_MAX = 8_192;
const BATCH_MAX = 512;
const SEND_EVERY_MS = 1_000;
const SEND_MS = 5_000;
const CLOSE_MS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  consumer: SpanKind.CONSUMER,
} as const;

export function openOtlpSink({ url, attributes, log }: OtlpOrder): OtlpSink {
  const resource = resourceFromAttributes(attributes);
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_MS });
  const processor = new BatchSpanProcessor(loggedOnce(exporter, log), {
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: 2 * SEND_MS,
  });
  return {
    add: (span) => processor.onEnd(readable(span, resource)),
    close: () =>
      new Promise((resolve) => {
        setTimeout(resolve, CLOSE_MS).unref();
        // The log has the fault of the last batch.
        void processor.shutdown().then(resolve, () => resolve());
      }),
  };
}

function loggedOnce(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) log.warn({ reason: result.error?.message ?? "" }, "traces not sent");
        if (!hasFailed && isFailing) log.info({}, "traces are sent again");
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function readable(span: Span, resource: Resource): ReadableSpan {
  const { name, kind, startMs, endMs, attributes, fault } = span;
  const context = contextOf(span.traceId, span.spanId);
  return {
    ...{ name, kind: KINDS[kind], attributes, resource },
    spanContext: () => context,
    ...(span.parentSpanId !== undefined && { parentSpanContext: contextOf(span.traceId, span.parentSpanId) }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    status: fault === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: fault },
    ...{ links: [], events: [], ended: true, instrumentationScope: { name: "tandem" } },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  };
}

function contextOf(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
