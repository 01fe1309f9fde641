// One transition of a leg in progress: the state being changed and the commands so far. The state before it stays
// unchanged. Also contains what callers and callees share: the end of a leg.

import { type Dialog, requestInDialog } from "./dialog.ts";
import type { LegCommand, LegEvent, LegState } from "./leg-state.ts";
import { quoted } from "./parameters.ts";
import { transactionMs } from "./timers.ts";
import { fieldLine, type ResponseDraft } from "./write.ts";

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] };

export interface Transition {
  readonly leg: Writable<LegState>;
  readonly commands: LegCommand[];
  readonly nowMs: number;
}

export const ALLOWED = "INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, PRACK";
export const SUPPORTED = "100rel, timer";

export function report({ commands }: Transition, event: LegEvent): void {
  commands.push({ kind: "report", event });
}

export function respond(
  { leg, commands }: Transition,
  ref: number,
  status: number,
  more: Pick<ResponseDraft, "lines" | "body"> = {},
): ResponseDraft {
  const draft = { status, toTag: leg.localTag, ...more };
  commands.push({ kind: "respond", ref, draft });
  return draft;
}

/** Called at most once for a leg: from then on it is closing or over. */
export function reportEnd(
  transition: Transition,
  by: "peer" | "timeout" | "us",
  status?: number | undefined,
  reason?: string | undefined,
  said?: string | undefined,
): void {
  report(transition, { kind: "ended", by, status, reason, ...(said !== undefined && { said }) });
}

export function finish(transition: Transition): void {
  const { leg, commands } = transition;
  if (leg.phase === "over") return;
  refuseOffer(transition);
  leg.phase = "over";
  leg.unacknowledged = undefined;
  leg.unpracked = undefined;
  leg.session = undefined;
  leg.closeMs = Number.POSITIVE_INFINITY;
  commands.push({ kind: "over" });
}

/** From now on the leg only waits for its last transactions. */
export function beginClosing(transition: Transition): void {
  const { leg, nowMs } = transition;
  refuseOffer(transition);
  leg.phase = "closing";
  leg.session = undefined;
  leg.unpracked = undefined;
  // Twice a transaction: the BYE may be challenged once.
  leg.closeMs = nowMs + 2 * transactionMs(leg.settings.timers) + leg.settings.timers.t4Ms;
}

/** An offer that is unanswered when the leg ends is refused with 487 (RFC 3261 15.1.2). */
function refuseOffer(transition: Transition): void {
  const { peerOffer } = transition.leg;
  if (!peerOffer) return;
  transition.leg.peerOffer = undefined;
  respond(transition, peerOffer.ref, 487);
}

export function sendBye(transition: Transition): void {
  const { leg } = transition;
  if (!leg.dialog) return;
  leg.unacknowledged = undefined;
  leg.dialog = { ...leg.dialog, localCseq: leg.dialog.localCseq + 1 };
  transition.commands.push({ kind: "send", draft: byeOf(leg.dialog, leg.byeReason) });
}

export function byeOf(dialog: Dialog, reason: string): ReturnType<typeof requestInDialog> {
  return requestInDialog(dialog, { method: "BYE", cseq: dialog.localCseq, lines: reasonLine(reason) });
}

export function reasonLine(reason: string): string {
  return reason === "" ? "" : fieldLine("Reason", `SIP;text=${quoted(reason.slice(0, 100))}`);
}

/** Ends an established call from our side. */
export function endByBye(transition: Transition, by: "timeout" | "us", status?: number, reason?: string): void {
  reportEnd(transition, by, status, reason);
  beginClosing(transition);
  sendBye(transition);
}
