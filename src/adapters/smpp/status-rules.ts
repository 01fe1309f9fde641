// What a command status in the answer to a submit means: refused temporarily or permanently, and with which of our
// error codes. A carrier's settings may override the defaults.

import { z } from "zod";
import { FAILURES, type Failure } from "../../domain/messaging/index.ts";
import { isThrottling, STATUS, type StatusName } from "../../wire/smpp/statuses.ts";

export interface StatusRule {
  readonly isTemporary: boolean;
  readonly failure: Failure;
}

/** An answer decides the outcome of the message, so it is never unknown. */
const BY_CODE = new Map<number, Failure>(
  Object.values(FAILURES)
    .filter((failure) => failure !== FAILURES.unknownOutcome)
    .map((failure) => [failure.code, failure]),
);
const NAMES = Object.keys(STATUS).filter((name) => name !== "ESME_ROK");

const statusKey = z
  .string()
  .regex(
    new RegExp(`^(?:${NAMES.join("|")}|0x[0-9A-Fa-f]{1,8})$`),
    "must be the name of an SMPP status, or its number such as 0x00000412",
  );

export const statusSettings = z
  .record(
    statusKey,
    z.strictObject({
      kind: z
        .enum(["temporary", "permanent"])
        .describe("Whether the message is tried again, a few times within five minutes, or has failed."),
      errorCode: z
        .literal([...BY_CODE.keys()])
        .optional()
        .describe("The error code of a message that failed by it."),
    }),
  )
  .describe(
    "What the carrier's statuses mean, by name (ESME_RSUBMITFAIL) or number (0x00000412), where not the usual.",
  );

export type StatusSettings = z.output<typeof statusSettings>;

// The carrier or the session has a problem: the same message may be accepted later.
const TEMPORARY: ReadonlySet<number> = new Set([
  STATUS.ESME_RINVBNDSTS,
  STATUS.ESME_RSYSERR,
  STATUS.ESME_RSUBMITFAIL,
  STATUS.ESME_RX_T_APPN,
  STATUS.ESME_RUNKNOWNERR,
  STATUS.ESME_RSERTYPUNAVAIL,
]);

/** Undefined for a status that asks for a lower rate, unless the settings name it. */
export function makeStatusRules(settings: StatusSettings = {}): (status: number) => StatusRule | undefined {
  const given = new Map<number, StatusRule>(
    Object.entries(settings).map(([name, { kind, errorCode }]) => {
      const status: number = STATUS[name as StatusName] ?? Number(name);
      const failure = BY_CODE.get(errorCode ?? 0) ?? failureOf(status);
      return [status, { isTemporary: kind === "temporary", failure }] as const;
    }),
  );
  return (status) =>
    given.get(status) ??
    (isThrottling(status) ? undefined : { isTemporary: TEMPORARY.has(status), failure: failureOf(status) });
}

export function failureOf(status: number): Failure {
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
