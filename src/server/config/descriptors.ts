// Divides the file descriptors that this process may open: every connection takes one. What is not assigned here is
// left for the database, carriers and files.

import { readFileSync } from "node:fs";

export interface DescriptorBudget {
  /** Connections of callers. */
  readonly inboundMax: number;
  readonly inboundPerAddressMax: number;
  /** Connections to receivers of webhooks. */
  readonly webhooksMax: number;
}

/** Used where the limit cannot be read. */
const USUAL_LIMIT = 1_024;
const INBOUND_MAX = 100_000;
const WEBHOOKS_MAX = 4_000;

export function descriptorBudget(openFilesMax = readOpenFilesMax() ?? USUAL_LIMIT): DescriptorBudget {
  const share = (part: number, max: number) => Math.max(1, Math.min(max, Math.floor(openFilesMax * part)));
  const inboundMax = share(0.4, INBOUND_MAX);
  return { inboundMax, inboundPerAddressMax: Math.ceil(inboundMax / 2), webhooksMax: share(0.2, WEBHOOKS_MAX) };
}

/** `ulimit -n`; undefined where it cannot be read. Node.js raises the soft limit to the hard one when it starts. */
export function readOpenFilesMax(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    if (limit === "unlimited") return Number.POSITIVE_INFINITY;
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
