// Links for support: an account makes one to a page of the portal, and only operators learn what it names.

import { afterAll, beforeAll, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const NAME = `linked-${process.pid}-${Date.now()}`;
const ADDRESS = "/messages?q=status:Failed+to:%2B14155550101";

interface Link {
  readonly sid: string;
  readonly url: string;
  readonly createdOn: string;
  readonly expiresOn: string;
}

let account: TestAccount;
let support: string;

beforeAll(async () => {
  account = await newAccount(tandem);
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: NAME, role: "support" }));
  support = (await answerOf<{ token: string }>(made, 201)).token;
});
afterAll(async () => {
  await tandem.operator(`/operator/v1/Tokens/${NAME}`, { method: "DELETE" });
});

const linkTo = async (address: string) =>
  answerOf<Link>(await account.call("/v1/Account/supportLinks", json("POST", { address })), 201);
const open = (sid: string) =>
  fetch(`${tandem.url}/operator/v1/SupportLinks/${sid}`, { headers: basic("operator", support) });

test("a link holds no data, support opens it, and the audit log says so", async () => {
  const { sid, url, createdOn, expiresOn } = await linkTo(ADDRESS);
  expect(sid).toMatch(/^SL[0-9a-f]{32}$/);
  expect(new URL(url).pathname + new URL(url).search).toBe(`/support/${sid}`);
  expect(await answerOf(await open(sid), 200)).toStrictEqual({
    sid,
    accountSid: account.sid,
    address: ADDRESS,
    createdOn,
    expiresOn,
  });
  const log = await tandem.operator(`/operator/v1/AuditLog?Subject=${sid}`);
  expect((await answerOf<List<object>>(log, 200)).items).toMatchObject([{ operator: NAME, action: "openSupportLink" }]);
});

test("no account learns what a link names", async () => {
  const { sid } = await linkTo(ADDRESS);
  const headers = basic(account.sid, account.token);
  await problemOf(await fetch(`${tandem.url}/operator/v1/SupportLinks/${sid}`, { headers }), 401);
});

test("a link ends after 30 days, and with many newer ones", async () => {
  const late = await linkTo("/calls");
  expect(Date.parse(late.expiresOn) - Date.parse(late.createdOn)).toBe(30 * 86_400_000);
  await tandem.database.query("update support_links set expires_at = now() - interval '1 second' where sid = $1", [
    late.sid,
  ]);
  expect(await problemOf(await open(late.sid), 404)).toMatchObject({ code: "not-found" });
  const old = await linkTo("/calls");
  await tandem.database.query(
    `insert into support_links (sid, account_sid, address, created_at, expires_at)
     select 'SLf' || substr($1, 4, 23) || lpad(n::text, 8, '0'), $1, '/calls', now(), now() + interval '1 day'
     from generate_series(1, 999) n`,
    [account.sid],
  );
  await answerOf(await open(old.sid), 200);
  await linkTo("/log");
  await problemOf(await open(old.sid), 404);
});

test("a link names a page of the portal", async () => {
  for (const address of ["//elsewhere.example", "https://elsewhere.example", "messages", `/${"a".repeat(2_000)}`]) {
    await problemOf(await account.call("/v1/Account/supportLinks", json("POST", { address })), 400);
  }
});
