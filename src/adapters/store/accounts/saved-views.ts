// Views of the portal that people have named. A lock on the owner's row makes saving and renaming wait for each other.

import type { SavedView, SavedViewStore, SessionOwner } from "../../../domain/accounts/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { hasRow, run } from "../engine/statements.ts";

const VIEWS = table<SavedView>("saved_views", {
  sid: "sid",
  name: "name",
  address: "address",
  createdOn: "created_at timestamptz",
});

const keyOf = (owner: SessionOwner): readonly [column: "account_sid" | "operator", value: string] =>
  owner.kind === "account" ? ["account_sid", owner.account.sid] : ["operator", owner.name];

const LOCK = {
  account_sid: "select from accounts where sid = $1 for no key update",
  operator: "select from operator_tokens where name = $1 for no key update",
};

export function savedViewStore(db: Queryable): SavedViewStore {
  const list = (owner: SessionOwner) => {
    const [column, value] = keyOf(owner);
    return db.query<SavedView>(`${VIEWS.select} where ${column} = $1 order by name`, [value]);
  };
  return {
    list,
    async listLocked(owner) {
      const [column, value] = keyOf(owner);
      await db.query(LOCK[column], [value]);
      return list(owner);
    },
    async insert(owner, { sid, name, address, createdOn }) {
      const [column, value] = keyOf(owner);
      await db.query(
        `insert into saved_views (sid, ${column}, name, address, created_at) values ($1, $2, $3, $4, $5)`,
        [sid, value, name, address, createdOn],
      );
    },
    rename: (sid, name) => run(db, "update saved_views set name = $2 where sid = $1", [sid, name]),
    remove(owner, sid) {
      const [column, value] = keyOf(owner);
      return hasRow(db, `delete from saved_views where sid = $1 and ${column} = $2 returning sid`, [sid, value]);
    },
  };
}
