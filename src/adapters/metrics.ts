// Figures for Prometheus. Counting must cost next to nothing: label sets are made once and reused.

import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { LookupSource } from "../domain/lookup/index.ts";

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<"operation" | "status">;
  readonly #lookups: Counter<"source">;
  readonly #providers: Counter<"provider" | "outcome">;
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

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
