// Metrics of voice for Prometheus. Gauges are updated when the metrics are read.

import { Counter, Gauge, type Registry } from "prom-client";
import type { Call } from "../domain/voice/index.ts";

export interface VoiceFigures {
  readonly calls: number;
  readonly freePorts: number;
  /** Reason → how many messages of senders that are not trunks were dropped since the start. */
  readonly drops: Readonly<Record<string, number>>;
  readonly trunks: readonly { readonly name: string; readonly isUp: boolean }[];
  /** What SIP holds open. */
  readonly open: { readonly transactions: number; readonly legs: number; readonly requests: number };
}

export class VoiceMetrics {
  readonly #ended: Counter<"direction" | "reason">;
  readonly #seconds: Counter<"direction">;
  readonly #recordingFaults: Counter;

  constructor(registry: Registry, read: () => VoiceFigures) {
    const registers = [registry];
    this.#ended = new Counter({
      name: "tandem_calls_ended_total",
      help: "Calls of this process that have ended, by the reason.",
      labelNames: ["direction", "reason"],
      registers,
    });
    this.#seconds = new Counter({
      name: "tandem_call_seconds_total",
      help: "For how long parties of ended calls were connected.",
      labelNames: ["direction"],
      registers,
    });
    this.#recordingFaults = new Counter({
      name: "tandem_recording_faults_total",
      help: "Ended calls of which audio could not be written: the disk is full or broken.",
      registers,
    });
    new Gauge({
      name: "tandem_calls",
      help: "Calls of this process that are under way.",
      registers,
      collect() {
        this.set(read().calls);
      },
    });
    new Gauge({
      name: "tandem_rtp_port_pairs_free",
      help: "How many more parties may have audio.",
      registers,
      collect() {
        this.set(read().freePorts);
      },
    });
    new Gauge({
      name: "tandem_sip_open",
      help: "Transactions and legs of SIP that are not over.",
      labelNames: ["kind"],
      registers,
      collect() {
        for (const [kind, count] of Object.entries(read().open)) this.set({ kind }, count);
      },
    });
    new Gauge({
      name: "tandem_sip_strangers_dropped",
      help: "Messages of senders that are no trunks, dropped since the start, by the reason.",
      labelNames: ["reason"],
      registers,
      collect() {
        for (const [reason, count] of Object.entries(read().drops)) this.set({ reason }, count);
      },
    });
    new Gauge({
      name: "tandem_trunk_up",
      help: "1 while a trunk answers.",
      labelNames: ["trunk"],
      registers,
      collect() {
        for (const { name, isUp } of read().trunks) this.set({ trunk: name }, isUp ? 1 : 0);
      },
    });
  }

  ended({ direction, endReason, answeredOn, completedOn, recording }: Call): void {
    this.#ended.inc({ direction, reason: endReason ?? "none" });
    if (recording && recording.fault !== null) this.#recordingFaults.inc();
    if (answeredOn && completedOn) {
      this.#seconds.inc({ direction }, Math.max(0, completedOn.getTime() - answeredOn.getTime()) / 1000);
    }
  }
}
