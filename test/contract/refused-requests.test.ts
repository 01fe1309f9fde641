// Refused requests can be found by their trace or request id, by the account that made them and by operators.

import { beforeAll, expect, test } from "vitest";
import { sweepRefusedRequests } from "../../src/adapters/store/accounts/refused-requests.ts";
import { exchange } from "../raw-http.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { form, SEND, UNTIL } from "./messages.ts";
import { answerOf, type List, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Refused {
  readonly createdOn: string;
  readonly accountSid?: string | null;
  readonly operation: string | null;
  readonly status: number;
  readonly code: string;
  readonly fault: string | null;
  readonly traceId: string;
  readonly requestId: string;
}

const tandem = useTandem();
const SECRET = "hunter2-and-more";
let account: TestAccount;
let made = 0;

beforeAll(async () => {
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE, send: WIDE } });
});

const newRequestId = () => `refused-${process.pid}-${Date.now()}-${++made}`;
const find = async (call: TestAccount["call"], path: string) =>
  (await answerOf<List<Refused>>(await call(path), 200)).items;

/** Makes a request under a new id, and returns its record once it exists. */
async function recordOf(
  request: (headers: Record<string, string>) => Promise<unknown>,
  call: TestAccount["call"] = account.call,
  at = "/v1",
): Promise<Refused> {
  const requestId = newRequestId();
  await request({ "X-Request-Id": requestId });
  const path = `${at}/Requests?RequestId=${requestId}`;
  await expect.poll(async () => (await find(call, path)).length, UNTIL).toBe(1);
  return (await find(call, path))[0] as Refused;
}

const MESSAGE = { To: "pizza", From: "", Text: SECRET, [SECRET]: SECRET, AuthToken: SECRET };
const sent = (init: RequestInit) => (headers: Record<string, string>) =>
  account.call(SEND, { ...init, headers: { ...init.headers, ...headers } });

test.each<[string, () => RequestInit]>([
  ["by the fast path", () => form(MESSAGE)],
  ["by the framework", () => ({ ...json("POST", MESSAGE), headers: { "Content-Type": "application/json;a=b" } })],
])("a message that is refused %s is found, without what it said", async (_, order) => {
  let refusal: { traceId: string } | undefined;
  const record = await recordOf(async (headers) => {
    refusal = await problemOf(await sent(order())(headers), 400);
  });
  expect(record).toStrictEqual({
    createdOn: expect.stringMatching(/Z$/),
    operation: "sendMessage",
    status: 400,
    code: "sender-invalid",
    fault: expect.stringMatching(/^[\w, ]*a field that is not known[\w, ]*$/),
    traceId: refusal?.traceId,
    requestId: expect.any(String),
  });
  for (const name of ["From", "To"]) expect(record.fault).toContain(name);
  expect(await find(account.call, `/v1/Requests?TraceId=${record.traceId}`)).toStrictEqual([record]);
  const rows = await tandem.database.query("select refused_requests::text as row from refused_requests");
  expect(JSON.stringify(rows)).not.toContain(SECRET);
  expect(JSON.stringify(rows)).not.toContain(account.token);
});

const get = (path: string, init?: RequestInit) => (headers: Record<string, string>) =>
  account.call(path, { ...init, headers: { ...init?.headers, ...headers } });

test.each<[string, number, string, (headers: Record<string, string>) => Promise<unknown>]>([
  ["what is not there", 404, "not-found", get("/v1/Webhooks/WS1")],
  ["a body that is no JSON", 400, "validation", get("/v1/Webhooks", { ...json("POST", {}), body: "{" })],
  ["a body that is too large", 413, "body-too-large", get("/v1/Webhooks", json("POST", "x".repeat(300_000)))],
  [
    "an Idempotency-Key that is too long",
    400,
    "validation",
    get("/v1/Account/tokens", { method: "POST", headers: { "Idempotency-Key": "x".repeat(256) } }),
  ],
  ["media of nobody", 404, "not-found", get("/v1/Media/ME1")],
])("%s is found by its account", async (_, status, code, request) => {
  expect(await recordOf(request)).toMatchObject({ status, code });
});

test("requests of nobody known are found by operators, who leave an entry in the audit log", async () => {
  const anybody =
    (path: string, init: RequestInit = {}) =>
    (headers: Record<string, string>) =>
      fetch(tandem.url + path, { ...init, headers: { ...init.headers, ...headers } });
  const asOperator = (request: Parameters<typeof recordOf>[0]) => recordOf(request, tandem.operator, "/operator/v1");
  const wrong = basic(account.sid, SECRET);
  const shared = { accountSid: null, operation: null };
  expect(await asOperator(anybody("/v1/Account", { headers: wrong }))).toMatchObject({
    ...shared,
    operation: "getAccount",
    status: 401,
  });
  expect(await asOperator(anybody("/v1/Nothing"))).toMatchObject({ ...shared, status: 404 });
  expect(await asOperator(anybody("/v1/Account", { method: "PUT" }))).toMatchObject({ ...shared, status: 405 });
  const malformed = (headers: Record<string, string>) =>
    exchange(
      tandem.url,
      `GET /v1/%zz HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${headers["X-Request-Id"]}\r\nConnection: close\r\n\r\n`,
    );
  expect(await asOperator(malformed)).toMatchObject({ ...shared, status: 400 });
  const byAccount = await asOperator(get("/v1/Webhooks/WS1"));
  expect(byAccount).toMatchObject({ accountSid: account.sid, status: 404 });
  const path = `/operator/v1/Accounts/${account.sid}/Requests?RequestId=${byAccount.requestId}`;
  const { accountSid: _, ...own } = byAccount;
  expect(await find(tandem.operator, path)).toStrictEqual([own]);
  const audit = await answerOf<List<{ action: string; details: { RequestId?: string } }>>(
    await tandem.operator("/operator/v1/AuditLog?PageSize=1000"),
    200,
  );
  const looked = audit.items.filter(({ details }) => details?.RequestId === byAccount.requestId);
  expect(new Set(looked.map(({ action }) => action))).toStrictEqual(
    new Set(["listAllRequests", "listRequestsOfAccount"]),
  );
});

test("the list has the filters and pages of every list, and shows nothing of others", async () => {
  const other = await newAccount(tandem);
  const mine = (headers: Record<string, string>) => other.call("/v1/Phones/zzz", { headers });
  const first = await recordOf(mine, other.call);
  const second = await recordOf((headers) => other.call("/v1/Webhooks/WS1", { headers }), other.call);
  expect(await find(other.call, "/v1/Requests")).toStrictEqual([second, first]);
  expect(await find(other.call, "/v1/Requests?Status=404")).toStrictEqual([second]);
  expect(await find(other.call, "/v1/Requests?OrderByDirection=Ascending&PageSize=1")).toStrictEqual([first]);
  const page = await answerOf<List<Refused>>(await other.call("/v1/Requests?PageSize=1"), 200);
  expect(await find(other.call, `/v1/Requests?PageSize=1&SearchId=${page.searchId}`)).toStrictEqual([first]);
  const later = new Date(Date.parse(second.createdOn) + 1).toISOString();
  expect(await find(other.call, `/v1/Requests?CreatedOnFrom=${later}`)).toStrictEqual([]);
  expect(await find(other.call, `/v1/Requests?CreatedOnTo=${first.createdOn}`)).toStrictEqual([first]);
  expect(await find(account.call, `/v1/Requests?RequestId=${first.requestId}`)).toStrictEqual([]);
  await problemOf(await other.call("/v1/Requests?Status=200"), 400);
});

test("what succeeds is not kept, and what is older than a week goes", async () => {
  const requestId = newRequestId();
  await answerOf(await account.call("/v1/Account", { headers: { "X-Request-Id": requestId } }), 200);
  const later = await recordOf(get("/v1/Webhooks/WS1"));
  expect(await find(account.call, `/v1/Requests?RequestId=${requestId}`)).toStrictEqual([]);
  const old = new Date(Date.now() - 7 * 24 * 3_600_000 - 60_000);
  await tandem.database.query("update refused_requests set created_at = $2 where request_id = $1", [
    later.requestId,
    old,
  ]);
  await sweepRefusedRequests(tandem.database, new Date());
  expect(await find(account.call, `/v1/Requests?RequestId=${later.requestId}`)).toStrictEqual([]);
});
