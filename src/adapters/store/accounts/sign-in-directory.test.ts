import { expect, test } from "vitest";
import { digestOfToken } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { SignInDirectory } from "./sign-in-directory.ts";

const SID = `AC${"0".repeat(32)}`;

/** A table of one account and one operator. While `held`, answers wait; each is as of the moment of its query. */
class Tables implements Queryable {
  tokens: string[] = [];
  operators: string[] = [];
  held: (() => void)[] | undefined;
  readonly #asked: (() => void)[] = [];

  async query<Row extends object>(text: string): Promise<Row[]> {
    const rows = text.includes("operator_tokens") ? this.#operatorRows() : this.#accountRows();
    if (this.held) {
      const { held } = this;
      await new Promise<void>((resolve) => {
        held.push(resolve);
        this.#asked.shift()?.();
      });
    }
    return rows as Row[];
  }

  asked(): Promise<void> {
    return new Promise((resolve) => this.#asked.push(resolve));
  }

  #operatorRows() {
    return this.operators.map((token) => ({ name: token, role: "support", digest: digestOfToken(token) }));
  }

  #accountRows() {
    const account = { name: "Test", status: "Active", features: [], limit_changes: {}, created_at: new Date(0) };
    return this.tokens.length === 0
      ? []
      : [
          {
            sid: SID,
            ...account,
            digests: this.tokens.map(digestOfToken),
            toolWrites: this.tokens.map((token) => token === "two"),
            places: this.tokens.map((_, at) => at + 1),
          },
        ];
  }
}

test("either of two tokens signs in, anything else does not", async () => {
  const tables = new Tables();
  tables.tokens = ["one", "two"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  expect(await directory.account(SID, "one")).toMatchObject({ account: { sid: SID } });
  expect(await directory.account(SID, "two")).toMatchObject({ account: { sid: SID } });
  for (const wrong of ["", "three", "one ", "ONE"]) expect(await directory.account(SID, wrong)).toBeUndefined();
  for (const nobody of ["", "AC", SID.toLowerCase(), `AC${"1".repeat(32)}`]) {
    expect(await directory.account(nobody, "one")).toBeUndefined();
  }
});

test("who signs in by a token has its rights, and not those of the other one", async () => {
  const tables = new Tables();
  tables.tokens = ["one", "two"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  for (const token of ["one", "two", "two", "one"]) {
    expect(await directory.account(SID, token)).toMatchObject({ toolWrites: token === "two" });
  }
});

test("a token that has signed in is compared again when its account has changed, and is of no use to others", async () => {
  const tables = new Tables();
  tables.tokens = ["one", "two"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  for (const token of ["one", "two", "one"])
    expect(directory.account(SID, token)).toMatchObject({ account: { sid: SID } });
  expect(await directory.account(`AC${"1".repeat(32)}`, "one")).toBeUndefined();
  expect(await directory.account("", "one")).toBeUndefined();
  tables.tokens = ["two"];
  await directory.loadAccount(SID);
  expect(await directory.account(SID, "one")).toBeUndefined();
  expect(directory.account(SID, "two")).toMatchObject({ account: { sid: SID } });
});

test("the empty token signs nobody in, not even where a token is missing", async () => {
  const tables = new Tables();
  tables.tokens = ["one"];
  tables.operators = ["first"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  expect(await directory.account(SID, "")).toBeUndefined();
  expect(await directory.operator("")).toBeUndefined();
});

test("a token that another process made a moment ago signs in without a word from it", async () => {
  const tables = new Tables();
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  tables.tokens = ["new"];
  tables.operators = ["alice"];
  expect(await directory.account(SID, "new")).toMatchObject({ account: { sid: SID } });
  expect(await directory.operator("alice")).toStrictEqual({ name: "alice", role: "support" });
});

test("a load that is answered late does not bring a deleted token back", async () => {
  const tables = new Tables();
  tables.tokens = ["old"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  tables.held = [];
  const asked = tables.asked();
  const guess = directory.account(SID, "wrong");
  await asked;
  tables.tokens = ["new"];
  const reload = directory.loadAccount(SID);
  // Queries under way are answered in the worst order, the newest first.
  const answering = setInterval(() => tables.held?.pop()?.(), 1);
  await Promise.all([guess, reload]);
  clearInterval(answering);
  tables.held = undefined;
  // Checks what is held in memory: the tables would give the answer away.
  tables.query = async () => {
    throw new Error("the database is not asked");
  };
  await expect(directory.account(SID, "old")).rejects.toThrow("the database is not asked");
  expect(await directory.account(SID, "new")).toMatchObject({ account: { sid: SID } });
});

test("an account or an operator that is gone is forgotten", async () => {
  const tables = new Tables();
  tables.tokens = ["one"];
  tables.operators = ["alice"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  tables.tokens = [];
  tables.operators = [];
  await directory.loadAccount(SID);
  await directory.loadOperators();
  expect(await directory.account(SID, "one")).toBeUndefined();
  expect(await directory.operator("alice")).toBeUndefined();
});

test("while changes may be missed, a token that was deleted and a suspension count at once", async () => {
  const tables = new Tables();
  tables.tokens = ["one"];
  tables.operators = ["alice"];
  let isCurrent = true;
  const directory = new SignInDirectory(tables, () => isCurrent);
  await directory.loadAll();
  tables.tokens = [];
  tables.operators = [];
  expect(await directory.account(SID, "one")).toMatchObject({ account: { sid: SID } });
  expect(await directory.operator("alice")).toMatchObject({ name: "alice" });
  isCurrent = false;
  expect(await directory.account(SID, "one")).toBeUndefined();
  expect(await directory.operator("alice")).toBeUndefined();
});

test("a load that fails is told to whoever asked, and the next one works", async () => {
  const tables = new Tables();
  const directory = new SignInDirectory(tables, () => true);
  const { query } = tables;
  tables.query = async () => {
    throw new Error("out of reach");
  };
  await expect(directory.loadAll()).rejects.toThrow("out of reach");
  tables.query = query;
  tables.tokens = ["one"];
  await directory.loadAll();
  expect(await directory.account(SID, "one")).toMatchObject({ account: { sid: SID } });
});

test("the tokens that signed in are told once, and again when they sign in again", async () => {
  const tables = new Tables();
  tables.tokens = ["one", "two"];
  const directory = new SignInDirectory(tables, () => true);
  await directory.loadAll();
  const taken = () => directory.takeUsed().map(({ accountSid, digest }) => [accountSid, Buffer.from(digest)]);
  await directory.account(SID, "three");
  expect(taken()).toEqual([]);
  await directory.account(SID, "one");
  await directory.account(SID, "one");
  expect(taken()).toEqual([[SID, digestOfToken("one")]]);
  expect(taken()).toEqual([]);
  await directory.account(SID, "one");
  expect(taken()).toEqual([[SID, digestOfToken("one")]]);
});
