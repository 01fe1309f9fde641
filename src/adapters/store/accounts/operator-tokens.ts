// The operators' tokens, by their digests; the tokens themselves are stored nowhere.

import type { OperatorToken, OperatorTokenStore } from "../../../domain/accounts/index.ts";
import type { Queryable } from "../engine/database.ts";

export function operatorTokenStore(db: Queryable, changed: () => Promise<void>): OperatorTokenStore {
  return {
    async insert({ name, role, createdOn }, digest) {
      const rows = await db.query(
        `insert into operator_tokens (name, role, digest, created_at) values ($1, $2, $3, $4)
         on conflict (name) do nothing returning name`,
        [name, role, digest, createdOn],
      );
      await changed();
      return rows.length > 0;
    },
    list: () =>
      db.query<OperatorToken>(
        `select name, role, created_at as "createdOn" from operator_tokens order by created_at, name`,
      ),
    async remove(name) {
      // Locks, so that two concurrent removals cannot remove the last two tokens.
      await db.query("lock table operator_tokens in share row exclusive mode");
      const rows = await db.query("delete from operator_tokens where name = $1 returning name", [name]);
      await changed();
      return rows.length > 0;
    },
  };
}
