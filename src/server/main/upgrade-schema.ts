// Brings the schema up to date before anything else starts, in the open: an upgrade for which the disk has too little
// space is refused before it begins, and one that takes long tells every ten seconds that it goes on. Each step is a
// transaction, so a start after a kill begins with the step that was not finished.

import type pg from "pg";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import { applySchema, bytesToRewrite } from "../../adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../../adapters/store/schema/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { withClient } from "./with-client.ts";

export interface UpgradeOrder {
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: (step: string) => void;
  /** For the watch. */
  readonly settings: ConnectionSettings;
  /** Of the disk that the database is on; undefined where that is not known. */
  readonly freeBytes: number | undefined;
}

const TOLD_EVERY_MS = 10_000;
/** What the database grows by, measured (docs/decisions/0039): rows that are written twice are there three times. */
const SPACE_PER_BYTE = 2.5;
/** What PostgreSQL's own log may take besides. */
const LOG_BYTES = 1e9;

export async function upgradeSchema(client: pg.ClientBase, order: UpgradeOrder): Promise<void> {
  const rewrittenBytes = await bytesToRewrite(client, SCHEMA);
  if (rewrittenBytes > 0) {
    const neededBytes = rewrittenBytes * SPACE_PER_BYTE + LOG_BYTES;
    order.progress(`the upgrade of the database may need ${gigabytes(neededBytes)} GB of disk space`);
    refuseFullDisk(neededBytes, order.freeBytes);
  }
  const watch = new UpgradeWatch(order);
  try {
    const applied = await applySchema(client, SCHEMA, (step) => watch.begin(step));
    if (applied.length > 0) order.log.info({ applied }, "schema brought up to date");
  } finally {
    watch.stop();
  }
}

function refuseFullDisk(neededBytes: number, freeBytes = Number.POSITIVE_INFINITY): void {
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map(gigabytes);
  throw new Error(
    `The database cannot be upgraded: that needs ${needed} GB of disk space, and ${free} GB are free. Nothing was changed. Make room, and start again.`,
  );
}

/** Tells how long the present step has run, and how large the database is meanwhile. */
class UpgradeWatch {
  readonly #order: UpgradeOrder;
  #step: string | undefined;
  #cancel = (): void => undefined;

  constructor(order: UpgradeOrder) {
    this.#order = order;
  }

  begin(step: string): void {
    this.#cancel();
    this.#step = step;
    this.#order.progress(`upgrading the database (${step})`);
    this.#tellLater(step, this.#order.clock.elapsedMs());
  }

  stop(): void {
    this.#cancel();
    this.#step = undefined;
  }

  #tellLater(step: string, startMs: number): void {
    const { clock, progress, settings } = this.#order;
    this.#cancel = clock.after(TOLD_EVERY_MS, async () => {
      const bytes = await databaseBytes(settings).catch(() => undefined);
      if (this.#step !== step) return;
      const seconds = Math.round((clock.elapsedMs() - startMs) / 1000);
      const size = bytes === undefined ? "" : `, the database has ${gigabytes(bytes)} GB`;
      progress(`upgrading the database (${step}): for ${seconds} s${size}`);
      this.#tellLater(step, startMs);
    });
  }
}

/** Reads no table, so it does not wait for the upgrade. */
function databaseBytes(settings: ConnectionSettings): Promise<number> {
  return withClient(settings, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      "select pg_database_size(current_database())::text as bytes",
    );
    return Number(rows[0]?.bytes);
  });
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
