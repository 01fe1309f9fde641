// The orders of the clearing house on disk, so that they survive a restart: one small file an order, replaced
// atomically. Without a directory nothing is stored. An unreadable file is ignored.

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredOrder } from "./order-book.ts";

export interface OrderFiles {
  /** Identifies this directory, so that cursors of another one are recognised. */
  readonly epoch: string;
  readonly orders: readonly StoredOrder[];
  write(order: StoredOrder): void;
}

export function openOrderFiles(directory: string | undefined): OrderFiles {
  if (directory === undefined) return { epoch: randomUUID(), orders: [], write: () => {} };
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
  const orders = names.map((name) => read(join(directory, name)) as StoredOrder | undefined);
  return {
    epoch,
    orders: orders.filter((order) => order !== undefined),
    write: (order) => replace(`order-${order.reference}.json`, order),
  };
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
