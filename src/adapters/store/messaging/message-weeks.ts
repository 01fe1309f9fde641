// Which partition of outbound messages has a sid. PostgreSQL plans a statement on the whole table for every week that
// it has, which after a year costs more than the statement does: hot statements name the one partition that has all of
// their messages, and others say between which sids these are, so that only the partitions between are looked at.

import { firstSidAt } from "../../../base/ids.ts";
import type { Queryable } from "../engine/database.ts";
import { isLasting, listMessagePartitions, MESSAGES, type MessagePartition } from "../engine/message-weeks.ts";
import { type NamedStatement, named } from "../engine/named-statements.ts";

/** The least and the greatest of some sids. */
export interface SidSpan {
  readonly least: string;
  readonly greatest: string;
}

export function spanOf(sids: Iterable<string>): SidSpan {
  let [least, greatest] = ["", ""];
  for (const sid of sids) {
    if (least === "" || sid < least) least = sid;
    if (sid > greatest) greatest = sid;
  }
  return { least, greatest };
}

/** The same as parameters of `between … and …`. */
export function boundsOf(sids: Iterable<string>): readonly [string, string] {
  const { least, greatest } = spanOf(sids);
  return [least, greatest];
}

/** All sids of messages. */
const EVERY_SID: SidSpan = { least: "OM", greatest: "ON" };

export class MessageWeeks {
  /** The newest first. */
  #partitions: readonly MessagePartition[] = [];

  /** Weeks are made long before they begin; until this process knows one, it names the whole table. */
  async read(db: Queryable): Promise<void> {
    this.#partitions = (await listMessagePartitions(db)).toReversed();
  }

  /** The partition that has all sids of the span, or the whole table. */
  tableOf({ least, greatest }: SidSpan): string {
    const found = this.#partitions.find(({ first }) => first <= greatest);
    return found && isLasting(found) && found.first <= least ? found.name : MESSAGES;
  }

  /** The sids of the week, as far as this process knows it, or all. */
  spanAt(time: Date): SidSpan {
    const sid = firstSidAt("OM", time);
    const at = this.#partitions.findIndex(({ first }) => first <= sid);
    const [found, next] = [this.#partitions[at], this.#partitions[at - 1]];
    return found && next ? { least: found.first, greatest: lastBefore(next.first) } : EVERY_SID;
  }
}

/** A bound that is shorter than sids are: none is between the result and `first`. */
function lastBefore(first: string): string {
  return `OM${(Number.parseInt(first.slice(2), 16) - 1).toString(16).padStart(12, "0")}g`;
}

/** A hot statement on the table that `tableOf` found. It narrows the table's sids by parameters, too. */
export function namedByWeek(name: string, textOn: (table: string) => string): (table: string) => NamedStatement {
  const known = new Map([[MESSAGES, named(name, textOn(MESSAGES))]]);
  return (table) => {
    const statement = known.get(table) ?? { name: `${name} ${table}`, text: textOn(table) };
    known.set(table, statement);
    return statement;
  };
}
