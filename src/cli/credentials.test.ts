import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCredentials, findOperatorCredentials } from "./credentials.ts";
import { UsageError } from "./exit-codes.ts";
import { writeProfiles } from "./profiles.ts";

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

describe("a profile of tandem login", () => {
  let home: { readonly XDG_CONFIG_HOME: string; readonly TANDEM_DATA_DIR: string };
  const WORK = {
    url: "https://work.example.com",
    accountSid: "ACwork",
    token: "work",
    operatorToken: "op",
    number: "+1",
  };
  const OTHER = { url: "https://other.example.com", accountSid: "ACother", token: "other" };
  let path: string;

  beforeAll(() => {
    home = { XDG_CONFIG_HOME: join(dataDir, "config"), TANDEM_DATA_DIR: dataDir };
    const all = new Map<string, typeof WORK | typeof OTHER>([
      ["work", WORK],
      ["other", OTHER],
    ]);
    path = writeProfiles(home, { current: "work", all });
  });

  test("goes before the demo account, and after the environment and options", () => {
    const work = { baseUrl: WORK.url, accountSid: "ACwork", token: "work", number: "+1" };
    expect(findCredentials({}, home)).toEqual(work);
    expect(findCredentials({}, { ...home, ...ENVIRONMENT })).toMatchObject({ accountSid: "ACenv", token: "env" });
    const flags = { url: "https://flag.example.com", account: "ACflag", token: "flag" };
    expect(findCredentials(flags, { ...home, ...ENVIRONMENT })).toMatchObject({ accountSid: "ACflag", token: "flag" });
  });

  test("is chosen by --profile, which goes before the environment, or by TANDEM_PROFILE, which does not", () => {
    const environment = { ...home, ...ENVIRONMENT };
    expect(findCredentials({ profile: "other" }, environment)).toMatchObject({ accountSid: "ACother", token: "other" });
    expect(findCredentials({}, { ...home, TANDEM_PROFILE: "other" })).toMatchObject({ accountSid: "ACother" });
    expect(findCredentials({}, { ...environment, TANDEM_PROFILE: "other" })).toMatchObject({ accountSid: "ACenv" });
    expect(() => findCredentials({ profile: "none" }, home)).toThrow(
      "There is no profile none: tandem login --profile",
    );
  });

  test("gives its token to its own server and account only", () => {
    expect(findCredentials({ url: `${WORK.url}/` }, home)).toMatchObject({ accountSid: "ACwork", token: "work" });
    expect(() => findCredentials({ url: "https://elsewhere.example" }, home)).toThrow("for its own server and account");
    expect(() => findCredentials({ account: "ACelse" }, home)).toThrow("Not given: the token");
    expect(() => findCredentials({}, { ...home, TANDEM_URL: "https://elsewhere.example" })).toThrow("Not given");
    const own = findCredentials({ account: "ACelse", token: "else" }, home);
    expect(own).toEqual({ baseUrl: WORK.url, accountSid: "ACelse", token: "else", number: undefined });
  });

  test("holds an operator's token, too", () => {
    expect(findOperatorCredentials({}, home)).toEqual({ baseUrl: WORK.url, token: "op" });
    expect(findOperatorCredentials({ token: "flag" }, home)).toEqual({ baseUrl: WORK.url, token: "flag" });
    expect(() => findOperatorCredentials({ profile: "other" }, home)).toThrow(
      "tandem login --operator --profile other",
    );
    expect(() => findOperatorCredentials({ url: "https://elsewhere.example" }, home)).toThrow("Not given");
  });

  test("is a file of its owner alone; one that others can read is refused", () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(() => findCredentials({}, home)).toThrow(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
  });

  test("that is damaged says what to do", () => {
    const damaged = { XDG_CONFIG_HOME: join(dataDir, "damaged") };
    const file = writeProfiles(damaged, { current: undefined, all: new Map() });
    writeFileSync(file, '{"profiles":{"work":{"url":1}}}');
    expect(() => findCredentials({}, damaged)).toThrow("is damaged: remove it and sign in again");
  });
});
