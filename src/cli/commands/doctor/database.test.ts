// The checks of a database user's rights, on databases that the test creates.

import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { checkDatabase } from "./database.ts";

let url: string;
let owner: pg.Client;
let user: string;

const open = async (kind: "schema" | "empty") => {
  url = await newDatabase(kind);
  owner = new pg.Client(connectionTo(url));
  await owner.connect();
  await owner.query(`create role ${user} login`);
};
const asUser = () => {
  const other = new URL(url);
  other.username = user;
  return checkDatabase(other.href, "/nowhere");
};

beforeEach(() => {
  user = `doctor_${randomBytes(4).toString("hex")}`;
});
afterEach(async () => {
  await owner.query(`reassign owned by ${user} to current_user; drop owned by ${user}; drop role ${user}`);
  await owner.end();
  await dropDatabase(url);
});

test("a user who may not make tables is reported, with what to do", async () => {
  await open("empty");
  await owner.query("revoke create on schema public from public");
  const { findings } = await asUser();
  expect(findings).toMatchObject([
    { check: "Database", verdict: "ok" },
    {
      check: "Database user",
      verdict: "fail",
      found: expect.stringMatching(new RegExp(`^${user} may not make tables in the schema public of `)),
      advice: expect.stringMatching(new RegExp(`ALTER DATABASE .* OWNER TO ${user}, or GRANT CREATE`)),
    },
  ]);
  await owner.query(`grant create on schema public to ${user}`);
  expect((await asUser()).findings).toMatchObject([
    { check: "Database", verdict: "ok" },
    { check: "Schema", verdict: "ok" },
  ]);
});

test("a user whose tables belong to another is reported with their owner", async () => {
  await open("schema");
  await owner.query(`grant create on schema public to ${user}`);
  const { findings } = await asUser();
  expect(findings[1]).toMatchObject({ verdict: "fail", found: expect.stringContaining("belong to tandem") });
});

test("the owner may do all of it", async () => {
  await open("schema");
  const { findings } = await checkDatabase(url, "/nowhere");
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([
    ["Database", "ok"],
    ["Schema", "ok"],
  ]);
});
