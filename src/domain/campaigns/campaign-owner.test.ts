import { expect, test } from "vitest";
import { accountsNaming, ownerByName } from "./campaign-owner.ts";
import type { NamingConfig } from "./followed-campaign.ts";

const config = (accountSid: string, name = "Shop CABC123", mayMigrate = true): NamingConfig => ({
  accountSid,
  name,
  mayMigrate,
});

test("the one account that names the campaign has it, in however many configs", () => {
  expect(ownerByName("CABC123", [config("AC1"), config("AC1", "[CABC123]")])).toBe("AC1");
});

test.each([
  ["nobody names it", []],
  ["it is named in another case", [config("AC1", "cabc123")]],
  ["two accounts have it inside a longer word", [config("AC1", "XCABC123"), config("AC2", "éCABC123")]],
  [
    "the whole word is that of an account that may not have it",
    [config("AC1", "XCABC123"), config("AC2", "CABC123", false)],
  ],
  ["two accounts name it", [config("AC1"), config("AC2")]],
  ["the account that names it may have none migrated", [config("AC1", "CABC123", false)]],
])("nobody has it where %s", (_why, configs) => {
  expect(ownerByName("CABC123", configs)).toBeUndefined();
});

test("a name that merely contains the id counts only where no account has the whole word", () => {
  expect(ownerByName("CABC123", [config("AC1", "Shop CABC1234")])).toBe("AC1");
  const both = [config("AC1", "Shop CABC1234"), config("AC2")];
  expect(ownerByName("CABC123", both)).toBe("AC2");
  expect(accountsNaming("CABC123", both)).toStrictEqual(["AC2"]);
});

test("an account that may have none migrated does not stand in the way of one that may, but is shown", () => {
  const configs = [config("AC1", "CABC123", false), config("AC2"), config("AC2")];
  expect(ownerByName("CABC123", configs)).toBe("AC2");
  expect(accountsNaming("CABC123", configs)).toStrictEqual(["AC1", "AC2"]);
});
