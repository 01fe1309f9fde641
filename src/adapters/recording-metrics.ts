// Metrics of recordings for Prometheus, of all processes: they are counted in the store when the metrics are read.

import { Gauge, type Registry } from "prom-client";

export interface RecordingFigures {
  /** Segments whose files are not ready yet. */
  readonly waiting: number;
  /** Recordings that were given up. */
  readonly failed: number;
}

export function addRecordingMetrics(registry: Registry, read: () => Promise<RecordingFigures>): void {
  const gauge = (name: string, help: string, figure: keyof RecordingFigures) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A figure that cannot be read must not show as 0.
        this.set(
          await read().then(
            (figures) => figures[figure],
            () => Number.NaN,
          ),
        );
      },
    });
  gauge("tandem_recordings_waiting", "Segments of recordings whose files are not ready yet.", "waiting");
  gauge("tandem_recordings_failed", "Recordings that were given up; an operator may have them tried again.", "failed");
}
