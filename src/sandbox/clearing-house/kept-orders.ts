// The clearing house's memory on disk, so that it outlives a restart: one small file an order, replaced as a whole. Without a directory
// nothing is kept. A file that cannot be read is an order that never was.

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HouseOrder } from "./order-book.ts";

export interface KeptOrders {
  /** Tells cursors of this memory from those of another. */
  readonly epoch: string;
  readonly orders: readonly HouseOrder[];
  keep(order: HouseOrder): void;
}

export function openKeptOrders(directory: string | undefined): KeptOrders {
  if (directory === undefined) return { epoch: randomUUID(), orders: [], keep: () => {} };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const replace = (name: string, content: unknown) => {
    const path = join(directory, name);
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  const known = read(join(directory, "epoch.json"));
  const epoch = typeof known === "string" ? known : randomUUID();
  if (known === undefined) replace("epoch.json", epoch);
  const names = readdirSync(directory).filter((name) => /^order-.+\.json$/.test(name));
  const orders = names.map((name) => read(join(directory, name)) as HouseOrder | undefined);
  return {
    epoch,
    orders: orders.filter((order) => order !== undefined),
    keep: (order) => replace(`order-${order.reference}.json`, order),
  };
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
