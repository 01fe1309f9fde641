// Figures for Prometheus. Counting must cost next to nothing: label sets are made once and reused.

import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { LookupSource } from "../domain/lookup/index.ts";
import type { Attempt } from "../domain/webhooks/index.ts";

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<"operation" | "status">;
  readonly #lookups: Counter<"source">;
  readonly #providers: Counter<"provider" | "outcome">;
  readonly #attempts: Counter<"answer">;
  readonly #deliveries: Counter<"outcome">;
  readonly #deliveryLag: Histogram;
  readonly #observers = new Map<string, (seconds: number) => void>();

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: "tandem_http_request_seconds",
      help: "Requests by operation and status class, with the time they took.",
      labelNames: ["operation", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.#registry],
    });
    this.#lookups = new Counter({
      name: "tandem_lookups_total",
      help: "Lookups by the source that answered.",
      labelNames: ["source"],
      registers: [this.#registry],
    });
    this.#providers = new Counter({
      name: "tandem_lookup_provider_asks_total",
      help: "Questions to live lookup providers by outcome.",
      labelNames: ["provider", "outcome"],
      registers: [this.#registry],
    });
    this.#attempts = new Counter({
      name: "tandem_webhook_attempts_total",
      help: "Attempts at webhook deliveries by what the receiver answered.",
      labelNames: ["answer"],
      registers: [this.#registry],
    });
    this.#deliveries = new Counter({
      name: "tandem_webhook_deliveries_total",
      help: "What became of webhook deliveries after an attempt.",
      labelNames: ["outcome"],
      registers: [this.#registry],
    });
    this.#deliveryLag = new Histogram({
      name: "tandem_webhook_first_attempt_lag_seconds",
      help: "Time from an event to the first attempt at telling of it.",
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers: [this.#registry],
    });
  }

  request(operation: string, status: number, seconds: number): void {
    const statusClass = `${Math.floor(status / 100)}xx`;
    const key = `${operation} ${statusClass}`;
    let observe = this.#observers.get(key);
    if (!observe) {
      const child = this.#requests.labels(operation, statusClass);
      observe = (value) => child.observe(value);
      this.#observers.set(key, observe);
    }
    observe(seconds);
  }

  lookup(source: LookupSource): void {
    this.#lookups.inc({ source });
  }

  providerAsked(provider: string, outcome: string): void {
    this.#providers.inc({ provider, outcome });
  }

  delivery(outcome: string, attempts: readonly Attempt[], firstAttemptLagMs: number | undefined): void {
    this.#deliveries.inc({ outcome });
    for (const { status, failure } of attempts) {
      const answer = status === null ? (failure?.split(":", 1)[0] ?? "none") : `${Math.floor(status / 100)}xx`;
      this.#attempts.inc({ answer });
    }
    if (firstAttemptLagMs !== undefined) this.#deliveryLag.observe(firstAttemptLagMs / 1000);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
