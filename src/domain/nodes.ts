// The processes that serve one database, as the operator sees them.

import type { TrunkHealth, TrunkView } from "./voice/index.ts";

/** What a process says of itself. */
export interface NodeReport {
  readonly sid: string;
  readonly host: string;
  readonly version: string;
  readonly roles: readonly string[];
  /** Where others reach it. */
  readonly url: string;
  readonly state: "Starting" | "Ready" | "Draining";
  /** `ok`, or how far the clock of its machine is off. */
  readonly clock: string;
  /** The links to carriers that it has open. */
  readonly links: readonly string[];
  readonly trunks: readonly TrunkHealth[];
  readonly startedOn: Date;
}

export interface Node extends Omit<NodeReport, "state" | "trunks"> {
  /** `Silent`: it has not reported for a while; it hangs, is cut off from the database, or has ended. */
  readonly state: NodeReport["state"] | "Silent";
  readonly leases: readonly ("Sending" | "Webhooks" | "Calls")[];
  /** How many slots of webhooks it delivers. */
  readonly webhookSlots: number;
  /** How many calls it has. */
  readonly calls: number;
  readonly seenOn: Date;
  /** Since when an operator wants it to drain. */
  readonly drainAskedOn: Date | null;
}

export interface NodeStore {
  list(now: Date): Promise<readonly Node[]>;
  /** As other processes reported them that have not fallen silent. */
  trunksOfOthers(now: Date): Promise<readonly TrunkView[]>;
  /** Asks a node to drain. Undefined: there is no such node. */
  drain(sid: string, now: Date): Promise<Node | undefined>;
}
