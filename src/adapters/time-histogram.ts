// A cheap histogram of durations for Prometheus: an array of buckets for each set of labels, summed when it is read.

import type { Histogram, Registry } from "prom-client";

/** The counts of one set of labels. */
export interface Counts<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  /** One for each bound, and one for durations beyond the last. */
  readonly buckets: Float64Array;
  sum: number;
}

export class TimeHistogram<Label extends string> {
  readonly #labelNames: readonly Label[];
  readonly #bounds: readonly number[];
  readonly #counts = new Map<string, Counts<Label>>();

  constructor(
    registry: Registry,
    {
      name,
      help,
      labelNames,
      bounds,
    }: Readonly<{ name: string; help: string; labelNames: readonly Label[]; bounds: readonly number[] }>,
  ) {
    this.#labelNames = labelNames;
    this.#bounds = bounds;
    const read = {
      name,
      help,
      type: "histogram",
      aggregator: "sum",
      get: async () => ({ name, help, type: "histogram", values: this.#values(name) }),
    };
    // The registry uses no other members of a metric.
    registry.registerMetric(read as unknown as Histogram);
  }

  /** Callers that count often keep the result. */
  of(...labels: readonly string[]): Counts<Label> {
    const key = labels.join(" ");
    const known = this.#counts.get(key);
    if (known) return known;
    const named = Object.fromEntries(this.#labelNames.map((name, index) => [name, labels[index] ?? ""]));
    const buckets = new Float64Array(this.#bounds.length + 1);
    const counts = { labels: named as Record<Label, string>, buckets, sum: 0 };
    this.#counts.set(key, counts);
    return counts;
  }

  observe(seconds: number, counts: Counts<Label>): void {
    let at = 0;
    while (at < this.#bounds.length && seconds > (this.#bounds[at] as number)) at++;
    counts.buckets[at] = (counts.buckets[at] ?? 0) + 1;
    counts.sum += seconds;
  }

  #values(name: string): readonly object[] {
    return [...this.#counts.values()].flatMap(({ labels, buckets, sum }) => {
      let count = 0;
      const values: object[] = Array.from(buckets, (own, index) => {
        count += own;
        return { metricName: `${name}_bucket`, labels: { le: this.#bounds[index] ?? "+Inf", ...labels }, value: count };
      });
      values.push(
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      );
      return values;
    });
  }
}
