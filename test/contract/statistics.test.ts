// The counts of an account beside its lists: they agree to the unit, also when the server is killed in between.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { inAnHour, newSender, SEND, send, UNTIL } from "./messages.ts";
import { answerOf, type List, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Counts {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly step: string;
  readonly countedUntil: string | null;
  readonly items: readonly {
    readonly from: string;
    readonly outcome: string;
    readonly carrier: string | null;
    readonly count: number;
  }[];
}

interface Listed {
  readonly createdOn: string;
  readonly status: string;
  readonly endReason?: string | null;
  readonly carrier?: string | null;
}

const LISTS = { Messages: SEND, Calls: "/v1/Voice/Calls", Deliveries: "/v1/Webhooks/deliveries" } as const;
type Kind = keyof typeof LISTS;

const dataDir = mkdtempSync(join(tmpdir(), "tandem-statistics-"));
let databaseUrl: string;
let tandem: Tandem;
let database: Database;
let made: TestAccount;
let receiver: HealthyReceiver;

beforeAll(async () => {
  databaseUrl = await newDatabase();
  tandem = await startTandem({ dataDir, databaseUrl });
  database = databaseOf(tandem);
  receiver = await startHealthy();
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE };
  made = await newAccount(tandem, { features: ["voice"], limits });
});
afterAll(async () => {
  await receiver.close();
  await database.close();
  await tandem.stop();
  await dropDatabase(databaseUrl);
  forgetTandem(dataDir);
});

/** By the server that runs now. */
const account: TestAccount = {
  get sid() {
    return made.sid;
  },
  get token() {
    return made.token;
  },
  call: (path, init) =>
    fetch(tandem.url + path, { ...init, headers: { ...basic(made.sid, made.token), ...init?.headers } }),
  change: (change) => made.change(change),
};

const counted = async (kind: Kind, query = "") =>
  answerOf<Counts>(await account.call(`/v1/Statistics?Kind=${kind}${query}`), 200);

async function listAll(kind: Kind): Promise<readonly Listed[]> {
  const items: Listed[] = [];
  for (let next = ""; ; ) {
    const page = await answerOf<List<Listed>>(await account.call(`${LISTS[kind]}?PageSize=100${next}`), 200);
    items.push(...page.items);
    if (page.searchId === undefined) return items;
    next = `&SearchId=${page.searchId}`;
  }
}

/** What the list has, as the statistics should show it. */
function countsOf(items: readonly Listed[], step: "Hour" | "Day"): readonly string[] {
  const counts = new Map<string, number>();
  for (const { createdOn, status, endReason, carrier } of items) {
    const from = step === "Hour" ? `${createdOn.slice(0, 13)}:00:00.000Z` : `${createdOn.slice(0, 10)}T00:00:00.000Z`;
    const key = `${from} ${endReason ?? status} ${carrier ?? null}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${key} ${count}`).toSorted();
}

const shown = ({ items }: Counts) =>
  items.map(({ from, outcome, carrier, count }) => `${from} ${outcome} ${carrier} ${count}`).toSorted();

/** Until what is under way has ended and is counted. */
async function expectAgreement(total: Readonly<Record<Kind, number>>): Promise<void> {
  for (const kind of ["Messages", "Calls", "Deliveries"] as const) {
    await expect
      .poll(async () => {
        const items = await listAll(kind);
        const isSame = async (step: "Hour" | "Day") =>
          shown(await counted(kind, `&Step=${step}`)).join("\n") === countsOf(items, step).join("\n");
        return { count: items.length, isSame: (await isSame("Hour")) && (await isSame("Day")) };
      }, UNTIL)
      .toStrictEqual({ count: total[kind], isSame: true });
  }
}

const place = (from: string, to: string) =>
  account.call("/v1/Voice/Calls", json("POST", { from: "+14155550111", to, callerId: from }));

test("messages, calls and deliveries are counted as the lists have them, also after a kill", async () => {
  const { number } = await newSender(tandem, database, account);
  const types = { types: ["OutboundMessageStatusChanged"] };
  await answerOf(await account.call("/v1/Webhooks", json("POST", { ...types, url: receiver.url })), 201);
  await answerOf(await account.call("/v1/Webhooks", json("POST", { ...types, url: "http://127.0.0.1:1/" })), 201);
  const traffic = async () => {
    const lines = ["0100", "0101", "0106", "0109", "0112"].flatMap((line) => [`+1415555${line}`, `+1212555${line}`]);
    await Promise.all(lines.map((To) => send(account, { From: number, To, Text: "Hello" })));
    const later = await send(account, { From: number, To: "+14155550100", Text: "Later", SendAt: inAnHour() });
    await send(account, { From: number, To: "+14155550100", Text: "Later", SendAt: inAnHour() });
    await answerOf(await account.call(`${SEND}/${later.sid}/cancel`, { method: "POST" }), 200);
    for (const to of ["+14155550101", "+14155550103", "+14155550107"]) await answerOf(await place(number, to), 201);
  };
  const sentBecomes = (count: number) =>
    expect
      .poll(async () => (await listAll("Messages")).filter(({ status }) => status === "Sent").length, UNTIL)
      .toBe(count);
  await traffic();
  // The carrier dies with the server, and with it the receipts that it has not sent.
  await expect
    .poll(async () => (await listAll("Messages")).filter(({ status }) => status === "Queued").length, UNTIL)
    .toBe(1);
  await sentBecomes(2);
  await tandem.kill();
  tandem = await startTandem({ dataDir, databaseUrl });
  await traffic();
  // Of each round: four of a final status by two statuses, two that stay Sent, two rejected, one canceled, one waiting.
  const messages = await listAll("Messages");
  expect(messages).toHaveLength(24);
  await sentBecomes(4);
  await expect
    .poll(async () => (await listAll("Calls")).every(({ status }) => status === "Completed"), UNTIL)
    .toBe(true);
  const events = (await listAll("Deliveries")).length;
  expect(events).toBeGreaterThan(60);
  await expectAgreement({ Messages: 24, Calls: 6, Deliveries: events });
  const { items } = await counted("Messages", "&Step=Day");
  expect(new Set(items.map(({ outcome }) => outcome))).toStrictEqual(
    new Set(["Canceled", "Delivered", "Failed", "Queued", "Sent"]),
  );
  const seen = await tandem.operator(`/operator/v1/Accounts/${account.sid}/Statistics?Kind=calls`);
  expect(shown(await answerOf<Counts>(seen, 200))).toStrictEqual(shown(await counted("Calls")));
});

test("a span is answered in whole steps, and says until when everything is counted", async () => {
  const span = "&From=2026-01-31T09:30:00Z&To=2026-01-31T10:00:00.001Z";
  expect(await counted("Calls", span)).toStrictEqual({
    kind: "Calls",
    from: "2026-01-31T09:00:00.000Z",
    to: "2026-01-31T11:00:00.000Z",
    step: "Hour",
    countedUntil: expect.any(String),
    items: [],
  });
  expect(await counted("Calls", `${span}&Step=Day`)).toMatchObject({
    from: "2026-01-31T00:00:00.000Z",
    to: "2026-02-01T00:00:00.000Z",
  });
  const before = (await counted("Calls")).countedUntil ?? "";
  await expect.poll(async () => ((await counted("Calls")).countedUntil ?? "") > before, UNTIL).toBe(true);
});

test.each([
  ["", { Kind: [expect.any(String)] }],
  ["?Kind=Texts", { Kind: [expect.any(String)] }],
  ["?Kind=Calls&Step=Minute", { Step: [expect.any(String)] }],
  ["?Kind=Calls&From=yesterday", { From: [expect.any(String)] }],
  ["?Kind=Calls&From=2026-02-01T00:00:00Z&To=2026-01-31T00:00:00Z", { From: ["This is after `To`."] }],
  [
    "?Kind=Calls&From=2026-01-01T00:00:00Z&To=2026-02-02T00:00:00Z",
    { From: ["By the hour, ask for at most 31 days."] },
  ],
  [
    "?Kind=Calls&Step=Day&From=2024-01-01T00:00:00Z&To=2026-02-02T00:00:00Z",
    { From: ["By the day, ask for at most 366 days."] },
  ],
])("/v1/Statistics%s is refused", async (query, errors) => {
  expect(await problemOf(await account.call(`/v1/Statistics${query}`), 400)).toMatchObject({ errors });
});
