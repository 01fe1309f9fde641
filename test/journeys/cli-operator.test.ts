// An operator at the command line: signing in, and supporting an account, on a running server.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { newNumber, WIDE } from "../contract/numbers.ts";
import { useTandem } from "../use-tandem.ts";
import { runCommand } from "./tandem-command.ts";

const tandem = useTandem();
let account: TestAccount;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tandem-cli-operator-"));
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const operator = (...args: readonly string[]) =>
  runCommand(["operator", ...args], {
    environment: { TANDEM_URL: tandem.url, TANDEM_OPERATOR_TOKEN: tandem.operatorToken },
  });
const asOperator = async <Answer>(...args: readonly string[]) => {
  const { code, stderr, stdout } = await operator(...args, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Answer;
};
const asAccount = (...args: readonly string[]) =>
  runCommand(args, {
    environment: { TANDEM_URL: tandem.url, TANDEM_ACCOUNT_SID: account.sid, TANDEM_TOKEN: account.token },
  });

test("an account is suspended with a reason that its refusals show, and resumed", async () => {
  const suspended = await operator("accounts", "suspend", account.sid, "--reason", "unpaid since May");
  expect(suspended.stdout).toMatch(/^Status +Suspended: unpaid since May$/m);
  const refused = { code: 1, stderr: expect.stringContaining("unpaid since May") };
  expect(await asAccount("configs", "list")).toMatchObject(refused);
  expect(await asOperator("accounts", "resume", account.sid)).toMatchObject({
    status: "Active",
    suspendedReason: null,
  });
  expect((await asAccount("account")).stdout).toMatch(new RegExp(`^Sid +${account.sid}$`, "m"));
});

test("features are asked for and granted, limits and countries set", async () => {
  expect(await asAccount("account", "request-feature", "voice")).toMatchObject({ code: 0 });
  const open = await asOperator<{ sid: string; accountSid: string }[]>("features", "requests", "--status", "open");
  const request = open.find(({ accountSid }) => accountSid === account.sid);
  expect(await asOperator("features", "grant", request?.sid ?? "")).toMatchObject({ status: "Granted" });
  expect(await asOperator("accounts", "show", account.sid)).toMatchObject({ features: ["voice"] });
  expect(await asOperator("features", "off", account.sid, "voice")).toMatchObject({ features: [] });
  expect(await asOperator("limits", "set", account.sid, "send=7/3")).toMatchObject({
    send: { requests: 7, windowSeconds: 3 },
  });
  expect(await asOperator("countries", "set", account.sid, "us", "ca")).toEqual(["US", "CA"]);
  expect(await asOperator("countries", "set", account.sid, "own")).toBeNull();
  expect(await operator("limits", "set", account.sid, "send=7")).toMatchObject({ code: 2 });
});

test("a token of an account is replaced, and what was done is in the audit log", async () => {
  const { n, token } = await asOperator<{ n: number; token: string }>("accounts", "tokens", "create", account.sid);
  expect(await asAccount("account", "show", "--token", token)).toMatchObject({ code: 0 });
  expect(await operator("accounts", "tokens", "delete", account.sid, String(n))).toMatchObject({ code: 0 });
  expect(await asAccount("account", "show", "--token", token)).toMatchObject({ code: 1 });
  const entries = await asOperator<{ action: string }[]>("audit", "list", "--subject", account.sid);
  expect(entries.map(({ action }) => action)).toContain("createAccountToken");
});

test("a token of the role support reads and is refused everything else", async () => {
  const name = `helper-${account.sid.slice(-8)}`;
  const { token } = await asOperator<{ token: string }>("tokens", "create", name, "--role", "support");
  expect(await operator("accounts", "show", account.sid, "--token", token)).toMatchObject({ code: 0 });
  expect(await operator("accounts", "resume", account.sid, "--token", token)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("refused (403)"),
  });
  expect(await operator("tokens", "delete", name)).toMatchObject({ code: 0 });
});

test("numbers come into the inventory from a CSV file, and what is no number is reported in its row", async () => {
  const [known, fresh] = [await newNumber(tandem), "+16175550188"];
  const csv = join(folder, "block.csv");
  writeFileSync(csv, `number,of\n${known},Ann\nabc,Bob\n${fresh},Cid\n`);
  const { code, stdout } = await runCommand(["operator", "inventory", "import", "--csv", csv, "--out", "-"], {
    environment: { TANDEM_URL: tandem.url, TANDEM_OPERATOR_TOKEN: tandem.operatorToken },
  });
  expect(code).toBe(1);
  const [header, first, second, third] = stdout.split("\n");
  expect([header, first]).toEqual(["number,of,outcome,error", `${known},Ann,was here already,`]);
  expect(second).toMatch(/^abc,Bob,,.+/);
  expect(third).toMatch(/^\+16175550188,Cid,(added|was here already),$/);
});

test("what an account sees is seen by the operator by the same commands", async () => {
  const seen = await asOperator("configs", "list", "--account", account.sid);
  expect(seen).toEqual(JSON.parse((await asAccount("configs", "list", "--json")).stdout));
  expect((await operator("messages", "list", "--account", account.sid)).stdout).toMatch(/^Created +Sid +From/);
  expect(await operator("messages", "list")).toMatchObject({ code: 2, stderr: expect.stringContaining("--account") });
});

describe("tandem login", () => {
  const login = (args: readonly string[], input?: string) =>
    runCommand(args, {
      environment: { XDG_CONFIG_HOME: folder, TANDEM_DATA_DIR: folder },
      ...(input === undefined ? {} : { input }),
    });

  test("checks credentials and keeps them, for the account and for the operator", async () => {
    const target = ["login", "--url", tandem.url, "--account", account.sid];
    expect(await login([...target, "--token", "wrong"])).toMatchObject({ code: 1 });
    expect((await login(["profiles", "list", "--json"])).stdout).toBe("[]\n");
    expect(await login(target)).toMatchObject({ code: 2, stderr: expect.stringContaining("Not given: --token") });
    const kept = await login([...target, "--token", "-"], `${account.token}\n`);
    expect(kept, kept.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("kept as profile default") });
    expect(statSync(join(folder, "tandem", "profiles.json")).mode & 0o777).toBe(0o600);
    expect((await login(["account"])).stdout).toContain(account.sid);
    expect(await login(["operator", "links", "list"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("tandem login --operator --profile default"),
    });
    expect(await login(["login", "--operator", "--token", "-"], tandem.operatorToken)).toMatchObject({ code: 0 });
    expect(await login(["operator", "links", "list"])).toMatchObject({ code: 0 });
    expect((await login(["account"])).stdout).toContain(account.sid);
  });

  test("profiles are listed without their tokens, chosen and removed", async () => {
    const other = ["login", "--profile", "work", "--url", tandem.url, "--account", account.sid, "--token"];
    expect(await login([...other, account.token])).toMatchObject({ code: 0 });
    const { stdout } = await login(["profiles", "list"]);
    expect(stdout).toMatch(/^\* +work +http/m);
    expect(stdout).not.toContain(account.token);
    expect(await login(["profiles", "use", "default"])).toMatchObject({ code: 0 });
    expect(await login(["profiles", "remove", "work"])).toMatchObject({ code: 0 });
    expect(await login(["account", "--profile", "work"])).toMatchObject({ code: 2 });
  });
});
