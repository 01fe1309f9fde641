// The key that signs `X-Twilio-Signature`: the account's signing token, or without one its own signing secret. It is
// read for every request that is signed, and not cached: a token that was deleted or replaced before signs nothing, in
// any process. Requests that are signed at the same time share a statement.

import type { Clock } from "../../../base/clock.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import { signingToken } from "../../../domain/accounts/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { TwilioKeyOf } from "../../webhook-signer.ts";
import type { Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";
import { callbackSecrets, callbackSid } from "./callbacks.ts";

interface KeyRow {
  readonly accountSid: string;
  /** The number of a token; 0: the account's own secret. */
  readonly n: number;
  readonly createdOn: Date;
  readonly isPromoted: boolean;
  readonly sealed: Buffer;
}

const READ = `
select account_sid as "accountSid", n, created_at as "createdOn", is_promoted as "isPromoted", sealed
  from account_tokens where account_sid = any ($1::text[]) and sealed is not null
union all
select account_sid, 0, created_at, false, secret from webhook_subscriptions where sid = any ($2::text[])`;

export function signingKeys(db: Queryable, box: SecretBox, clock: Clock): TwilioKeyOf {
  const rows = gather(async (accountSids: readonly string[]) => {
    const found = await db.query<KeyRow>(READ, [accountSids, accountSids.map(callbackSid)]);
    const byAccount = new Map<string, KeyRow[]>(accountSids.map((sid) => [sid, []]));
    for (const row of found) byAccount.get(row.accountSid)?.push(row);
    return accountSids.map((sid) => inUse(byAccount.get(sid) ?? []));
  });
  return async (accountSid) => {
    const row = await rows.ask(accountSid);
    if (row) return opened(box, row);
    await callbackSecrets(db, box).ensure(accountSid, clock.now());
    const made = await rows.ask(accountSid);
    return made ? opened(box, made) : refused("not sent: the account has nothing to sign with");
  };
}

function inUse(rows: readonly KeyRow[]): KeyRow | undefined {
  return signingToken(rows.filter(({ n }) => n > 0)) ?? rows.find(({ n }) => n === 0);
}

function opened(box: SecretBox, { n, sealed }: KeyRow): Result<string, string> {
  try {
    return ok(box.open(sealed));
  } catch {
    const advice = n === 0 ? "make a new one, or a signing token" : "delete it and make another";
    const what = n === 0 ? "the account's secret for callbacks" : `signing token ${n}`;
    return refused(`not sent: ${what} cannot be decrypted; ${advice}`);
  }
}
