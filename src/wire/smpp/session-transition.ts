// One transition of a session in progress: the state being changed, the PDUs to send and the events to report. The
// arrays are copies, so the state before the transition stays unchanged.

import type { CommandName } from "./commands.ts";
import { writePdu } from "./encode.ts";
import type { Unnumbered } from "./pdu.ts";
import { PDU_LENGTH_MAX, PduWriter } from "./pdu-writer.ts";
import type {
  Outcome,
  Outstanding,
  SessionCommand,
  SessionEvent,
  SessionResponse,
  SessionState,
  Unanswered,
} from "./session-state.ts";
import { isThrottling } from "./statuses.ts";

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] };

export interface Transition {
  readonly state: Writable<SessionState>;
  readonly outstanding: Outstanding[];
  readonly overdue: Outstanding[];
  readonly unanswered: Unanswered[];
  readonly nowMs: number;
  readonly sends: SessionCommand[];
  readonly reports: SessionCommand[];
  closeReason: string | undefined;
}

const SEQUENCE_MAX = 0x7fffffff;

// Shared by all sessions, because a transition completes before the next one begins.
const writer = new PduWriter();

export function beginTransition(before: SessionState, nowMs: number): Transition {
  const outstanding = before.outstanding.slice();
  const overdue = before.overdue.slice();
  const unanswered = before.unanswered.slice();
  writer.clear();
  const state = { ...before, outstanding, overdue, unanswered };
  return { state, outstanding, overdue, unanswered, nowMs, sends: [], reports: [], closeReason: undefined };
}

export function endTransition(transition: Transition): readonly [SessionState, readonly SessionCommand[]] {
  flush(transition);
  const commands = transition.sends.length > 0 ? transition.sends.concat(transition.reports) : transition.reports;
  if (transition.closeReason !== undefined) commands.push({ kind: "close", reason: transition.closeReason });
  return [transition.state, commands];
}

function flush(transition: Transition): void {
  if (writer.length > 0) transition.sends.push({ kind: "send", bytes: writer.take() });
}

/** Appends the PDU to what this transition sends, or returns the reason why it cannot be written. */
export function send(transition: Transition, pdu: Unnumbered, sequence: number): string | undefined {
  if (writer.length > PDU_LENGTH_MAX) flush(transition);
  return writePdu(writer, pdu, sequence);
}

export function report(transition: Transition, event: SessionEvent): void {
  transition.reports.push({ kind: "report", event });
}

export function notice(transition: Transition, what: string, sequence: number): void {
  report(transition, { kind: "noticed", what, sequence });
}

/** 3.2: sequence numbers run from 1 to 0x7fffffff and start again. */
export function takeSequence(transition: Transition): number {
  const sequence = transition.state.nextSequence;
  transition.state.nextSequence = sequence >= SEQUENCE_MAX ? 1 : sequence + 1;
  return sequence;
}

export const RESPONSE_TO = {
  submit_sm: "submit_sm_resp",
  deliver_sm: "deliver_sm_resp",
  data_sm: "data_sm_resp",
  query_sm: "query_sm_resp",
  cancel_sm: "cancel_sm_resp",
} as const;

/** Reports the outcome of our request with this sequence and command, late or not; false when there is none. */
export function settle(transition: Transition, sequence: number, command: string, outcome: Outcome): boolean {
  const ref = removeAnswered(transition.outstanding, sequence, command);
  if (ref !== undefined) {
    report(transition, { kind: "answered", ref, outcome });
    return true;
  }
  const lateRef = removeAnswered(transition.overdue, sequence, command);
  if (lateRef === undefined) return false;
  report(transition, { kind: "answeredLate", ref: lateRef, outcome });
  return true;
}

function removeAnswered(list: Outstanding[], sequence: number, command: string): string | undefined {
  // Most responses arrive in the order of their requests.
  let index = 0;
  while (index < list.length && list[index]?.sequence !== sequence) index++;
  const entry = list[index];
  if (!entry || (command !== "generic_nack" && command !== RESPONSE_TO[entry.command])) return undefined;
  if (index === 0) list.shift();
  else list.splice(index, 1);
  return entry.ref;
}

export function outcomeOf(response: SessionResponse): Outcome {
  if (response.status !== 0) return failureOf(response.status);
  return { kind: "accepted", messageId: "messageId" in response ? response.messageId : "", response };
}

export function failureOf(status: number): Outcome {
  return { kind: isThrottling(status) ? "throttled" : "rejected", status };
}

/** The session is over: the outcome of every outstanding request is unknown. */
export function finish(transition: Transition, reason: string): void {
  for (const { ref } of transition.outstanding) {
    report(transition, { kind: "answered", ref, outcome: { kind: "unknown", reason } });
  }
  transition.outstanding.length = 0;
  transition.overdue.length = 0;
  transition.unanswered.length = 0;
  transition.state.phase = "closed";
  report(transition, { kind: "ended", reason });
}

/** Ends the session from our side. */
export function close(transition: Transition, reason: string): void {
  finish(transition, reason);
  transition.closeReason = reason;
}

/** 4.3: a known request is refused with its own response, an unknown one with generic_nack. */
export function refuse(
  transition: Transition,
  command: CommandName | undefined,
  status: number,
  sequence: number,
): void {
  if (command === "alert_notification" || command === "outbind") return;
  send(transition, refusalOf(command, status), sequence);
}

function refusalOf(command: CommandName | undefined, status: number): Unnumbered {
  switch (command) {
    case "submit_sm":
    case "deliver_sm":
    case "data_sm":
      return { command: `${command}_resp`, status, messageId: "", tlvs: {} };
    case "bind_transmitter":
    case "bind_receiver":
    case "bind_transceiver":
      return { command: `${command}_resp`, status, systemId: "", tlvs: {} };
    case "query_sm":
      return { command: "query_sm_resp", status, messageId: "", finalDate: "", messageState: 0, errorCode: 0 };
    case "cancel_sm":
    case "replace_sm":
    case "unbind":
    case "enquire_link":
      return { command: `${command}_resp`, status };
    default:
      return { command: "generic_nack", status };
  }
}
