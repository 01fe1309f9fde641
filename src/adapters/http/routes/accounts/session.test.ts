// A refused request must not hold one database connection while it needs another: the pool would run dry.

import { expect, test } from "vitest";
import type { OpenOperation } from "../../core/operation.ts";
import { type SessionRouteDeps, sessionOperations } from "./session.ts";

/** Records what is requested over another connection while a transaction is open. */
function open() {
  let depth = 0;
  const inside: string[] = [];
  const note = (what: string) => {
    if (depth > 0) inside.push(what);
  };
  const unit = { sessions: { takeTicket: async () => undefined } };
  const deps = {
    credentials: {
      session: async () => note("session"),
    },
    limits: {
      take: async () => {
        note("limits");
        return { admitted: true, remaining: 1, resetSeconds: 1 };
      },
    },
    digestOf: () => new Uint8Array(),
    isSecure: () => false,
    transaction: async (work: (unit: object) => Promise<unknown>) => {
      depth++;
      const done = await work(unit);
      depth--;
      return done;
    },
  } as unknown as SessionRouteDeps;
  const run = (id: string, method: string, body: object) => {
    const operation = sessionOperations.find((one) => one.id === id) as unknown as OpenOperation<
      never,
      never,
      never,
      SessionRouteDeps
    >;
    const headers = { "x-tandem-session": "1", cookie: `tandem_session=${"A".repeat(43)}` };
    const input = { query: {}, body, by: { headers, ip: "127.0.0.1", method, id: "1" }, now: new Date(0) };
    const answer = () => operation.handle(input as never, unit as never, deps);
    return operation.writes ? deps.transaction(answer as never) : answer();
  };
  return { inside, run };
}

test.each([
  ["endSession", "DELETE", {}],
  ["openSession", "POST", { ticket: "guess" }],
])("%s refuses outside a transaction", async (id, method, body) => {
  const { inside, run } = open();
  expect(await run(id, method, body)).toMatchObject({ ok: false, refusal: { code: "unauthorized" } });
  expect(inside).toEqual([]);
});
