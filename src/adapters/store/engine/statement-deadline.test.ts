import type pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionDeadlines } from "./statement-deadline.ts";

const BEGIN_MS = 900;
/** PostgreSQL's clock minus ours. */
const AHEAD_MS = 3_600_000;

let ms = 0;
beforeEach(() => {
  ms = 0;
  vi.spyOn(performance, "now").mockImplementation(() => ms);
});
afterEach(() => void vi.restoreAllMocks());

/** The process is held up for these times before it has an answer. */
function sessionOf(heldUpMs: readonly number[]) {
  const left = [...heldUpMs];
  const query = async () => {
    const nowMs = ms + AHEAD_MS;
    ms += left.shift() ?? 0;
    return { rows: [{ type: 1, nowMs }] };
  };
  return { client: { query } as unknown as pg.ClientBase, left };
}

const deadlineOf = (deadlines: SessionDeadlines, client: pg.ClientBase) =>
  Date.parse(/'(.*)'/.exec(deadlines.commit(client))?.[1] ?? "") - ms - AHEAD_MS;

test("a process that is held up while it reads PostgreSQL's clock reads it again", async () => {
  const deadlines = new SessionDeadlines(BEGIN_MS);
  const { client, left } = sessionOf([2_000, 91, 90, 0]);
  await deadlines.learn(client);
  expect(left).toEqual([0]);
  expect(deadlineOf(deadlines, client)).toBe(BEGIN_MS - 90);
});

test("one that is always held up goes by its best reading", async () => {
  const deadlines = new SessionDeadlines(BEGIN_MS);
  const { client, left } = sessionOf([2_000, 400, 300, 500, 600, 0]);
  await deadlines.learn(client);
  expect(left).toEqual([0]);
  expect(deadlineOf(deadlines, client)).toBe(BEGIN_MS - 300);
});

test("a database without the type gets no deadlines", async () => {
  const deadlines = new SessionDeadlines(BEGIN_MS);
  const client = { query: async () => ({ rows: [{ type: null, nowMs: 0 }] }) } as unknown as pg.ClientBase;
  await deadlines.learn(client);
  expect(deadlines.commit(client)).toBe("commit");
});
