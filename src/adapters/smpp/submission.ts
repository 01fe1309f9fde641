// One message that a link submits: the state of each of its parts, and of the whole.
//
// Guarantees: a part that was accepted, or may have been, is never sent again; once the SMSC has one part the rest
// follow, unless one is rejected or deferred; the whole is finished only when no answer is awaited. No I/O.

import type { Failure, Outgoing, SubmitOutcome } from "../../domain/messaging/index.ts";
import type { SubmitSm, Unnumbered } from "../../wire/smpp/pdu.ts";
import { statusName } from "../../wire/smpp/statuses.ts";
import { failureOf } from "./status-rules.ts";

export type PartFate =
  | { readonly kind: "waiting" }
  | { readonly kind: "sent" }
  | { readonly kind: "accepted"; readonly carrierId: string }
  | { readonly kind: "throttled"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number; readonly failure?: Failure }
  /** Temporarily refused. */
  | { readonly kind: "deferred"; readonly status: number; readonly failure: Failure }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "notSent"; readonly reason: string };

export interface Part {
  readonly of: Submission;
  pdu: Unnumbered<SubmitSm>;
  fate: PartFate;
  isQueued: boolean;
}

export type Progress =
  | { readonly kind: "awaiting" }
  /** To be sent, or sent again, as soon as the link can. */
  | { readonly kind: "unfinished"; readonly rest: readonly Part[] }
  | { readonly kind: "finished"; readonly outcome: SubmitOutcome };

const WAITING: PartFate = { kind: "waiting" };
const AWAITING: Progress = { kind: "awaiting" };

export class Submission {
  readonly message: Outgoing;
  readonly done: (outcome: SubmitOutcome) => void;
  readonly parts: readonly Part[];
  /** Since when the unsent parts of a message that has begun wait, without one more having been accepted. */
  heldSinceMs: number | undefined;
  /** The outcome that `done` was called with. */
  reported: SubmitOutcome | undefined;

  constructor(message: Outgoing, pdus: readonly Unnumbered<SubmitSm>[], done: Submission["done"]) {
    this.message = message;
    this.done = done;
    this.parts = pdus.map((pdu) => ({ of: this, pdu, fate: WAITING, isQueued: false }));
  }

  progress(): Progress {
    if (this.#has("sent")) return AWAITING;
    const isBegun = this.#has("accepted") || this.#has("unknown");
    if (!isBegun || this.#has("rejected") || this.#has("deferred"))
      return { kind: "finished", outcome: this.outcome() };
    const rest = this.parts.filter(isUnsent);
    return rest.length > 0 ? { kind: "unfinished", rest } : { kind: "finished", outcome: this.outcome() };
  }

  /** The outcome if nothing more is sent or answered. */
  outcome(): SubmitOutcome {
    const [only] = this.parts;
    if (this.parts.length === 1 && only?.fate.kind === "accepted") {
      return { kind: "accepted", carrierIds: [only.fate.carrierId] };
    }
    const carrierIds = this.parts.flatMap(({ fate }) => (fate.kind === "accepted" ? [fate.carrierId] : []));
    if (carrierIds.length === this.parts.length) return { kind: "accepted", carrierIds };
    const rejected = this.#find("rejected");
    if (rejected) return rejection(rejected.status, carrierIds, rejected.failure);
    const unknown = this.#find("unknown");
    // No ids: receipts of some parts do not prove that the whole message has arrived.
    if (unknown) return { kind: "unknown", reason: unknown.reason, carrierIds: [] };
    const deferred = this.#find("deferred");
    if (deferred) {
      const { status, failure } = deferred;
      // A message of which the carrier has some parts is not sent again: the subscriber would get those twice.
      if (carrierIds.length > 0) return rejection(status, carrierIds, failure);
      return { kind: "deferred", failure, reason: reasonOf(status), carrierIds };
    }
    const throttled = this.#find("throttled");
    const notSent = this.#find("notSent");
    if (carrierIds.length === 0) {
      return throttled ? { kind: "throttled" } : { kind: "notSent", reason: notSent?.reason ?? "link closing" };
    }
    if (throttled) return rejection(throttled.status, carrierIds);
    return { kind: "unknown", reason: notSent?.reason ?? "the rest could not be sent", carrierIds: [] };
  }

  #has(kind: PartFate["kind"]): boolean {
    for (const { fate } of this.parts) if (fate.kind === kind) return true;
    return false;
  }

  #find<Kind extends PartFate["kind"]>(kind: Kind): Extract<PartFate, { kind: Kind }> | undefined {
    for (const { fate } of this.parts) if (fate.kind === kind) return fate as Extract<PartFate, { kind: Kind }>;
    return undefined;
  }
}

function isUnsent({ fate }: Part): boolean {
  return fate.kind === "waiting" || fate.kind === "throttled" || fate.kind === "notSent";
}

export function rejection(
  status: number,
  carrierIds: readonly string[] = [],
  failure: Failure = failureOf(status),
): SubmitOutcome {
  return { kind: "rejected", failure, reason: reasonOf(status), carrierIds };
}

function reasonOf(status: number): string {
  return `The carrier answered ${statusName(status)}`;
}
