// One message on its way through a link: what has become of each of its parts, and of the whole.
//
// Guarantees: a part that was accepted, or may have been, is never among those still to be sent; once one part is on its way at the SMSC
// the rest follow, unless one is rejected; the whole is finished only when no answer is awaited any more. Pure, but for its own state.

import { FAILURES, type Failure, type Outgoing, type SubmitOutcome } from "../../domain/messaging/index.ts";
import type { SubmitSm, Unnumbered } from "../../wire/smpp/pdu.ts";
import { STATUS, statusName } from "../../wire/smpp/statuses.ts";

export type PartFate =
  | { readonly kind: "waiting" }
  | { readonly kind: "sent" }
  | { readonly kind: "accepted"; readonly carrierId: string }
  | { readonly kind: "throttled"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "notSent"; readonly reason: string };

export interface Part {
  readonly of: Submission;
  pdu: Unnumbered<SubmitSm>;
  fate: PartFate;
  isQueued: boolean;
}

export type Standing =
  | { readonly kind: "awaiting" }
  /** To be sent, or sent again, as soon as the link can. */
  | { readonly kind: "unfinished"; readonly rest: readonly Part[] }
  | { readonly kind: "finished"; readonly outcome: SubmitOutcome };

const WAITING: PartFate = { kind: "waiting" };
const AWAITING: Standing = { kind: "awaiting" };

export class Submission {
  readonly message: Outgoing;
  readonly done: (outcome: SubmitOutcome) => void;
  readonly parts: readonly Part[];
  /** Since when its rest has waited without one more having been accepted. */
  heldSinceMs: number | undefined;
  /** What `done` was told. */
  told: SubmitOutcome | undefined;

  constructor(message: Outgoing, pdus: readonly Unnumbered<SubmitSm>[], done: Submission["done"]) {
    this.message = message;
    this.done = done;
    this.parts = pdus.map((pdu) => ({ of: this, pdu, fate: WAITING, isQueued: false }));
  }

  standing(): Standing {
    if (this.#has("sent")) return AWAITING;
    const isBegun = this.#has("accepted") || this.#has("unknown");
    if (!isBegun || this.#has("rejected")) return { kind: "finished", outcome: this.outcome() };
    const rest = this.parts.filter(isUnsent);
    return rest.length > 0 ? { kind: "unfinished", rest } : { kind: "finished", outcome: this.outcome() };
  }

  /** As things stand, with nothing more to come. */
  outcome(): SubmitOutcome {
    const [only] = this.parts;
    if (this.parts.length === 1 && only?.fate.kind === "accepted") {
      return { kind: "accepted", carrierIds: [only.fate.carrierId] };
    }
    const carrierIds = this.parts.flatMap(({ fate }) => (fate.kind === "accepted" ? [fate.carrierId] : []));
    if (carrierIds.length === this.parts.length) return { kind: "accepted", carrierIds };
    const rejected = this.#find("rejected");
    if (rejected) return rejection(rejected.status, carrierIds);
    const unknown = this.#find("unknown");
    // Receipts of some parts do not tell that the whole has arrived.
    if (unknown) return { kind: "unknown", reason: unknown.reason, carrierIds: [] };
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

export function rejection(status: number, carrierIds: readonly string[] = []): SubmitOutcome {
  const reason = `The carrier answered ${statusName(status)}`;
  return { kind: "rejected", failure: failureOf(status), reason, carrierIds };
}

function failureOf(status: number): Failure {
  switch (status) {
    case STATUS.ESME_RINVDSTADR:
      return FAILURES.unreachable;
    case STATUS.ESME_RSYSERR:
    case STATUS.ESME_RX_T_APPN:
      return FAILURES.network;
    case STATUS.ESME_RSUBMITFAIL:
      return FAILURES.submitFailed;
    default:
      return FAILURES.rejected;
  }
}
