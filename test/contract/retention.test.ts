// How long an account's records are kept: the operator sets it, and the server deletes what is older.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { firstSidAt } from "../../src/base/ids.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { messageOf, newMessenger, SEND, UNTIL } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const DAY_MS = 24 * 3_600_000;
const KEPT = { messageDays: 30, callDays: 365, eventDays: null };

/** A message that was delivered so long ago. */
async function addOld(accountSid: string, days: number): Promise<string> {
  const at = new Date(Date.now() - days * DAY_MS);
  const sid = firstSidAt("OM", at) + randomBytes(10).toString("hex");
  await tandem.database.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority,
        created_at, sent_at, delivered_at, expires_at)
     values ($1, $2, '+14155550100', '+12125550101', 'Long ago', 'Delivered', 1, 'GSM7', 2, $3, $3, $3, $3)`,
    [accountSid, sid, at],
  );
  return sid;
}

test("the operator sets for how many days what an account has is kept, and the audit log says who did", async () => {
  const account = await newMessenger(tandem);
  const path = `/operator/v1/Accounts/${account.sid}`;
  const seen = async () => answerOf<object>(await tandem.operator(path), 200);
  expect(await seen()).toMatchObject({ messageDays: null, callDays: null, eventDays: null });
  await answerOf(await tandem.operator(path, json("PATCH", { messageDays: 30, callDays: 365 })), 200);
  expect(await seen()).toMatchObject(KEPT);
  for (const messageDays of [0, -1, 1.5, "30", 36_501]) {
    const { errors } = await problemOf(await tandem.operator(path, json("PATCH", { messageDays })), 400);
    expect(Object.keys(errors ?? {})).toStrictEqual(["messageDays"]);
  }
  expect(await seen()).toMatchObject(KEPT);
  const audit = await tandem.operator(`/operator/v1/AuditLog?Subject=${account.sid}`);
  const { items } = await answerOf<List<object>>(audit, 200);
  expect(items[0]).toMatchObject({ action: "changeAccount", details: { messageDays: 30, callDays: 365 } });
  await answerOf(await tandem.operator(path, json("PATCH", { messageDays: null, callDays: null })), 200);
  expect(await seen()).toMatchObject({ messageDays: null, callDays: null, eventDays: null });
});

test("the server deletes what is older soon after it was told to, and nothing of another account", async () => {
  const [account, other] = [await newMessenger(tandem), await newMessenger(tandem)];
  const old = [await addOld(account.sid, 40), await addOld(other.sid, 40)] as const;
  const young = await addOld(account.sid, 20);
  await account.change({ messageDays: 30 });
  await expect.poll(async () => (await account.call(`${SEND}/${old[0]}`)).status, UNTIL).toBe(404);
  expect(await messageOf(account, young)).toMatchObject({ status: "Delivered" });
  expect(await messageOf(other, old[1])).toMatchObject({ status: "Delivered" });
  const { items } = await answerOf<List<object>>(await tandem.operator("/operator/v1/Reconciles"), 200);
  expect(items).toContainEqual(expect.objectContaining({ name: "delete-old-records", outcome: "Done" }));
});
