import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { silent } from "../../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../../base/clock.ts";
import { makeIds } from "../../../../base/ids.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { HttpServer } from "../../core/http-server.ts";
import { RefusalLog } from "../../core/refusal-log.ts";
import { mountMediaRoute } from "./media-route.ts";

const SID = `ME${"0".repeat(32)}`;
const OWNER = { sid: "AC1", status: "Active", limitChanges: { read: { requests: 5, windowSeconds: 60 } } };
const LINK = "?expires=1&signature=good";

let close: () => Promise<unknown> = async () => undefined;
afterEach(() => close());

/** Counts each subject's reads up to the limit. */
function countingLimits() {
  const used = new Map<string, number>();
  return {
    used,
    async take(subject: string, limitClass: string, limit: { readonly requests: number }, cost: number) {
      expect(limitClass).toBe("read");
      const count = (used.get(subject) ?? 0) + cost;
      if (count <= limit.requests) used.set(subject, count);
      return { admitted: count <= limit.requests, remaining: Math.max(0, limit.requests - count), resetSeconds: 7 };
    },
  };
}

async function serveMedia({ contentType = "image/png", owner = OWNER, callerSid = OWNER.sid } = {}) {
  const http = new HttpServer({
    log: silent,
    uuids: makeIds(systemClock),
    refusals: new RefusalLog(systemClock),
    trustProxy: [],
    corsOrigins: [],
  });
  const limits = countingLimits();
  mountMediaRoute(http, {
    credentials: {
      account: async () => ({
        account: { ...owner, sid: callerSid } as unknown as Account,
        toolWrites: false,
        token: 1,
      }),
      operator: async () => undefined,
      session: async () => undefined,
    },
    limits,
    supportContact: "help@tandem.test",
    isGood: (_sid, { signature }) => signature === "good",
    find: async () => ({
      accountSid: OWNER.sid,
      contentType,
      name: "a b.html",
      size: 2,
      content: async () => Readable.from(Buffer.from("hi")),
    }),
    findAccount: async () => owner as unknown as Account,
  });
  await http.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  close = () => http.close();
  const Authorization = `Basic ${Buffer.from("AC1:token").toString("base64")}`;
  const byLink = () => fetch(`${url}/v1/Media/${SID}${LINK}`);
  const bySignIn = () => fetch(`${url}/v1/Media/${SID}`, { headers: { Authorization } });
  return { limits, byLink, bySignIn };
}

test.each([
  ["text/html", "attachment"],
  ["TEXT/HTML; charset=utf-8", "attachment"],
  ["image/svg+xml", "attachment"],
  ["application/xhtml+xml", "attachment"],
  ["application/pdf", "attachment"],
  ["text/javascript", "attachment"],
  ["text/xml", "attachment"],
  ["image/png/html", "attachment"],
  ["image/png", "inline"],
  ["image/jpeg; name=b", "inline"],
  ["video/3gpp", "inline"],
  ["text/plain; charset=utf-8", "inline"],
])("media of type %s are served as %s, and never sniffed", async (contentType, place) => {
  const { byLink } = await serveMedia({ contentType });
  const answer = await byLink();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toBe(`${place}; filename="a_b.html"`);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-type")).not.toMatch(/script/);
  expect(await answer.text()).toBe("hi");
});

test("media of a suspended account are read by nobody", async () => {
  const { byLink, bySignIn } = await serveMedia({ owner: { ...OWNER, status: "Suspended" } });
  for (const read of [byLink, bySignIn]) {
    const answer = await read();
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "account-suspended",
      detail: expect.stringContaining("help@tandem.test"),
    });
  }
});

test("reads are limited, by link and by credentials apart, and every answer says how far", async () => {
  const { byLink, bySignIn, limits } = await serveMedia();
  for (const read of [byLink, bySignIn]) {
    for (let left = 4; left >= 0; left--) {
      const answer = await read();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("ratelimit-remaining")).toBe(String(left));
      await answer.body?.cancel();
    }
    const beyond = await read();
    expect(beyond.status).toBe(429);
    expect(beyond.headers.get("retry-after")).toBe("7");
    expect(beyond.headers.get("ratelimit-limit")).toBe("5");
  }
  expect([...limits.used]).toEqual([
    ["links AC1", 5],
    ["AC1", 5],
  ]);
});

test("a search for another account's media counts against the searcher, and finds nothing", async () => {
  const { bySignIn, limits } = await serveMedia({ callerSid: "AC2" });
  expect((await bySignIn()).status).toBe(404);
  expect([...limits.used]).toEqual([["AC2", 1]]);
});
