// The steps that the simulated losing carrier takes with an order. Hours and days of the real world are fractions of
// `portMs` here.

export const OUTCOMES = [
  "complete",
  /** The second half of the numbers is rejected; of a single number, only messaging. */
  "partial",
  "reject",
  /** Waits for the order to be corrected. */
  "exception",
  /** Completes, but takes three times as long. */
  "delay",
  /** Confirms a date and then another one. */
  "focChange",
  /** Moves voice immediately, and messaging after `portMs`. */
  "messagingLate",
  /** The losing carrier never answers. */
  "silent",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Reason {
  readonly code: string;
  readonly detail: string | null;
}

export type UpdateContent =
  | { readonly kind: "submitted" | "voiceMoved" | "messagingMoved" | "cancelled" }
  | { readonly kind: "exception" | "rejected"; readonly reason: Reason }
  | { readonly kind: "foc"; readonly on: string };

export interface Step {
  readonly dueMs: number;
  readonly numbers: readonly string[];
  readonly update: UpdateContent;
}

export interface PlanOrder {
  readonly numbers: readonly string[];
  readonly nowMs: number;
  readonly portMs: number;
  readonly reason?: Reason | undefined;
}

/** The plan for an order whose outcome was not set. */
export function ordinaryPlan({ numbers, nowMs, portMs }: PlanOrder): readonly Step[] {
  const dueMs = nowMs + portMs;
  return [step(nowMs + portMs / 4, numbers, foc(dueMs)), ...moves(dueMs, numbers)];
}

export function planOf(outcome: Outcome, { numbers, nowMs, portMs, reason }: PlanOrder): readonly Step[] {
  const now = (update: UpdateContent, of = numbers) => step(nowMs, of, update);
  switch (outcome) {
    case "complete":
      return [now(foc(nowMs)), ...moves(nowMs, numbers)];
    case "partial": {
      const rejected = { kind: "rejected", reason: reason ?? defaultReason("PHONE_NUMBER_NOT_PORTABLE") } as const;
      if (numbers.length === 1) return [now(foc(nowMs)), now({ kind: "voiceMoved" }), now(rejected)];
      const half = Math.ceil(numbers.length / 2);
      const good = numbers.slice(0, half);
      return [now(foc(nowMs), good), ...moves(nowMs, good), now(rejected, numbers.slice(half))];
    }
    case "reject":
      return [now({ kind: "rejected", reason: reason ?? defaultReason("ENTITY_NAME_MISMATCH") })];
    case "exception":
      return [now({ kind: "exception", reason: reason ?? defaultReason("ACCOUNT_NUMBER_MISMATCH") })];
    case "delay": {
      const dueMs = nowMs + 3 * portMs;
      return [step(nowMs + 2 * portMs, numbers, foc(dueMs)), ...moves(dueMs, numbers)];
    }
    case "focChange": {
      const dueMs = nowMs + 2 * portMs;
      return [now(foc(nowMs + portMs)), now(foc(dueMs)), ...moves(dueMs, numbers)];
    }
    case "messagingLate": {
      const late = step(nowMs + portMs, numbers, { kind: "messagingMoved" });
      return [now(foc(nowMs)), now({ kind: "voiceMoved" }), late];
    }
    case "silent":
      return [];
  }
}

const step = (dueMs: number, numbers: readonly string[], update: UpdateContent): Step => ({ dueMs, numbers, update });
const foc = (onMs: number): UpdateContent => ({ kind: "foc", on: new Date(onMs).toISOString() });
const defaultReason = (code: string): Reason => ({ code, detail: "The simulated losing carrier said so." });

function moves(dueMs: number, numbers: readonly string[]): readonly Step[] {
  return [step(dueMs, numbers, { kind: "voiceMoved" }), step(dueMs, numbers, { kind: "messagingMoved" })];
}
