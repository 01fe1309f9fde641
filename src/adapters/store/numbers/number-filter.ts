// Rules out, without a query, that a number is ours or overridden.

import { NUMBERS_KNOWN } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { KeyFilter } from "../engine/key-filter.ts";

export const numberFilter = (db: Queryable, isCurrent: () => boolean): KeyFilter =>
  new KeyFilter(db, isCurrent, {
    channel: NUMBERS_KNOWN,
    pages: ["lookup_overrides", "inventory_numbers", "phones"].map(
      (table) => `select number as key from ${table} where number > $1 order by number limit $2`,
    ),
  });
