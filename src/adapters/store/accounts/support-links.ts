// Links that show support what a person of an account sees.

import type { SupportLink, SupportLinkStore } from "../../../domain/accounts/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { first, run } from "../engine/statements.ts";
import { sweep } from "../engine/sweeps.ts";

/** Of an account; the oldest are deleted. */
const KEPT_MAX = 1_000;

const LINKS = table<SupportLink>("support_links", {
  sid: "sid",
  accountSid: "account_sid",
  address: "address",
  createdOn: "created_at timestamptz",
  expiresOn: "expires_at timestamptz",
});

export function supportLinkStore(db: Queryable): SupportLinkStore {
  return {
    async insert(link) {
      await run(db, LINKS.insert, [LINKS.rows([link])]);
      await run(
        db,
        `delete from support_links where sid = any (array(
           select sid from support_links where account_sid = $1 order by sid desc offset ${KEPT_MAX}))`,
        [link.accountSid],
      );
    },
    find: (sid, now) => first<SupportLink>(db, `${LINKS.select} where sid = $1 and expires_at > $2`, [sid, now]),
  };
}

export async function sweepSupportLinks(db: Queryable, now: Date): Promise<void> {
  await sweep(db, "support_links", "expires_at <= $1", [now]);
}
