import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askFor } from "../../../../test/fakes/ask-for.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { HttpServer } from "./http-server.ts";
import { RefusalLog } from "./refusal-log.ts";

const http = new HttpServer({
  log: silent,
  uuids: makeIds(systemClock),
  refusals: new RefusalLog(systemClock),
  trustProxy: [],
  corsOrigins: [],
});
const LONG = JSON.stringify({ items: Array.from({ length: 200 }, (_, at) => ({ text: `Delivered ${at}` })) });
const PAGE = { "x-tandem-session": "1", "accept-encoding": "gzip, deflate, br" };

beforeAll(async () => {
  http.get("/long", () => ({ status: 200, headers: {}, text: LONG }));
  http.get("/short", () => ({ status: 200, headers: {}, text: "{}" }));
  http.route({ method: "POST", path: "/made", handle: () => ({ status: 201, headers: {}, text: LONG }) });
  await http.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => http.close());

test("a long answer to a page is compressed", async () => {
  const { headers, bytes } = await askFor(http, "/long", PAGE);
  expect(headers).toMatchObject({
    "content-encoding": "gzip",
    "content-length": String(bytes.length),
    "content-type": "application/json; charset=utf-8",
    vary: "Accept, Accept-Encoding",
  });
  expect(bytes.length).toBeLessThan(LONG.length / 4);
  expect(gunzipSync(bytes).toString()).toBe(LONG);
  expect((await askFor(http, "/long", PAGE, "HEAD")).headers["content-encoding"]).toBe("gzip");
});

test.each([
  ["a short one", "/short", PAGE],
  ["one for a page that cannot read it", "/long", { "x-tandem-session": "1" }],
  ["one for a program", "/long", { "accept-encoding": "gzip" }],
  [
    "one for a page of the same host on another port, which sends the cookie",
    "/long",
    { "accept-encoding": "gzip", cookie: `tandem_session=${"a".repeat(43)}` },
  ],
  ["one to a change, which may show a token", "/made", PAGE, "POST"],
])("%s is not", async (_what, path, given, method = "GET") => {
  const { headers, body } = await askFor(http, path, given, method);
  expect(headers).toMatchObject({ vary: "Accept", "content-length": String(body.length) });
  expect(headers).not.toHaveProperty("content-encoding");
  expect(() => JSON.parse(body)).not.toThrow();
});
