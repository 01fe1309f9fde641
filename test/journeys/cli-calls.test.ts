// Calls from the command line, against the whole product with its simulated telephones.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { runCommand } from "./tandem-command.ts";

const tandem = useTandem();
let account: TestAccount;
let number: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tandem-cli-calls-"));
  account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
  number = await newNumber(tandem);
  await take(account, number);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) =>
  runCommand(args, {
    environment: {
      TANDEM_URL: tandem.url,
      TANDEM_ACCOUNT_SID: account.sid,
      TANDEM_TOKEN: account.token,
      TANDEM_NUMBER: number,
      TANDEM_DATA_DIR: folder,
    },
  });

test("tandem call shows how each party rings and answers until a user hangs up", async () => {
  const { code, stderr } = await run("call", "+14155550111", "+14155550107");
  expect(code, stderr).toBe(0);
  const facts = stderr
    .trim()
    .split("\n")
    .map((line) => line.slice(14));
  expect(facts).toEqual([
    expect.stringMatching(/^CA[0-9a-f]{32} was placed$/),
    "First leg rings (+14155550111)",
    "First leg answers",
    "Second leg rings (+14155550107)",
    "Second leg answers",
    "the parties are connected",
    "ended: Completed, by Second",
  ]);
});

test("a call that connects nobody ends with 1, and leaves no recording", async () => {
  const { code, stdout } = await run("call", "+14155550111", "+14155550101", "--json");
  expect({ code, call: JSON.parse(stdout) }).toMatchObject({ code: 1, call: { endReason: "Busy" } });
  const { sid } = JSON.parse(stdout) as { sid: string };
  expect(await run("calls", "recordings", "download", sid)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The call was not recorded."),
  });
});

test("a recorded call is downloaded as MP3, when it is prepared", async () => {
  const recorded = await run("call", "+14155550111", "+14155550107", "--record", "--json");
  expect(recorded.code, recorded.stderr).toBe(0);
  const { sid } = JSON.parse(recorded.stdout) as { sid: string };
  const file = join(folder, "call.mp3");
  const { code, stderr } = await run("calls", "recordings", "download", sid, "-o", file);
  expect(code, stderr).toBe(0);
  const mp3 = readFileSync(file);
  expect(stderr).toMatch(new RegExp(`^${file}: [\\d.]+ s, ${mp3.length} octets$`, "m"));
  expect(mp3.subarray(21, 25).toString()).toBe("Info");
  expect(await run("calls", "recordings", "download", sid, "2")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no segment 2"),
  });
  expect((await run("calls", "show", sid)).stdout).toMatch(/^Recording +Completed, [\d.]+ s in 1 segments$/m);
});

test("calls are listed, shown with what became of them, and hung up", async () => {
  await answerOf(
    await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: "+14155550111" })),
    200,
  );
  expect(await run("sandbox", "call", "--from", "+12125550123", "--seconds", "600")).toMatchObject({ code: 0 });
  const answered = async () =>
    JSON.parse((await run("calls", "list", "--status", "Answered", "--json")).stdout) as { sid: string }[];
  await expect.poll(async () => (await answered()).length, SOON).toBe(1);
  const sid = (await answered())[0]?.sid ?? "";
  expect((await run("calls", "hangup", sid)).stdout).toContain("HungUp");
  const shown = await run("calls", "show", sid);
  expect(shown.stdout).toContain("The hang-up operation ended it.");
  expect(shown.stdout).toMatch(/^Second +\+14155550111 +Completed/m);
});

describe("tandem script check", () => {
  const check = (xml: string, ...more: readonly string[]) => {
    const file = join(folder, "script.xml");
    writeFileSync(file, xml);
    return run("script", "check", file, ...more);
  };

  test("says what a script does", async () => {
    const { code, stderr } = await check("<Response><Dial>+14155550100</Dial></Response>");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "The call is forwarded to +14155550100.\n" });
  });

  test("says where a script is wrong, and why", async () => {
    const xml = "<Response>\n  <Enqueue/>\n</Response>";
    expect(await check(xml)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/script\.xml:2:\d+: .*not Enqueue/),
    });
    const told = await check(xml, "--json");
    expect(JSON.parse(told.stdout)).toMatchObject({ isValid: false, line: 2 });
  });
});
