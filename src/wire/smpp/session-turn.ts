// One step of a session under way: the state being changed, what is to be sent, what is to be reported. The arrays are copies, so the
// state the step began with stays as it was.

import { writePdu } from "./encode.ts";
import type { Pdu, Unnumbered } from "./pdu.ts";
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

export interface Turn {
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

// Shared by all sessions: a step runs to its end before another begins.
const writer = new PduWriter();

export function beginTurn(before: SessionState, nowMs: number): Turn {
  const outstanding = before.outstanding.slice();
  const overdue = before.overdue.slice();
  const unanswered = before.unanswered.slice();
  writer.clear();
  const state = { ...before, outstanding, overdue, unanswered };
  return { state, outstanding, overdue, unanswered, nowMs, sends: [], reports: [], closeReason: undefined };
}

export function endTurn(turn: Turn): readonly [SessionState, readonly SessionCommand[]] {
  flush(turn);
  const commands = turn.sends.length > 0 ? turn.sends.concat(turn.reports) : turn.reports;
  if (turn.closeReason !== undefined) commands.push({ kind: "close", reason: turn.closeReason });
  return [turn.state, commands];
}

function flush(turn: Turn): void {
  if (writer.length > 0) turn.sends.push({ kind: "send", bytes: writer.take() });
}

/** Puts the PDU behind what this turn sends already, or says why it cannot be written. */
export function send(turn: Turn, pdu: Unnumbered, sequence: number): string | undefined {
  if (writer.length > PDU_LENGTH_MAX) flush(turn);
  return writePdu(writer, pdu, sequence);
}

export function report(turn: Turn, event: SessionEvent): void {
  turn.reports.push({ kind: "report", event });
}

export function notice(turn: Turn, what: string, sequence: number): void {
  report(turn, { kind: "noticed", what, sequence });
}

/** 3.2: from 1 to 0x7fffffff, and round again. */
export function takeSequence(turn: Turn): number {
  const sequence = turn.state.nextSequence;
  turn.state.nextSequence = sequence >= SEQUENCE_MAX ? 1 : sequence + 1;
  return sequence;
}

export const RESPONSE_TO = {
  submit_sm: "submit_sm_resp",
  deliver_sm: "deliver_sm_resp",
  data_sm: "data_sm_resp",
  query_sm: "query_sm_resp",
  cancel_sm: "cancel_sm_resp",
  replace_sm: "replace_sm_resp",
} as const;

/** An answer to a request of ours: reports its outcome, late or not; false when we have asked nothing of the kind under that number. */
export function settle(turn: Turn, sequence: number, command: string, outcome: Outcome): boolean {
  const ref = removeAnswered(turn.outstanding, sequence, command);
  if (ref !== undefined) {
    report(turn, { kind: "answered", ref, outcome });
    return true;
  }
  const lateRef = removeAnswered(turn.overdue, sequence, command);
  if (lateRef === undefined) return false;
  report(turn, { kind: "answeredLate", ref: lateRef, outcome });
  return true;
}

function removeAnswered(list: Outstanding[], sequence: number, command: string): string | undefined {
  // Most answers come in the order of their requests.
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

/** The session is over: what is outstanding will never be known. */
export function finish(turn: Turn, reason: string): void {
  for (const { ref } of turn.outstanding) {
    report(turn, { kind: "answered", ref, outcome: { kind: "unknown", reason } });
  }
  turn.outstanding.length = 0;
  turn.overdue.length = 0;
  turn.unanswered.length = 0;
  turn.state.phase = "closed";
  report(turn, { kind: "ended", reason });
}

/** Ends the session from our side. */
export function close(turn: Turn, reason: string): void {
  finish(turn, reason);
  turn.closeReason = reason;
}

/** 4.3: a request that cannot be taken is answered by its own response, one that nobody knows by generic_nack. */
export function refuse(turn: Turn, command: Pdu["command"] | undefined, status: number, sequence: number): void {
  if (command === "alert_notification" || command === "outbind") return;
  send(turn, refusalOf(command, status), sequence);
}

function refusalOf(command: Pdu["command"] | undefined, status: number): Unnumbered {
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
