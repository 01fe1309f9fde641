// Manual ports, by plain HTTP: no clearing house, and an operator who confirms, completes and rejects.

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, newConfig, SOON, WIDE } from "./numbers.ts";
import {
  formOf,
  letter,
  movesOf,
  orderData,
  orderOf,
  orderThatIs,
  type PortOrderBody,
  phoneOf,
  portIn,
  strangeNumbers,
  toldOfOrder,
} from "./port-orders.ts";
import { problemOf } from "./problem.ts";

const HAND = "/operator/v1/PortOrders";
const DATE = "2026-12-24T15:00:00.000Z";

let scratch: string;
let account: TestAccount;
let config: string;

const tandem = useTandem(() => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-ports-"));
  const file = join(scratch, "config.json");
  writeFileSync(file, JSON.stringify({ porting: { kind: "manual" } }));
  return { environment: { TANDEM_CONFIG: file } };
});
beforeAll(async () => {
  account = await newAccount(tandem, { features: ["campaignMigration"], limits: { read: WIDE, write: WIDE } });
  config = await newConfig(account);
});
afterAll(() => rmSync(scratch, { recursive: true }));

const act = (sid: string, verb: string, body: object) => tandem.operator(`${HAND}/${sid}/${verb}`, json("POST", body));
const acted = async (sid: string, verb: string, body: object) =>
  answerOf<PortOrderBody>(await act(sid, verb, body), 200);

test("an order waits for the operator, who confirms a date, completes one number and rejects the other", async () => {
  const [first, second] = strangeNumbers(2) as [string, string];
  const { sid } = await portIn(account, config, [first, second]);
  expect(await acted(sid, "foc", { on: DATE })).toMatchObject({ status: "FocConfirmed", accountSid: account.sid });
  expect((await orderOf(account, sid)).numbers.map(({ focOn }) => focOn)).toStrictEqual([DATE, DATE]);
  await acted(sid, "complete", { numbers: [first] });
  expect(await phoneOf(account, first)).toMatchObject({ status: "PendingTcrCampaignAdd" });
  const done = await acted(sid, "reject", {
    reason: "phone_number_not_portable",
    detail: "They said no.",
    numbers: [second],
  });
  expect(done).toMatchObject({ status: "PartiallyCompleted", reason: expect.stringContaining("They said no.") });
  expect(await phoneOf(account, second)).toMatchObject({
    status: "Removed",
    statusReason: expect.stringContaining("PHONE_NUMBER_NOT_PORTABLE"),
  });
  expect(movesOf(await toldOfOrder(account, sid))).toStrictEqual([
    "none → Submitted",
    "Submitted → FocConfirmed",
    "FocConfirmed → PartiallyCompleted",
  ]);
});

test("an order that waits for the operator needs their attention", async () => {
  const { sid } = await portIn(account, config, strangeNumbers(1));
  const { items } = await answerOf<List<{ readonly cause: string }>>(
    await tandem.operator("/operator/v1/Attention"),
    200,
  );
  expect(items.map(({ cause }) => cause)).toContain("PortsWaiting");
  await acted(sid, "reject", { reason: "phone_number_not_portable", detail: "They said no." });
});

test("PINs are revealed to the operator who asks, and the audit log says so without them", async () => {
  const [wireless, landline] = strangeNumbers(2) as [string, string];
  const pin = "pin-24680";
  const { sid } = await portIn(account, config, [{ number: wireless, pin }, { number: landline }]);
  const reveal = () => tandem.operator(`${HAND}/${sid}/revealPins`, { method: "POST" });
  const revealed = { sid, pins: [{ number: wireless, pin }] };
  expect(await answerOf(await reveal(), 200)).toStrictEqual(revealed);
  const log = await answerOf<List<{ readonly action: string; readonly operator: string }>>(
    await tandem.operator(`/operator/v1/AuditLog?Subject=${sid}`),
    200,
  );
  expect(log.items).toMatchObject([{ action: "revealPortPins", operator: expect.any(String) }]);
  expect(JSON.stringify(log)).not.toContain(pin);
  expect((await account.call(`${HAND}/${sid}/revealPins`, { method: "POST" })).status).toBe(401);
  const unknown = `${HAND}/PO${"0".repeat(32)}/revealPins`;
  await problemOf(await tandem.operator(unknown, { method: "POST" }), 404);

  const [kept] = await tandem.database.query<{ pins: Buffer }>("select pins from port_orders where sid = $1", [sid]);
  const setPins = (pins: Buffer | undefined) =>
    tandem.database.query("update port_orders set pins = $2 where sid = $1", [sid, pins]);
  await setPins(Buffer.alloc(60));
  expect(await problemOf(await reveal(), 409)).toMatchObject({ detail: expect.stringContaining("secret key") });
  await setPins(kept?.pins);
  await acted(sid, "complete", {});
  expect(await answerOf(await reveal(), 200)).toStrictEqual({ sid, pins: [] });
});

test("every action is in the audit log under the operator's name", async () => {
  const { sid } = await portIn(account, config, strangeNumbers(1));
  await acted(sid, "foc", { on: DATE });
  await acted(sid, "complete", { halves: ["voice"] });
  interface Entry {
    readonly action: string;
    readonly details: unknown;
  }
  const { items } = await answerOf<List<Entry>>(await tandem.operator(`/operator/v1/AuditLog?Subject=${sid}`), 200);
  expect(items.map(({ action, details }) => [action, details])).toStrictEqual([
    ["completePort", { halves: ["voice"] }],
    ["confirmPortDate", { on: DATE }],
  ]);
});

test("doing twice what is done changes nothing and is reported once", async () => {
  const [number] = strangeNumbers(1) as [string];
  const { sid } = await portIn(account, config, [number]);
  await acted(sid, "complete", {});
  const first = await phoneOf(account, number);
  await acted(sid, "complete", {});
  expect(await phoneOf(account, number)).toStrictEqual(first);
  expect(movesOf(await toldOfOrder(account, sid))).toStrictEqual(["none → Submitted", "Submitted → Completed"]);
});

test("what does not fit is refused", async () => {
  const { sid } = await portIn(account, config, strangeNumbers(1));
  await acted(sid, "complete", {});
  await problemOf(await act(sid, "reject", { reason: "OTHER" }), 409);
  await problemOf(await act(sid, "foc", { on: DATE }), 409);
  await problemOf(await act(sid, "complete", { numbers: ["+14155550100"] }), 400);
  await problemOf(await act(sid, "complete", { numbers: ["pizza"] }), 400);
  await problemOf(await act(sid, "reject", { reason: "BECAUSE" }), 400);
  await problemOf(await act(sid, "foc", { on: "soon" }), 400);
  await problemOf(await act(`PO${"0".repeat(32)}`, "complete", {}), 404);
  await problemOf(await tandem.operator(`${HAND}/nonsense`), 404);
});

test("a cancellation and an answer to an exception come by the same way", async () => {
  const { sid } = await portIn(account, config, strangeNumbers(1));
  await acted(sid, "exception", { reason: "ACCOUNT_NUMBER_MISMATCH" });
  expect(await orderOf(account, sid)).toMatchObject({ status: "Exception", answerWith: ["accountNumber"] });
  // The submission itself is pending until the first pass.
  await expect.poll(async () => (await orderOf(account, sid)).submitted, SOON).toBe(true);
  await answerOf(await account.call(`/v1/Phones/port-in/${sid}`, json("PATCH", { accountNumber: "B-1" })), 200);
  expect(await orderThatIs(account, sid, "Submitted")).toMatchObject({ accountNumber: "B-1" });
  await answerOf(await account.call(`/v1/Phones/port-in/${sid}/cancel`, { method: "POST" }), 200);
  await orderThatIs(account, sid, "Cancelled");
});

test("submission are handed to the operator as they came, by content and not by name", async () => {
  const [number] = strangeNumbers(1) as [string];
  const bytes = await letter([number]);
  const files = [{ bytes, name: 'Vollmacht für "Łódź".exe' }];
  const { sid } = await answerOf<{ sid: string }>(
    await account.call("/v1/Phones/port-in", formOf(orderData(config, [number]), files)),
    200,
  );
  const paper = await tandem.operator(`${HAND}/${sid}/documents/1`);
  expect(paper.headers.get("content-type")).toBe("application/pdf");
  const responses = await documentedAnswers("/operator/v1/PortOrders/{sid}/documents/{place}");
  expect(responses["200"]).toEqual(["application/pdf", "image/jpeg", "image/png", "image/tiff"]);
  expect(paper.headers.get("content-security-policy")).toContain("sandbox");
  expect(paper.headers.get("content-disposition")).toMatch(/^attachment; filename="Vollmacht f_r [^"]*\.pdf"/);
  const content = Buffer.from(await paper.arrayBuffer());
  expect(content.equals(bytes)).toBe(true);
  const { documents } = await answerOf<PortOrderBody>(await tandem.operator(`${HAND}/${sid}`), 200);
  expect(documents[0]?.sha256).toBe(createHash("sha256").update(content).digest("hex"));
  for (const place of ["2", "0", "x"]) {
    const none = await tandem.operator(`${HAND}/${sid}/documents/${place}`);
    expect(none.status).toBe(place === "2" ? 404 : 400);
    expect(Object.keys(responses)).toContain(String(none.status));
  }
  expect((await account.call(`${HAND}/${sid}/documents/1`)).status).toBe(401);
});

test("orders of all accounts are listed, narrowed by account and status", async () => {
  const other = await newAccount(tandem, { features: ["campaignMigration"] });
  const { sid } = await portIn(other, await newConfig(other), strangeNumbers(1));
  const list = async (query: string) =>
    (await answerOf<List<PortOrderBody>>(await tandem.operator(`${HAND}?PageSize=1000&${query}`), 200)).items.map(
      (order) => order.sid,
    );
  expect(await list("")).toContain(sid);
  expect(await list(`AccountSid=${other.sid}`)).toStrictEqual([sid]);
  expect(await list(`AccountSid=${other.sid}&Status=Completed`)).toStrictEqual([]);
  expect(await list("Status=submitted")).toContain(sid);
});

test("what moves after it was given up stays given up, and the order says so", async () => {
  const [number] = strangeNumbers(1) as [string];
  const { sid } = await portIn(account, config, [number]);
  await acted(sid, "reject", { reason: "OTHER" });
  await problemOf(await act(sid, "complete", {}), 409);
  expect((await phoneOf(account, number)).status).toBe("Removed");
});

/** By status, the media types that the API document names for a GET. */
async function documentedAnswers(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  interface OpenApi {
    readonly paths: Readonly<
      Record<string, { readonly get: { readonly responses: Readonly<Record<string, Answer>> } }>
    >;
  }
  interface Answer {
    readonly content?: object;
  }
  const { paths } = await answerOf<OpenApi>(await fetch(`${tandem.url}/swagger/v1/swagger.json`), 200);
  const answers = Object.entries(paths[path]?.get.responses ?? {});
  return Object.fromEntries(answers.map(([status, { content = {} }]) => [status, Object.keys(content)]));
}
