// What the answers of SMTP mean for an outgoing MMS.
//
// The carrier gives a group message one id and sends a report for every recipient. So each recipient gets an id of its
// own here: the message is delivered when all of them are, as a long text is when all of its parts have arrived.

import { FAILURES, type Failure, groupMemberId, type SubmitOutcome } from "../../domain/messaging/index.ts";
import type { MailOutcome } from "./smtp-connection.ts";

export function memberIds(
  carrierId: string,
  group: readonly string[],
  recipients: readonly string[] = group,
): readonly string[] {
  if (group.length === 1) return [carrierId];
  return recipients.map((number) => groupMemberId(carrierId, group.indexOf(number)));
}

export const rejection = (failure: Failure, reason: string, carrierIds: readonly string[] = []): SubmitOutcome => ({
  kind: "rejected",
  failure,
  reason,
  carrierIds,
});

export interface SentMail {
  readonly carrierId: string;
  readonly recipients: readonly string[];
  readonly addressOf: (number: string) => string;
}

export function outcomeOf(outcome: MailOutcome, { carrierId, recipients, addressOf }: SentMail): SubmitOutcome {
  switch (outcome.kind) {
    case "taken": {
      const refusals = new Map(outcome.refused.map((refusal) => [refusal.address, refusal]));
      const carrierIds = memberIds(
        carrierId,
        recipients,
        recipients.filter((number) => !refusals.has(addressOf(number))),
      );
      if (refusals.size === 0) return { kind: "accepted", carrierIds };
      const said = recipients.flatMap((number) => {
        const refusal = refusals.get(addressOf(number));
        return refusal ? [`${number}: ${refusal.status} ${refusal.text}`] : [];
      });
      const reason = `The carrier took it for the others only: ${said.join("; ")}`;
      return rejection(FAILURES.unreachable, reason, carrierIds);
    }
    case "refused": {
      const { status, text } = outcome;
      // RFC 5321 4.2.1: after a 4yz reply the command may be tried again.
      return status < 500
        ? { kind: "throttled" }
        : rejection(failureOf(status), `The carrier answered ${status} ${text}`);
    }
    case "unknown":
      return { ...outcome, carrierIds: memberIds(carrierId, recipients) };
    case "notSent":
      return outcome;
  }
}

/** RFC 5321 4.2.3: 550 no such mailbox, 551 user not local, 552 too big, 553 mailbox name not allowed. */
function failureOf(status: number): Failure {
  if (status === 552) return FAILURES.badMedia;
  return [550, 551, 553].includes(status) ? FAILURES.unreachable : FAILURES.rejected;
}
