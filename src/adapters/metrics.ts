// Metrics for Prometheus. Counting must cost next to nothing: label sets are made once and reused.

import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { LookupSource } from "../domain/lookup/index.ts";
import { isUp, type LinkState } from "../domain/messaging/index.ts";
import type { Backlog, DeliveryReport } from "../domain/webhooks/index.ts";
import { ProcessMetrics } from "./process-metrics.ts";
import { type Counts, TimeHistogram } from "./time-histogram.ts";

export interface LinkFigures {
  readonly name: string;
  readonly carrier: string;
  readonly kind: string;
  readonly state: LinkState["kind"];
  readonly since: Date;
}

export interface ReconcileFigures {
  readonly name: string;
  readonly ageMs: number;
  readonly outcome: "Done" | "Failed";
}

const ENDPOINT = "`endpoint` says whether the receiver's attempt before had failed.";

interface Tally {
  readonly child: { inc(count: number): void };
  count: number;
}

interface QueueFigures {
  readonly due: number;
  readonly later: number;
  /** How long the oldest due message has waited. */
  readonly oldestMs: number;
  /** The accounts with the most messages that wait, and how many. */
  readonly top: readonly (readonly [account: string, count: number])[];
}

export class Metrics {
  readonly #registry = new Registry();
  readonly process = new ProcessMetrics(this.#registry);
  readonly #requests: TimeHistogram<"operation" | "status">;
  /** By operation and status class (2xx, 4xx). */
  readonly #requestCounts = new Map<string, Counts<"operation" | "status">[]>();
  readonly #lookups: Counter<"source">;
  readonly #providers: Counter<"provider" | "why">;
  readonly #submits: Counter<"link" | "outcome">;
  readonly #inbound = new Counter({
    name: "tandem_inbound_messages_total",
    help: "Messages taken from carriers; of a long text every part counts.",
    labelNames: ["link", "kind"],
    registers: [this.#registry],
  });
  readonly #receipts = new Counter({
    name: "tandem_receipts_total",
    help: "Receipts taken from carriers, by what they say.",
    labelNames: ["carrier", "state"],
    registers: [this.#registry],
  });
  readonly #linkUp = new Gauge({
    name: "tandem_link_up",
    help: "1 for a link that is bound, or throttled; shown by the process that keeps the links.",
    labelNames: ["link", "carrier", "kind"],
    registers: [this.#registry],
  });
  readonly #linkState = new Gauge({
    name: "tandem_link_state",
    help: "1 for the present state of a link.",
    labelNames: ["link", "state"],
    registers: [this.#registry],
  });
  readonly #linkSince = new Gauge({
    name: "tandem_link_since_timestamp_seconds",
    help: "Since when a link is up, or is not.",
    labelNames: ["link"],
    registers: [this.#registry],
  });
  readonly #queueDepth = new Gauge({
    name: "tandem_message_queue_depth",
    help: "Messages that wait, of all processes, counted every few seconds. now: they are due; later: scheduled, held, or to be tried again.",
    labelNames: ["when"],
    registers: [this.#registry],
  });
  readonly #oldestMessage = new Gauge({
    name: "tandem_message_oldest_due_seconds",
    help: "For how long the oldest message that may be sent has waited, by the same count; 0 when none waits.",
    registers: [this.#registry],
  });
  readonly #queueByAccount = new Gauge({
    name: "tandem_message_queue_by_account",
    help: "Messages that wait, of the ten accounts that have the most, by the same count.",
    labelNames: ["account"],
    registers: [this.#registry],
  });
  readonly #reconcileAge = new Gauge({
    name: "tandem_reconcile_age_seconds",
    help: "Time since the last run of a reconcile; one that finds nothing to do is noted once a minute.",
    labelNames: ["reconcile"],
    registers: [this.#registry],
  });
  readonly #reconcileFailing = new Gauge({
    name: "tandem_reconcile_failing",
    help: "1 when the last run of a reconcile failed.",
    labelNames: ["reconcile"],
    registers: [this.#registry],
  });
  readonly #attempts: Counter<"answer" | "endpoint">;
  readonly #deliveries: Counter<"outcome" | "endpoint">;
  readonly #deliveryLag: TimeHistogram<"endpoint">;
  readonly #refusalsDropped: Counter;
  readonly #due: Gauge;
  readonly #oldestDue: Gauge;
  /** What was counted since the metrics were read: by counter, and by its labels. */
  readonly #tallies = new Map<unknown, Map<string, Map<string, Tally>>>();
  #hasDefaults = false;
  #readBacklog: (() => Promise<Backlog>) | undefined;
  #readLinks: () => readonly LinkFigures[] = () => [];
  #readQueue: () => QueueFigures | undefined = () => undefined;
  #readReconciles: () => Promise<readonly ReconcileFigures[]> = async () => [];

  constructor() {
    this.#requests = new TimeHistogram(this.#registry, {
      name: "tandem_http_request_seconds",
      help: "Requests by operation and status class, with the time they took.",
      labelNames: ["operation", "status"],
      bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    });
    this.#lookups = new Counter({
      name: "tandem_lookups_total",
      help: "Lookups by the source that answered.",
      labelNames: ["source"],
      registers: [this.#registry],
    });
    this.#providers = new Counter({
      name: "tandem_lookup_provider_failures_total",
      help: "Questions that live lookup providers did not answer, by the reason.",
      labelNames: ["provider", "why"],
      registers: [this.#registry],
    });
    this.#submits = new Counter({
      name: "tandem_message_submits_total",
      help: "Messages given to links, by what became of them.",
      labelNames: ["link", "outcome"],
      registers: [this.#registry],
    });
    this.#attempts = new Counter({
      name: "tandem_webhook_attempts_total",
      help: `Attempts at webhook deliveries by what the receiver answered. ${ENDPOINT}`,
      labelNames: ["answer", "endpoint"],
      registers: [this.#registry],
    });
    this.#deliveries = new Counter({
      name: "tandem_webhook_deliveries_total",
      help: `What became of webhook deliveries after an attempt. ${ENDPOINT}`,
      labelNames: ["outcome", "endpoint"],
      registers: [this.#registry],
    });
    this.#deliveryLag = new TimeHistogram(this.#registry, {
      name: "tandem_webhook_first_attempt_lag_seconds",
      help: `Time from an event to the first attempt at telling of it. ${ENDPOINT}`,
      labelNames: ["endpoint"],
      bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    });
    this.#refusalsDropped = new Counter({
      name: "tandem_refused_requests_dropped_total",
      help: "Refused requests that were too many to be kept for GET /v1/Requests.",
      registers: [this.#registry],
    });
    this.#due = new Gauge({
      name: "tandem_webhook_deliveries_due",
      help: "Webhook deliveries that are due and that nobody has begun, of all processes; not counted beyond 10,000.",
      registers: [this.#registry],
    });
    this.#oldestDue = new Gauge({
      name: "tandem_webhook_oldest_due_seconds",
      help: "For how long the oldest of them has been due; 0 when nothing is.",
      registers: [this.#registry],
    });
  }

  /** For parts that register metrics of their own. */
  get registry(): Registry {
    return this.#registry;
  }

  request(operation: string, status: number, seconds: number): void {
    const hundreds = Math.floor(status / 100);
    const byHundreds = this.#requestCounts.get(operation) ?? [];
    const known = byHundreds[hundreds];
    const counts = known ?? this.#requests.of(operation, `${hundreds}xx`);
    if (!known) {
      byHundreds[hundreds] = counts;
      this.#requestCounts.set(operation, byHundreds);
    }
    this.#requests.observe(seconds, counts);
  }

  lookup(source: LookupSource): void {
    this.#tally(this.#lookups, source);
  }

  providerFailed(provider: string, why: string): void {
    this.#providers.inc({ provider, why });
  }

  submitted(link: string, outcome: string): void {
    this.#tally(this.#submits, link, outcome);
  }

  received(link: string, kind: "sms" | "mms"): void {
    this.#tally(this.#inbound, link, kind);
  }

  receipt(carrier: string, state: string): void {
    this.#tally(this.#receipts, carrier, state);
  }

  delivery({ tried, endpoint, firstAttemptLagMs }: DeliveryReport): void {
    this.#tally(this.#deliveries, tried.outcome, endpoint);
    for (const { status, failure } of tried.settled.attempts) {
      const answer = status === null ? (failure?.split(":", 1)[0] ?? "none") : `${Math.floor(status / 100)}xx`;
      this.#tally(this.#attempts, answer, endpoint);
    }
    if (firstAttemptLagMs !== undefined)
      this.#deliveryLag.observe(firstAttemptLagMs / 1000, this.#deliveryLag.of(endpoint));
  }

  refusalsDropped(count: number): void {
    this.#refusalsDropped.inc(count);
  }

  /** Counts here and adds to the counters when the metrics are read: that is ten times cheaper. */
  #tally<Label extends string>(counter: Counter<Label>, first: string, second = ""): void {
    const tally = this.#tallies.get(counter)?.get(first)?.get(second);
    if (tally) tally.count++;
    else this.#beginTally(counter, first, second);
  }

  #beginTally<Label extends string>(counter: Counter<Label>, first: string, second: string): void {
    const child = second === "" ? counter.labels(first) : counter.labels(first, second);
    const byFirst = this.#tallies.get(counter) ?? new Map<string, Map<string, Tally>>();
    const bySecond = byFirst.get(first) ?? new Map<string, Tally>();
    this.#tallies.set(counter, byFirst.set(first, bySecond.set(second, { child, count: 1 })));
  }

  /** `read` is called whenever the metrics are read. */
  readBacklogBy(read: () => Promise<Backlog>): void {
    this.#readBacklog = read;
  }

  readLinksBy(read: () => readonly LinkFigures[]): void {
    this.#readLinks = read;
  }

  readQueueBy(read: () => QueueFigures | undefined): void {
    this.#readQueue = read;
  }

  readReconcilesBy(read: () => Promise<readonly ReconcileFigures[]>): void {
    this.#readReconciles = read;
  }

  async text(): Promise<string> {
    this.#collectDefaults();
    for (const byFirst of this.#tallies.values())
      for (const bySecond of byFirst.values()) for (const { child, count } of bySecond.values()) child.inc(count);
    this.#tallies.clear();
    const backlog = await this.#readBacklog?.().catch(() => undefined);
    // An unknown backlog must not show as zero.
    this.#due.set(backlog?.count ?? Number.NaN);
    this.#oldestDue.set(backlog ? backlog.oldestMs / 1000 : Number.NaN);
    this.#setLinks();
    const depth = this.#readQueue();
    this.#queueDepth.set({ when: "now" }, depth?.due ?? Number.NaN);
    this.#queueDepth.set({ when: "later" }, depth?.later ?? Number.NaN);
    this.#oldestMessage.set(depth ? depth.oldestMs / 1000 : Number.NaN);
    this.#queueByAccount.reset();
    for (const [account, count] of depth?.top ?? []) this.#queueByAccount.set({ account }, count);
    await this.#setReconciles();
    return this.#registry.metrics();
  }

  /** Resets the gauges first: this process may no longer have those links, and a link has one state. */
  #setLinks(): void {
    for (const gauge of [this.#linkUp, this.#linkState, this.#linkSince]) gauge.reset();
    for (const { name, carrier, kind, state, since } of this.#readLinks()) {
      this.#linkUp.set({ link: name, carrier, kind }, isUp({ kind: state }) ? 1 : 0);
      this.#linkState.set({ link: name, state }, 1);
      this.#linkSince.set({ link: name }, since.getTime() / 1000);
    }
  }

  /** Starts with the first read, because the delay of the event loop is then measured a hundred times a second. */
  #collectDefaults(): void {
    if (this.#hasDefaults) return;
    this.#hasDefaults = true;
    collectDefaultMetrics({ register: this.#registry });
  }

  async #setReconciles(): Promise<void> {
    this.#reconcileAge.reset();
    this.#reconcileFailing.reset();
    for (const { name, ageMs, outcome } of await this.#readReconciles().catch(() => [])) {
      this.#reconcileAge.set({ reconcile: name }, ageMs / 1000);
      this.#reconcileFailing.set({ reconcile: name }, outcome === "Failed" ? 1 : 0);
    }
  }
}
