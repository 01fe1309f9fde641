// Imports numbers and opt-outs of a Twilio account from its CSV files.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, type PhoneBody, take, WIDE } from "../contract/numbers.ts";
import { useTandem } from "../use-tandem.ts";
import { runCommand } from "./tandem-command.ts";

const tandem = useTandem();
let folder: string;
let account: TestAccount;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tandem-import-"));
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, ...rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `\uFEFF${rows.join("\r\n")}\r\n`);
  return path;
}

const operator = () => ({ TANDEM_URL: tandem.url, TANDEM_OPERATOR_TOKEN: tandem.operatorToken });
const owner = () => ({ TANDEM_URL: tandem.url, TANDEM_ACCOUNT_SID: account.sid, TANDEM_TOKEN: account.token });
const phones = async () => [...(await answerOf<List<PhoneBody>>(await account.call("/v1/Phones"), 200)).items];

test("numbers go into the inventory and to the account, once, after a look at what would be done", async () => {
  // Unused numbers: the next ones of the series from which tests take theirs.
  const [first, second] = [await newNumber(tandem), await newNumber(tandem)];
  for (const number of [first, second])
    await answerOf(await tandem.operator(`/operator/v1/Numbers/${number}`, { method: "DELETE" }), 204);
  const csv = fileOf(
    "numbers.csv",
    "Phone Number,Friendly Name,Capabilities",
    `${first},"Support, West","Voice, SMS, MMS"`,
    `${second},${second},SMS`,
    "+1415555,Nowhere,SMS",
    "none,,",
  );
  const command = ["import", "twilio", "numbers", csv, "--account", account.sid, "--json"];
  const planned = await runCommand([...command, "--dry-run"], { environment: operator() });
  expect(JSON.parse(planned.stdout)).toMatchObject({ dryRun: true, counts: { "would be added": 2 } });
  expect(await phones()).toEqual([]);

  const done = await runCommand(command, { environment: operator() });
  expect(JSON.parse(done.stdout)).toMatchObject({
    counts: { added: 2 },
    items: [
      { number: first, result: "added" },
      { number: second, result: "added" },
    ],
    leftOut: [{ row: 3 }, { row: 4 }],
  });
  expect(done.code).toBe(1);
  const given = (await phones()).sort((one, other) => (one.number < other.number ? -1 : 1));
  expect(given.map(({ number, name, features }) => ({ number, name, features }))).toEqual([
    { number: first, name: "Support, West", features: ["SMS", "MMS", "VOICE"] },
    { number: second, name: null, features: ["SMS"] },
  ]);
  const again = await runCommand(command, { environment: operator() });
  expect(JSON.parse(again.stdout)).toMatchObject({ counts: { "was here already": 2 } });

  const other = await newAccount(tandem);
  const theirs = ["import", "twilio", "numbers", csv, "--account", other.sid, "--json"];
  const taken = await runCommand(theirs, { environment: operator() });
  expect(JSON.parse(taken.stdout)).toMatchObject({ counts: { refused: 2 } });
  expect(taken.code).toBe(1);
});

test("opt-outs come from a log of messages, for the number that each was written to", async () => {
  const number = await newNumber(tandem);
  await take(account, number);
  const csv = fileOf(
    "log.csv",
    "From,To,Body,Status,SentDate,ErrorCode,Direction",
    `+12125550111,${number},STOP,received,2026-01-02T00:00:00Z,,inbound`,
    `+12125550112,${number},STOP,received,2026-01-01T00:00:00Z,,inbound`,
    `+12125550112,${number},START,received,2026-01-02T00:00:00Z,,inbound`,
  );
  const done = await runCommand(["import", "twilio", "opt-outs", csv], { environment: owner() });
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining("1 added.") });
  const listed = async () =>
    (await answerOf<List<{ number: string; scope: string }>>(await account.call("/v1/OptOuts"), 200)).items;
  expect(await listed()).toMatchObject([{ number: "+12125550111", scope: number }]);

  const list = fileOf("list.csv", "Phone Number", "+12125550113", "+12125550111");
  const unscoped = await runCommand(["import", "twilio", "opt-outs", list], { environment: owner() });
  expect(unscoped).toMatchObject({ code: 2, stderr: expect.stringContaining("--from NUMBER or --campaign ID") });
  const command = ["import", "twilio", "opt-outs", list, "--from", number];
  expect(await runCommand(command, { environment: owner() })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("1 added, 1 was here already."),
  });
  expect(await listed()).toHaveLength(2);
});
