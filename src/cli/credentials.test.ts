import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCredentials } from "./credentials.ts";
import { UsageError } from "./exit-codes.ts";

let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tandem-credentials-"));
  const lines = [
    "TANDEM_URL=http://localhost:4000",
    "TANDEM_ACCOUNT_SID=ACdemo",
    "TANDEM_TOKEN=demo",
    "TANDEM_NUMBER=+14155550150",
    "",
  ];
  writeFileSync(join(dataDir, "demo.env"), lines.join("\n"));
});

afterAll(() => rmSync(dataDir, { recursive: true }));

const ENVIRONMENT = { TANDEM_URL: "https://phone.example.com", TANDEM_ACCOUNT_SID: "ACenv", TANDEM_TOKEN: "env" };

test("flags come before the environment, one by one", () => {
  expect(findCredentials({ account: "ACflag", token: "flag" }, ENVIRONMENT)).toEqual({
    baseUrl: "https://phone.example.com",
    accountSid: "ACflag",
    token: "flag",
  });
});

test("with nothing else said, the demo account of the data directory is used", () => {
  expect(findCredentials({}, { TANDEM_DATA_DIR: dataDir, TANDEM_URL: "" })).toEqual({
    baseUrl: "http://localhost:4000",
    accountSid: "ACdemo",
    token: "demo",
    number: "+14155550150",
  });
});

test("the number to send from is the environment's, and the demo's only together with its account", () => {
  const number = { TANDEM_NUMBER: "+14155550151" };
  expect(findCredentials({}, { TANDEM_DATA_DIR: dataDir, ...number }).number).toBe("+14155550151");
  expect(findCredentials({}, { ...ENVIRONMENT, ...number }).number).toBe("+14155550151");
  expect(findCredentials({}, { ...ENVIRONMENT, TANDEM_DATA_DIR: dataDir }).number).toBeUndefined();
});

test("the demo's token is not sent to an address that was given", () => {
  expect(() => findCredentials({ url: "http://elsewhere.example" }, { TANDEM_DATA_DIR: dataDir })).toThrow(
    "Not given: the account (--account or TANDEM_ACCOUNT_SID) and the token (--token or TANDEM_TOKEN).",
  );
});

test("account and token alone mean the server on this machine", () => {
  expect(findCredentials({ account: "AC1", token: "t" }, {}).baseUrl).toBe("http://localhost:8080");
});

test("nothing found says what to give", () => {
  expect(() => findCredentials({}, { TANDEM_DATA_DIR: join(dataDir, "none") })).toThrow(UsageError);
  expect(() => findCredentials({}, { TANDEM_DATA_DIR: join(dataDir, "none") })).toThrow("--url, --account and --token");
});

test("an address without a protocol is refused", () => {
  expect(() => findCredentials({ url: "localhost:8080", account: "AC1", token: "t" }, {})).toThrow(
    "http:// or https://",
  );
});
