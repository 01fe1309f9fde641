import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../test/shared-database.ts";
import { newSecretKey, SecretKeys } from "../secrets.ts";
import { Database } from "./engine/database.ts";
import { countUnderOthers, SEALED_COLUMNS, sealAnew } from "./sealed-values.ts";

/** Binary columns that the secret key does not seal: digests, and values that are sealed again with the key itself. */
const OTHERS = [
  "account_tokens.digest",
  "inbound_parts.octets",
  "kept_answers.request_digest",
  "operator_tokens.digest",
  "port_documents.content",
  "retired_keys.sealed",
  "secret_key_check.sealed",
  "sessions.digest",
  "sign_in_tickets.digest",
];

const [older, newer, lost] = [newSecretKey(), newSecretKey(), newSecretKey()];
const sealedBy = (key: typeof older, text: string) => new SecretKeys([key]).seal(text);

let url: string;
let db: Database;
let other: pg.Client;
beforeAll(async () => {
  url = await newDatabase();
  db = new Database(connectionTo(url), silent);
  other = new pg.Client(connectionTo(url));
  await other.connect();
  await db.query(
    "insert into accounts (sid, name, status, features, limit_changes, created_at) values ('AC1', 'A', 'Active', '{}', '{}', now())",
  );
});
beforeEach(async () => {
  await db.query("delete from kept_answers");
  await db.query("delete from webhook_subscriptions");
  await db.query("delete from account_tokens");
});
afterAll(async () => {
  await other.end();
  await db.close();
  await dropDatabase(url);
});

const keepAnswers = (count: number, key = older) =>
  db.query(
    `insert into kept_answers (scope, key, claim_id, request_digest, claimed_at, answer)
     select 'AC1', 'k' || number, gen_random_uuid(), '', now(), sealed from unnest($1::bytea[]) with ordinality as given (sealed, number)`,
    [Array.from({ length: count }, (_, at) => sealedBy(key, `answer ${at + 1}`))],
  );

async function answers(): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ key: string; answer: Buffer }>("select key, answer from kept_answers");
  const box = new SecretKeys([newer]);
  return new Map(rows.map(({ key, answer }) => [key, box.open(answer)]));
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0);
const seal = (keys = [newer, older]) => sealAnew(db, keys, () => undefined);

test("every column of octets is known to be sealed, or not to be", async () => {
  const rows = await db.query<{ name: string }>(
    `select distinct table_name || '.' || column_name as name from information_schema.columns
      where table_schema = current_schema() and (udt_name = 'bytea' or udt_name = '_bytea') order by name`,
  );
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name).sort()).toStrictEqual([...sealed, ...OTHERS].sort());
});

test("everything is sealed again, in as many batches as it takes", async () => {
  await keepAnswers(450);
  expect(sum(await countUnderOthers(db, newer))).toBe(450);
  let reported = 0;
  const pass = await sealAnew(db, [newer, older], (count) => {
    reported += count;
  });
  expect(pass).toStrictEqual({ sealed: 450, unreadable: 0, left: 0 });
  expect(reported).toBe(450);
  expect(sum(await countUnderOthers(db, newer))).toBe(0);
  const opened = await answers();
  expect(opened.size).toBe(450);
  expect(opened.get("k449")).toBe("answer 449");
  expect(await seal()).toStrictEqual({ sealed: 0, unreadable: 0, left: 0 });
});

test("secret, bearer and replaced secrets of a subscription are sealed; what no key opens stays as it is", async () => {
  const gone = sealedBy(lost, "gone");
  await db.query(
    `insert into webhook_subscriptions (sid, account_sid, types, url, payload_shape, enabled, secret, secret_created_at, created_at, bearer, replaced_secrets, replaced_until)
     values ('WS1', 'AC1', '{a}', '', 'A', true, $1, now(), now(), $2, $3, array[now(), now()])`,
    [sealedBy(older, "secret"), gone, [sealedBy(older, "replaced"), gone]],
  );
  expect(await seal()).toStrictEqual({ sealed: 2, unreadable: 1, left: 0 });
  expect(await seal()).toStrictEqual({ sealed: 0, unreadable: 2, left: 0 });
  const [row] = await db.query<{ secret: Buffer; bearer: Buffer; replaced: Buffer[] }>(
    "select secret, bearer, replaced_secrets as replaced from webhook_subscriptions",
  );
  const box = new SecretKeys([newer]);
  expect(box.open(row?.secret as Buffer)).toBe("secret");
  expect(box.open(row?.replaced[0] as Buffer)).toBe("replaced");
  expect([row?.bearer, row?.replaced[1]]).toStrictEqual([gone, gone]);
});

test("signing tokens are sealed again, both of an account, and tokens that do not sign stay as they are", async () => {
  await db.query(
    `insert into accounts (sid, name, status, features, limit_changes, created_at)
     select 'ACs' || number, 'S', 'Active', '{}', '{}', now() from generate_series(1, 150) as number on conflict do nothing`,
  );
  const rows = Array.from({ length: 300 }, (_, at) => [`ACs${(at >> 1) + 1}`, (at % 2) + 1, `token ${at}`] as const);
  await db.query(
    `insert into account_tokens (account_sid, n, digest, created_at, sealed)
     select sid, n, '', now(), sealed from unnest($1::text[], $2::int[], $3::bytea[]) as given (sid, n, sealed)`,
    [rows.map(([sid]) => sid), rows.map(([, n]) => n), rows.map(([, , text]) => sealedBy(older, text))],
  );
  await db.query("insert into account_tokens (account_sid, n, digest, created_at) values ('AC1', 1, '', now())");
  expect((await countUnderOthers(db, newer)).get("signing tokens")).toBe(300);
  expect(await seal()).toStrictEqual({ sealed: 300, unreadable: 0, left: 0 });
  const stored = await db.query<{ sid: string; n: number; sealed: Buffer }>(
    "select account_sid as sid, n, sealed from account_tokens where sealed is not null",
  );
  const box = new SecretKeys([newer]);
  const opened = stored.map(({ sid, n, sealed }) => [sid, n, box.open(sealed)]);
  expect(new Set(opened.map(String))).toStrictEqual(new Set(rows.map(String)));
});

test("a row that is being changed is not waited for, and what it becomes is not overwritten", async () => {
  await keepAnswers(3);
  await other.query("begin");
  await other.query("update kept_answers set answer = $1 where key = 'k2'", [sealedBy(older, "changed")]);
  expect(await seal()).toStrictEqual({ sealed: 2, unreadable: 0, left: 1 });
  await other.query("commit");
  expect(await seal()).toStrictEqual({ sealed: 1, unreadable: 0, left: 0 });
  expect((await answers()).get("k2")).toBe("changed");
});
