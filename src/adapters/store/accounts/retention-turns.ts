// The accounts that do not keep everything take turns at having their old records deleted. A turn is a transaction that
// holds the account's row: what it deletes and when the account's next turn is are committed together or not at all.

import type { Retention } from "../../../domain/accounts/index.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { hasDue } from "../engine/due-rows.ts";
import { tryLock } from "../engine/locks.ts";
import { first, run } from "../engine/statements.ts";

/** How far a pass over the records of an account has got, by their kind. */
type Reached = Readonly<Record<string, readonly string[]>>;

export interface RetentionTurn extends Retention {
  readonly accountSid: string;
  readonly reached: Reached;
}

export const hasTurn = (now: () => Date): Condition => hasDue({ table: "retention_turns", dueAt: "due_at" }, now);

/** The account is looked at again soon, because it keeps less than before. */
export function makeTurnOf(db: Queryable, accountSid: string): Promise<void> {
  return run(
    db,
    `insert into retention_turns (account_sid, due_at) values ($1, now())
     on conflict (account_sid) do update set due_at = now(), reached = '{}'`,
    [accountSid],
  );
}

/**
 * The account that has waited longest, without those named. Undefined when none is due, or while another process has a
 * turn: one process at a time deletes.
 */
export async function takeTurn(
  unit: Queryable,
  now: Date,
  without: readonly string[],
): Promise<RetentionTurn | undefined> {
  if (!(await tryLock(unit, "tandem retention"))) return undefined;
  return first<RetentionTurn>(
    unit,
    `select account_sid as "accountSid", reached, message_days as "messageDays", call_days as "callDays", event_days as "eventDays"
       from retention_turns as turn join accounts on accounts.sid = account_sid
      where due_at <= $1 and account_sid <> all ($2::text[]) order by due_at limit 1 for update of turn skip locked`,
    [now, without],
  );
}

/** It begins where it got to, at the end of which `reached` is empty. */
export function setNextTurn(db: Queryable, accountSid: string, dueOn: Date, reached: Reached): Promise<void> {
  return run(db, "update retention_turns set due_at = $2, reached = $3 where account_sid = $1", [
    accountSid,
    dueOn,
    JSON.stringify(reached),
  ]);
}

/** The account keeps everything again. */
export function endTurns(db: Queryable, accountSid: string): Promise<void> {
  return run(db, "delete from retention_turns where account_sid = $1", [accountSid]);
}
