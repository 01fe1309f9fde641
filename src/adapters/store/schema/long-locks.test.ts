// Steps that servers of the version before have to bear: nothing is taken away that they use, and no table that may be
// large is locked for longer than a moment.

import { expect, test } from "vitest";
import { SCHEMA } from "./index.ts";
import { isAdditive } from "./schema-step.ts";

const TABLE = "(?:if (?:not )?exists )?(?:only )?(\\w+)";

/** Statements that lock a table that was there before for as long as it is large, or that break earlier versions. */
const REFUSED: readonly (readonly [what: string, statement: RegExp])[] = [
  ["takes something away", /^(?:alter .*)?\bdrop\b/],
  ["renames", /\brename\b/],
  ["truncates or locks", /^(?:truncate|lock)\b/],
  [
    "checks all rows: add a constraint that is not valid, and validate it later",
    new RegExp(`^alter table ${TABLE} .*\\bset not null\\b`),
  ],
  ["writes all rows", new RegExp(`^(?:update|delete from|cluster|vacuum) ${TABLE}`)],
  ["writes all rows", new RegExp(`^alter table ${TABLE} alter column \\w+ (?:set data )?type\\b`)],
  [
    "writes all rows: the default is another one for each row",
    new RegExp(
      `^alter table ${TABLE} .*\\badd column .* default .*\\b(?:random|gen_random_uuid|clock_timestamp|nextval)\\(`,
    ),
  ],
  [
    "fails where there are rows, and for earlier versions",
    new RegExp(`^alter table ${TABLE} add column (?!.*\\bdefault\\b).*\\bnot null\\b`),
  ],
  [
    "checks all rows: say `not valid`, and validate it later",
    new RegExp(
      `^alter table ${TABLE} add (?:constraint|check|foreign key|primary key|unique|exclude)\\b(?!.*\\bnot valid\\b)`,
    ),
  ],
  [
    "keeps writers out while it makes an index",
    new RegExp(`^create (?:unique )?index (?:if not exists )?\\w+ on ${TABLE}`),
  ],
];

/** What is wrong with the statements of a step. Tables that it makes itself are in no use yet, functions run later. */
function faultsOf(sql: string): readonly string[] {
  const statements = sql
    .replace(/--.*$/gm, "")
    .toLowerCase()
    .replace(/\b(create (?:or replace )?function [^$;]*)\$\$.*?\$\$/gs, "$1")
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim());
  const made = new Set(
    statements.flatMap((each) => new RegExp(`^create (?:unlogged )?table ${TABLE}`).exec(each)?.[1] ?? []),
  );
  return statements.flatMap((statement) =>
    REFUSED.flatMap(([what, pattern]) => {
      const found = pattern.exec(statement);
      return found && !made.has(found[1] ?? "") ? [`${what}: ${statement}`] : [];
    }),
  );
}

test.each([
  "drop table calls",
  "alter table calls drop column announcement",
  "alter table calls rename column a to b",
  "alter table calls alter column a set not null",
  "alter table calls alter column a type bigint",
  "alter table calls add column a uuid default gen_random_uuid()",
  "alter table calls add column a text not null",
  "alter table calls add constraint b check (a > 0)",
  "create index calls_a on calls (a)",
  "create unique index if not exists calls_a on only calls (a)",
  "update calls\n   set a = 1",
  "truncate calls",
])("a step is refused that says: %s", (sql) => {
  expect(faultsOf(`-- A comment.\ncreate table new_table (a int);\n${sql};`)).toHaveLength(1);
});

test.each([
  "create table a (b int); create index a_b on a (b); alter table a alter column b set not null",
  "alter table calls add column a text",
  "alter table calls add column a text not null default ''",
  "alter table calls add column a timestamptz not null default now()",
  "alter table calls add constraint b check (a > 0) not valid",
  "insert into settings values (1) -- drop it later",
  "create or replace function a() returns void language sql as $$ select 1; update calls set a = 1; $$",
])("a step may say: %s", (sql) => {
  expect(faultsOf(sql)).toEqual([]);
});

test("every step since rolling upgrades is borne by the version before", () => {
  const faults = SCHEMA.filter(isAdditive).flatMap(({ name, sql }) => faultsOf(sql).map((fault) => `${name} ${fault}`));
  expect(faults).toEqual([]);
});
