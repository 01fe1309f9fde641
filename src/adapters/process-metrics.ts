// Metrics of this process for Prometheus: its version, its connections to the database, what it alone does, and how
// many processes there are beside it. Gauges are updated when the metrics are read.

import { Counter, Gauge, type Registry } from "prom-client";
import type { Node } from "../domain/nodes.ts";

/** The connections of a pool, and how often PostgreSQL could not be used since the start. */
export interface PoolLoad {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  readonly unavailable: number;
}

/** `own`: the sid of this process. */
interface NodesRead {
  readonly nodes: readonly Node[];
  readonly own: string;
}

const LEASES: readonly Node["leases"][number][] = ["Sending", "Webhooks", "Calls"];
const STATES: readonly Node["state"][] = ["Starting", "Ready", "Draining", "Silent"];

export class ProcessMetrics {
  readonly #pools = new Map<string, () => PoolLoad>();
  #version = "";
  #readNodes: () => Promise<NodesRead | undefined> = async () => undefined;
  #reading: Promise<NodesRead | undefined> | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    const pools = () => [...this.#pools].map(([pool, read]) => ({ pool, load: read() }));
    const version = () => this.#version;
    const nodes = () => this.#nodes();
    new Gauge({
      name: "tandem_build_info",
      help: "1, with the version of this process.",
      labelNames: ["version"],
      registers,
      collect() {
        this.set({ version: version() }, 1);
      },
    });
    new Gauge({
      name: "tandem_database_connections",
      help: "Open connections of the pools of this process.",
      labelNames: ["pool", "state"],
      registers,
      collect() {
        for (const { pool, load } of pools()) {
          this.set({ pool, state: "busy" }, load.open - load.idle);
          this.set({ pool, state: "idle" }, load.idle);
        }
      },
    });
    new Gauge({
      name: "tandem_database_waiting",
      help: "What waits for a connection of a pool.",
      labelNames: ["pool"],
      registers,
      collect() {
        for (const { pool, load } of pools()) this.set({ pool }, load.waiting);
      },
    });
    new Counter({
      name: "tandem_database_unavailable_total",
      help: "Statements and transactions that failed because PostgreSQL could not be used or did not answer in time.",
      labelNames: ["pool"],
      registers,
      collect() {
        this.reset();
        for (const { pool, load } of pools()) this.inc({ pool }, load.unavailable);
      },
    });
    new Gauge({
      name: "tandem_leases",
      help: "1 for what this process does: sending, its slots of webhooks, calls.",
      labelNames: ["lease"],
      registers,
      async collect() {
        this.reset();
        const read = await nodes();
        const held = read?.nodes.find(({ sid }) => sid === read.own)?.leases ?? [];
        if (read) for (const lease of LEASES) this.set({ lease }, held.includes(lease) ? 1 : 0);
      },
    });
    new Gauge({
      name: "tandem_nodes",
      help: "The processes that serve the database, by their state.",
      labelNames: ["state"],
      registers,
      async collect() {
        this.reset();
        const read = await nodes();
        if (!read) return;
        for (const state of STATES) this.set({ state }, read.nodes.filter((node) => node.state === state).length);
      },
    });
  }

  /** They are read once for all gauges of a scrape. */
  #nodes(): Promise<NodesRead | undefined> {
    this.#reading ??= this.#readNodes()
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  setVersion(version: string): void {
    this.#version = version;
  }

  watchPool(pool: string, read: () => PoolLoad): void {
    this.#pools.set(pool, read);
  }

  /** `own`: the sid of this process. */
  readNodesBy(own: string, read: () => Promise<readonly Node[]>): void {
    this.#readNodes = async () => ({ own, nodes: await read() });
  }
}
