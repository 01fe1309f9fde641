// Operator tokens have a role, and `support` only reads: every operation of the document is checked.

import { afterAll, beforeAll, expect, test } from "vitest";
import { documentedOperations } from "../../src/server/parts/api.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const NAMES = { support: `support-${process.pid}-${Date.now()}`, admin: `admin-${process.pid}-${Date.now()}` };
const LETTERS = "getPortDocument";

interface Made {
  readonly name: string;
  readonly role: string;
  readonly token: string;
}

let support: Made;

async function newToken(order: object): Promise<Made> {
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", order));
  expect(made.status).toBe(201);
  return (await made.json()) as Made;
}

const asSupport = (path: string, init: RequestInit = {}) =>
  fetch(tandem.url + path, { ...init, headers: { ...basic("operator", support.token), ...init.headers } });

beforeAll(async () => {
  support = await newToken({ name: NAMES.support, role: "Support" });
});
afterAll(async () => {
  for (const name of Object.values(NAMES)) await tandem.operator(`/operator/v1/Tokens/${name}`, { method: "DELETE" });
});

test("a token is an admin's unless it is made for support, and the list shows which", async () => {
  expect(support).toMatchObject({ name: NAMES.support, role: "support" });
  expect(await newToken({ name: NAMES.admin })).toMatchObject({ role: "admin" });
  const { items } = (await (await tandem.operator("/operator/v1/Tokens")).json()) as { items: Made[] };
  const ours = items.filter(({ name }) => Object.values(NAMES).includes(name));
  expect(ours).toStrictEqual([
    { name: NAMES.support, role: "support", createdOn: expect.any(String) },
    { name: NAMES.admin, role: "admin", createdOn: expect.any(String) },
  ]);
  const unknown = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "x", role: "root" }));
  expect((await problemOf(unknown, 400)).errors).toHaveProperty("role");
});

const operations = documentedOperations("operator").map(({ id, method, path }) => ({ id, method, path }));
const isForAdmins = ({ id, method }: { id: string; method: string }) => method !== "GET" || id === LETTERS;
const pathOf = (path: string) => `/operator/v1${path.replace(/\{\w+\}/g, "1")}`;

test.each(operations.filter(isForAdmins))("support is refused $id", async ({ method, path }) => {
  const refusal = await problemOf(await asSupport(pathOf(path), { method }), 403);
  expect(refusal.code).toBe("admin-only");
  expect(refusal.detail).toBe(`The token ${NAMES.support} has the role support, which only reads.`);
});

test.each(operations.filter((operation) => !isForAdmins(operation)))("support may $id", async ({ path }) => {
  const answer = await asSupport(pathOf(path));
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
  expect([200, 400, 404], isStream ? "" : await answer.text()).toContain(answer.status);
  if (isStream) await answer.body?.cancel();
});

test("what support was refused has changed nothing", async () => {
  await problemOf(await asSupport("/operator/v1/Accounts", json("POST", { name: "By support" })), 403);
  const audit = await tandem.operator(`/operator/v1/AuditLog?Operator=${NAMES.support}`);
  const { items } = (await audit.json()) as { items: { action: string }[] };
  const changes = new Set(operations.filter(isForAdmins).map(({ id }) => id));
  expect(items.filter(({ action }) => changes.has(action))).toStrictEqual([]);
});
