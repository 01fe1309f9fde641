import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { secretKey } from "../../../adapters/secrets.ts";
import { checkClock, checkDataDir, checkNode, checkOpenFiles, checkSecretKey, type SecretKeyOrder } from "./machine.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-doctor-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ["20.19.2", "ok"],
  ["20.19.10", "ok"],
  ["20.20.0", "ok"],
  ["22.0.0", "ok"],
  ["24.1.0", "ok"],
  ["20.19.1", "fail"],
  ["20.12.9", "fail"],
  ["21.7.1", "fail"],
  ["18.20.8", "fail"],
])("Node.js %s is %s", (version, verdict) => {
  expect(checkNode(version, packageJson.engines.node)).toMatchObject({ verdict });
});

test("a Node.js with a hole is reported, with versions that have none", () => {
  expect(checkNode("20.19.1", packageJson.engines.node).advice).toBe(
    "Install 20.19.2 or a later 20, or 22 or newer: the HTTP parser of others lets requests be smuggled.",
  );
});

test.each([
  [64, "fail"],
  [255, "fail"],
  [256, "warn"],
  [1024, "warn"],
  [4096, "ok"],
  [Number.POSITIVE_INFINITY, "ok"],
])("%d open files are %s", (openFilesMax, verdict) => {
  const [finding] = checkOpenFiles(openFilesMax);
  expect(finding).toMatchObject({ verdict });
  if (verdict !== "ok") expect(finding?.advice).toContain("LimitNOFILE");
});

test("the data directory of a PostgreSQL is not one of ours", () => {
  writeFileSync(join(folder, "PG_VERSION"), "15\n");
  expect(checkDataDir(folder)).toMatchObject({
    verdict: "fail",
    advice: expect.stringContaining("TANDEM_DATABASE_URL"),
  });
});

test("a data directory that is not made yet is judged by the place it will be in", () => {
  const finding = checkDataDir(join(folder, "a", "b"));
  expect(finding.verdict).not.toBe("fail");
  expect(finding.found).toContain("made at the first start");
});

test("a file in the place of the data directory is reported", () => {
  writeFileSync(join(folder, "data"), "");
  expect(checkDataDir(join(folder, "data"))).toMatchObject({
    verdict: "fail",
    found: expect.stringContaining("no directory"),
  });
});

const keyOrder = (dataDir: string, order: Partial<SecretKeyOrder> = {}): SecretKeyOrder => ({
  dataDir,
  given: undefined,
  sealed: undefined,
  underEarlierKeys: 0,
  isDatabaseMade: false,
  ...order,
});

test("the secret key is there, whole and private, or it is reported", () => {
  expect(checkSecretKey(keyOrder(join(folder, "none")))).toMatchObject({
    verdict: "ok",
    found: "made at the first start",
  });
  expect(checkSecretKey(keyOrder(folder, { given: [secretKey(Buffer.alloc(32, 1))] })).verdict).toBe("ok");
  const { dataDir, path } = writeKey();
  expect(checkSecretKey(keyOrder(dataDir)).verdict).toBe("ok");
  chmodSync(path, 0o644);
  expect(checkSecretKey(keyOrder(dataDir))).toMatchObject({ verdict: "warn", advice: `chmod 600 ${path}` });
  writeFileSync(path, "short");
  expect(checkSecretKey(keyOrder(dataDir)).verdict).toBe("fail");
});

test("a secret key that is not the one of the database is reported, and one that is lost", () => {
  const key = Buffer.alloc(32, 1);
  const other = Buffer.alloc(32, 2);
  const sealed = secretBox(key).seal("tandem");
  const { dataDir, path } = writeKey();
  expect(checkSecretKey(keyOrder(dataDir, { sealed })).verdict).toBe("ok");
  expect(checkSecretKey(keyOrder(folder, { sealed, given: [secretKey(other), secretKey(key)] })).verdict).toBe("ok");
  expect(checkSecretKey(keyOrder(dataDir, { sealed, underEarlierKeys: 1200 }))).toMatchObject({
    verdict: "warn",
    found: expect.stringContaining("1,200 values are sealed with an earlier key"),
    advice: expect.stringContaining("tandem keys rotate"),
  });
  const wrong = { verdict: "fail", advice: expect.stringContaining("backup") };
  expect(checkSecretKey(keyOrder(dataDir, { sealed, given: [secretKey(other)] }))).toMatchObject(wrong);
  writeFileSync(path, other.toString("base64"));
  expect(checkSecretKey(keyOrder(dataDir, { sealed }))).toMatchObject(wrong);
  rmSync(path);
  expect(checkSecretKey(keyOrder(dataDir, { sealed }))).toMatchObject(wrong);
  expect(checkSecretKey(keyOrder(dataDir, { isDatabaseMade: true }))).toMatchObject(wrong);
});

function writeKey() {
  const dataDir = join(folder, "data");
  const path = join(dataDir, "secret.key");
  mkdirSync(dataDir);
  writeFileSync(path, Buffer.alloc(32, 1).toString("base64"), { mode: 0o600 });
  return { dataDir, path };
}

const now = new Date("2026-10-01T12:00:00Z");
const notBefore = new Date("2026-09-03");

test.each([
  ["agreeing clocks", 400, "ok"],
  ["a clock that is behind", 20_000, "warn"],
  ["a clock that is ahead", -20_000, "warn"],
  ["a clock that is far off", 3_600_000, "fail"],
])("%s: the database is %i ms ahead", (_, aheadMs, verdict) => {
  expect(checkClock({ now, notBefore, others: [{ whose: "the database", aheadMs }] })).toMatchObject({ verdict });
});

test("a clock before the program's own data is wrong", () => {
  const finding = checkClock({ now: new Date("1970-01-02"), notBefore, others: [] });
  expect(finding).toMatchObject({ verdict: "fail", found: expect.stringContaining("2026-09-03") });
});
