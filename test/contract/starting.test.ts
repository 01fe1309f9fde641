// What a start prints, what it keeps for the next start, and what it refuses, with advice.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand, startCommand } from "../journeys/tandem-command.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, failToStart, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { answerOf } from "./numbers.ts";

let dataDir: string;
let databaseUrl: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tandem-starting-"));
  databaseUrl = await newDatabase();
});
afterEach(async () => {
  rmSync(dataDir, { recursive: true });
  await dropDatabase(databaseUrl);
});

const GIVEN = "a-token-that-the-environment-gives";

const demoEnv = (): Readonly<Record<string, string>> => {
  const lines = readFileSync(join(dataDir, "demo.env"), "utf8").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => line.split("=", 2)));
};

/** Starts and stops the server; returns its output, log included. */
async function outputOfStart(environment: Readonly<Record<string, string>>): Promise<string> {
  const tandem = await startTandem({
    dataDir,
    databaseUrl,
    environment: { TANDEM_LOG_LEVEL: "debug", ...environment },
  });
  expect((await tandem.operator("/operator/v1/Accounts")).status).toBe(200);
  await tandem.stop();
  return tandem.output();
}

test.each([
  ["was there before", ""],
  ["a start makes", "data"],
])("a data directory that %s is its owner's alone", async (_, name) => {
  const parent = dataDir;
  dataDir = join(parent, name);
  await outputOfStart({});
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  dataDir = parent;
});

test("an operator's token that the environment gives is printed by no start", async () => {
  const environment = { TANDEM_OPERATOR_TOKEN: GIVEN };
  for (const more of [{ TANDEM_SANDBOX: "off" }, { TANDEM_SANDBOX: "off" }, { TANDEM_SANDBOX: "on" }]) {
    const output = await outputOfStart({ ...environment, ...more });
    expect(output).not.toContain(GIVEN);
    expect(output).toContain("  Operator   its token is that of TANDEM_OPERATOR_TOKEN");
  }
  // A demo keeps it for clients while it is valid, and it is still a secret.
  expect(demoEnv()).toMatchObject({ TANDEM_OPERATOR_TOKEN: GIVEN });
  const output = await outputOfStart({});
  expect(output).not.toContain(GIVEN);
  expect(output).toContain(`  Operator   its token is in ${dataDir}/demo.env`);
});

test("nor is it in the line that programs read", async () => {
  const environment = { TANDEM_DATA_DIR: dataDir, TANDEM_DATABASE_URL: databaseUrl, TANDEM_PORT: "0" };
  const { child, ended } = startCommand(["serve", "--json"], {
    environment: { ...environment, TANDEM_OPERATOR_TOKEN: GIVEN },
  });
  child.stdout?.on("data", (chunk: Buffer) => chunk.includes('"ready"') && child.kill("SIGTERM"));
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(stdout).toContain('"event":"ready"');
  expect(stdout + stderr).not.toContain(GIVEN);
});

test("a start waits for a database that is too busy to answer in time", async () => {
  const holder = new pg.Client(connectionTo(databaseUrl));
  await holder.connect();
  await holder.query("begin; lock table account_tokens in access exclusive mode");
  const { child, ended } = startCommand(["serve", "--json"], {
    environment: {
      TANDEM_DATA_DIR: dataDir,
      TANDEM_DATABASE_URL: databaseUrl,
      TANDEM_DATABASE_SECONDS: "2",
      TANDEM_PORT: "0",
    },
  });
  child.stdout?.on("data", (chunk: Buffer) => {
    if (chunk.includes("waiting for PostgreSQL: ")) void holder.query("commit");
    if (chunk.includes('"ready"')) child.kill("SIGTERM");
  });
  const { code, stdout } = await ended;
  await holder.end();
  expect(stdout).toContain("waiting for PostgreSQL: ");
  expect(stdout).toContain('"event":"ready"');
  expect(code).toBe(0);
});

test("an operator's token that the first start made is printed by it, and never again", async () => {
  const first = await startTandem({ dataDir, databaseUrl });
  const { operatorToken } = first;
  await first.stop();
  expect(first.output()).toContain(`  Operator   operator:${operatorToken}\n`);
  const output = await outputOfStart({});
  expect(output).not.toContain(operatorToken);
  expect(demoEnv()).toMatchObject({ TANDEM_OPERATOR_TOKEN: operatorToken });
});

const newToken = async (tandem: Tandem) =>
  (await answerOf<{ token: string }>(await tandem.get("/v1/Account/tokens", { method: "POST" }), 201)).token;

const accountsOf = async (tandem: Tandem) =>
  (await answerOf<{ items: { sid: string }[] }>(await tandem.operator("/operator/v1/Accounts"), 200)).items.map(
    ({ sid }) => sid,
  );

/** Deletes the token in demo.env, authenticated by another one. */
async function deleteFirst(tandem: Tandem, token: string): Promise<void> {
  const headers = basic(tandem.accountSid, token);
  expect((await tandem.get("/v1/Account/tokens/1", { method: "DELETE", headers })).status).toBe(204);
}

test("a start after the demo's token was rotated keeps its account, and makes it a token that works", async () => {
  const first = await startTandem({ dataDir, databaseUrl });
  const own = await newToken(first);
  await deleteFirst(first, own);
  await first.stop();
  const second = await startTandem({ dataDir, databaseUrl });
  expect(await accountsOf(second)).toStrictEqual([first.accountSid]);
  expect(demoEnv()).toMatchObject({ TANDEM_ACCOUNT_SID: first.accountSid, TANDEM_TOKEN: second.token });
  expect((await second.get("/v1/Account")).status).toBe(200);
  // The token that was created by hand still works.
  expect((await second.get("/v1/Account", { headers: basic(first.accountSid, own) })).status).toBe(200);
  expect(second.output()).toContain(`  Token      ${second.token}\n`);
  await second.stop();
  // From then on this token is kept.
  const third = await startTandem({ dataDir, databaseUrl });
  expect(third.token).toBe(second.token);
  await third.stop();
});

test("the demo's token signs, also of an account that was made before tokens did", async () => {
  const signs = async (tandem: Tandem) =>
    expect(await answerOf(await tandem.get("/v1/Account"), 200)).toMatchObject({
      tokens: [{ n: 1, signs: true, toolWrites: false }],
      signingToken: 1,
    });
  const first = await startTandem({ dataDir, databaseUrl });
  await signs(first);
  const database = databaseOf(first);
  await database.query("update account_tokens set sealed = null");
  await database.close();
  await first.stop();
  const second = await startTandem({ dataDir, databaseUrl });
  expect(second.token).toBe(first.token);
  await signs(second);
  await second.stop();
});

test("where both tokens of the demo's account were made by hand, a start says what to do", async () => {
  const first = await startTandem({ dataDir, databaseUrl });
  const own = await newToken(first);
  await deleteFirst(first, own);
  const headers = basic(first.accountSid, own);
  expect((await first.get("/v1/Account/tokens", { method: "POST", headers })).status).toBe(201);
  await first.stop();
  const second = await startTandem({ dataDir, databaseUrl });
  expect(await accountsOf(second)).toStrictEqual([first.accountSid]);
  expect(second.output()).toContain("  Token      not known here");
  expect(second.output()).not.toContain("curl");
  expect(demoEnv()).not.toHaveProperty("TANDEM_TOKEN");
  expect(demoEnv()).toMatchObject({ TANDEM_ACCOUNT_SID: first.accountSid });
  expect((await second.get("/v1/Account", { headers })).status).toBe(200);
  await second.stop();
});

test("one address of this machine is enough for SIP, and the account shows it", async () => {
  const config = join(dataDir, "config.json");
  writeFileSync(config, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2"] } }));
  const tandem = await startTandem({ dataDir, databaseUrl, environment: { TANDEM_CONFIG: config } });
  const account = await answerOf(await tandem.get("/v1/Account"), 200);
  expect(account).toMatchObject({ sipSourceAddresses: ["127.0.0.2"] });
  const environment = { TANDEM_CONFIG: config, TANDEM_DATA_DIR: dataDir, TANDEM_DATABASE_URL: databaseUrl };
  const doctor = await runCommand(["doctor"], { environment: { ...environment, TANDEM_SIP_PORT: "0" } });
  expect(doctor.stdout).toMatch(/^ok +Settings/m);
  expect(doctor.stdout.match(/^warn +SIP +127\.0\.0\.2 /gm)).toHaveLength(1);
  await tandem.stop();
});

describe("a data directory that cannot be used ends the start with what to do", () => {
  const failIn = (directory: string) => failToStart({ TANDEM_DATA_DIR: directory, TANDEM_LOG_LEVEL: "warn" });

  test.each([
    ["a file in its place", () => writeFileSync(join(dataDir, "it"), ""), "is a file, not a directory. Move it away"],
    [
      "a PostgreSQL's own",
      () => {
        mkdirSync(join(dataDir, "it"));
        writeFileSync(join(dataDir, "it", "PG_VERSION"), "15\n");
      },
      "is the data directory of a PostgreSQL 15 itself",
    ],
    [
      "another program's",
      () => {
        mkdirSync(join(dataDir, "it", "postgres"), { recursive: true });
        writeFileSync(join(dataDir, "it", "postgres", "notes.txt"), "");
      },
      "is neither empty nor a PostgreSQL database. Move it away, or set TANDEM_DATA_DIR to another directory.",
    ],
    ["a place without directories", () => symlinkSync("/proc", join(dataDir, "it")), "/proc"],
  ])("%s", async (_what, make, told) => {
    make();
    const start = await failIn(join(dataDir, "it"));
    expect(start.code).toBe(1);
    expect(start.output).toContain(told);
    expect(start.output).not.toMatch(/EEXIST|EACCES|EISDIR| {4}at /);
  });
});
