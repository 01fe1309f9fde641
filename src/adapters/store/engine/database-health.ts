// Answers health checks on a connection of its own. A check that had to wait for a connection of a busy pool would make
// the load balancer remove a process only because it has much to do, and give its load to the others.

import type { Log } from "../../../base/log.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { type ConnectionSettings, Database, type Queryable } from "./database.ts";

/** A health check is answered before load balancers time out. */
const PROBE_MS = 2_000;

export class DatabaseHealth implements Queryable {
  readonly #watched: Database;
  readonly #probing: Database;
  #underWay: Promise<string | undefined> | undefined;

  /** `watched` is the database as requests use it. */
  constructor(settings: ConnectionSettings, log: Log, watched: Database) {
    this.#watched = watched;
    this.#probing = new Database(settings, log, { connectionsMax: 1 });
  }

  /** For what a health check reads in addition. */
  readonly query: Queryable["query"] = (statement, values) => this.#probing.query(statement, values);

  /** Undefined when the database can be read and, as far as is known, written; otherwise what is wrong. */
  async fault(): Promise<string | undefined> {
    const askedMs = performance.now();
    // However many ask, the connection has one probe to answer.
    this.#underWay ??= this.#probe().finally(() => {
      this.#underWay = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string | undefined>((resolve) => {
      // A process that was held up sees the end of the time before the answer that has arrived meanwhile.
      timer = setTimeout(() => setImmediate(() => resolve(this.#faultSince(askedMs))), PROBE_MS);
    });
    const fault = await Promise.race([this.#underWay, late]);
    clearTimeout(timer);
    return fault;
  }

  close(): Promise<void> {
    return this.#probing.close();
  }

  async #probe(): Promise<string | undefined> {
    const askedMs = performance.now();
    try {
      await this.query("select 1");
      if (this.#watched.storageFault === undefined) return undefined;
      // Needs a new page, which a full disk does not have.
      await this.#probing.transaction((unit) =>
        unit.query("create temp table storage_probe on commit drop as select generate_series(1, 10000)"),
      );
      this.#watched.storageFault = undefined;
      return undefined;
    } catch (fault) {
      if (fault instanceof Unavailable) return this.#faultSince(askedMs);
      // Refused for another reason, such as a missing right: this does not show that storage is at fault.
      this.#watched.storageFault = undefined;
      return undefined;
    }
  }

  /**
   * What a check without an answer shows. A database that answers requests meanwhile is in reach: the machine is
   * overloaded, or there is no connection left for the check.
   */
  #faultSince(askedMs: number): string | undefined {
    const { storageFault, answeredMs } = this.#watched;
    if (storageFault !== undefined) return `not writable: ${storageFault}`;
    return answeredMs > askedMs ? undefined : "out of reach";
  }
}
