// A port order: numbers of one subscriber on their way from another carrier to us, and how far each has come.
//
// A number has facts, each with its position in the order's history (`sequence`). The facts decide the number's status,
// and the statuses of its numbers decide that of the order. A half (voice or messaging) that has moved outweighs every
// refusal, so a closed status only ever rises (Cancelled < Failed < PartiallyCompleted < Completed) and nothing closed
// opens again.

import type { PortReason } from "./port-reasons.ts";

export const PORT_ORDER_STATUSES = [
  "Submitted",
  "Exception",
  "FocConfirmed",
  "Completed",
  "PartiallyCompleted",
  "Cancelled",
  "Failed",
] as const;
export type PortOrderStatus = (typeof PORT_ORDER_STATUSES)[number];

export const PORT_NUMBER_STATUSES = [
  "Submitted",
  "Exception",
  "FocConfirmed",
  /** One half, voice or messaging, is here; the other is awaited. */
  "Activating",
  "Completed",
  /** One half is here, the other was refused. */
  "PartiallyCompleted",
  "Cancelled",
  "Failed",
] as const;
export type PortNumberStatus = (typeof PORT_NUMBER_STATUSES)[number];

const CLOSED = ["Cancelled", "Failed", "PartiallyCompleted", "Completed"] as const;

/** The allowed moves of an order; the store guards its updates with them. */
export const PORT_ORDER_MOVES: Readonly<Record<PortOrderStatus, readonly PortOrderStatus[]>> = {
  Submitted: ["Exception", "FocConfirmed", ...CLOSED],
  Exception: ["Submitted", "FocConfirmed", ...CLOSED],
  FocConfirmed: ["Submitted", "Exception", ...CLOSED],
  Cancelled: ["Failed", "PartiallyCompleted", "Completed"],
  Failed: ["PartiallyCompleted", "Completed"],
  PartiallyCompleted: ["Completed"],
  Completed: [],
};

export const PORT_NUMBER_MOVES: Readonly<Record<PortNumberStatus, readonly PortNumberStatus[]>> = {
  Submitted: ["Exception", "FocConfirmed", "Activating", ...CLOSED],
  Exception: ["Submitted", "FocConfirmed", "Activating", ...CLOSED],
  FocConfirmed: ["Submitted", "Exception", "Activating", ...CLOSED],
  Activating: ["PartiallyCompleted", "Completed"],
  Cancelled: ["Failed", "PartiallyCompleted", "Completed"],
  Failed: ["PartiallyCompleted", "Completed"],
  PartiallyCompleted: ["Completed"],
  Completed: [],
};

/** Whether the tables allow the moves of the order and of each of its numbers. */
export function mayBecome(before: Statuses, after: Statuses): boolean {
  return (
    isMove(PORT_ORDER_MOVES, before.status, after.status) &&
    after.numbers.every(({ status }, place) => isMove(PORT_NUMBER_MOVES, before.numbers[place]?.status, status))
  );
}

interface Statuses {
  readonly status: PortOrderStatus;
  readonly numbers: readonly { readonly status: PortNumberStatus }[];
}

function isMove<Status extends string>(
  moves: Readonly<Record<Status, readonly Status[]>>,
  from: Status | undefined,
  to: Status,
): boolean {
  return from === to || (from !== undefined && moves[from].includes(to));
}

export const SUBSCRIBER_TYPES = ["Business", "Individual"] as const;
export type SubscriberType = (typeof SUBSCRIBER_TYPES)[number];

export interface Subscriber {
  readonly type: SubscriberType;
  /** As on the losing carrier's record. */
  readonly name: string;
  readonly authorizedPerson: string;
}

export interface ServiceAddress {
  readonly street: string;
  readonly street2: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  /** Two letters. */
  readonly country: string;
}

/** The data that the losing carrier compares with its records. */
export interface PortDetails {
  readonly losingCarrier: string | null;
  readonly accountNumber: string;
  readonly billingTelephoneNumber: string | null;
  readonly subscriber: Subscriber;
  readonly serviceAddress: ServiceAddress;
  readonly requestedOn: Date | null;
  readonly customerReference: string | null;
}

/** The last change on an open port. */
export type PortPhase =
  | { readonly kind: "submitted"; readonly sequence: number }
  | { readonly kind: "exception"; readonly sequence: number; readonly reason: PortReason }
  | { readonly kind: "foc"; readonly sequence: number; readonly on: Date };

/** The end of a port: no further half will move. */
export interface PortRefusal {
  readonly kind: "rejected" | "cancelled";
  readonly sequence: number;
  readonly reason: PortReason;
}

export interface PortOrderNumber {
  /** E.164 with the leading plus. */
  readonly number: string;
  readonly status: PortNumberStatus;
  readonly phase: PortPhase;
  readonly voiceMovedOn: Date | null;
  readonly messagingMovedOn: Date | null;
  readonly refusal: PortRefusal | null;
}

export interface PortOrder {
  readonly sid: string;
  readonly accountSid: string;
  readonly messagingConfigSid: string;
  readonly status: PortOrderStatus;
  /** The sequence of the latest update. */
  readonly sequence: number;
  readonly details: PortDetails;
  readonly numbers: readonly PortOrderNumber[];
  readonly createdOn: Date;
}

export interface NewPortOrder {
  readonly sid: string;
  readonly accountSid: string;
  readonly messagingConfigSid: string;
  readonly details: PortDetails;
  readonly numbers: readonly string[];
  readonly createdOn: Date;
}

export function newPortOrder(order: NewPortOrder): PortOrder {
  const numbers = order.numbers.map((number) =>
    withStatus({
      number,
      phase: { kind: "submitted", sequence: 0 },
      voiceMovedOn: null,
      messagingMovedOn: null,
      refusal: null,
    }),
  );
  return { ...order, numbers, status: orderStatusOf(numbers), sequence: 0 };
}

export function withStatus(facts: Omit<PortOrderNumber, "status">): PortOrderNumber {
  return { ...facts, status: numberStatusOf(facts) };
}

function numberStatusOf(facts: Omit<PortOrderNumber, "status">): PortNumberStatus {
  const halves = Number(facts.voiceMovedOn !== null) + Number(facts.messagingMovedOn !== null);
  if (halves === 2) return "Completed";
  if (halves === 1) return facts.refusal ? "PartiallyCompleted" : "Activating";
  if (facts.refusal) return facts.refusal.kind === "rejected" ? "Failed" : "Cancelled";
  return PHASE_STATUSES[facts.phase.kind];
}

const PHASE_STATUSES = { submitted: "Submitted", exception: "Exception", foc: "FocConfirmed" } as const;

export function orderStatusOf(numbers: readonly Pick<PortOrderNumber, "status">[]): PortOrderStatus {
  const statuses = new Set(numbers.map(({ status }) => status));
  if (statuses.has("Exception")) return "Exception";
  if (statuses.has("Submitted")) return "Submitted";
  if (statuses.has("FocConfirmed") || statuses.has("Activating")) return "FocConfirmed";
  if (statuses.has("PartiallyCompleted")) return "PartiallyCompleted";
  if (statuses.has("Completed")) return statuses.size === 1 ? "Completed" : "PartiallyCompleted";
  return statuses.has("Failed") ? "Failed" : "Cancelled";
}

export function isOpen({ status }: { readonly status: PortNumberStatus | PortOrderStatus }): boolean {
  return !CLOSED.some((closed) => closed === status);
}

/** Why a number has its status; null while nothing is wrong. */
export function reasonOfNumber({ status, phase, refusal }: PortOrderNumber): PortReason | null {
  if (status === "Completed") return null;
  if (refusal) return refusal.reason;
  return phase.kind === "exception" ? phase.reason : null;
}

/** The first reason among the numbers whose status explains that of the order. */
export function reasonOfOrder({ status, numbers }: Pick<PortOrder, "status" | "numbers">): PortReason | null {
  const explaining = numbers.filter((number) => EXPLAINED_BY[status].includes(number.status));
  return explaining.map(reasonOfNumber).find((reason) => reason !== null) ?? null;
}

const EXPLAINED_BY: Readonly<Record<PortOrderStatus, readonly PortNumberStatus[]>> = {
  Submitted: [],
  Exception: ["Exception"],
  FocConfirmed: [],
  Completed: [],
  PartiallyCompleted: ["PartiallyCompleted", "Failed", "Cancelled"],
  Cancelled: ["Cancelled"],
  Failed: ["Failed"],
};

/** The date that the losing carrier confirmed, unless a later change replaced it. */
export function focOf({ phase }: Pick<PortOrderNumber, "phase">): Date | null {
  return phase.kind === "foc" ? phase.on : null;
}
