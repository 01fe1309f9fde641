import { afterAll, beforeAll, expect, test } from "vitest";
import { askFor } from "../../../../test/fakes/ask-for.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { HttpServer, type Method } from "./http-server.ts";
import { RefusalLog } from "./refusal-log.ts";

const http = new HttpServer({
  log: silent,
  uuids: makeIds(systemClock),
  refusals: new RefusalLog(systemClock),
  trustProxy: [],
  corsOrigins: [],
});

const ROUTES: readonly (readonly [method: Method, path: string])[] = [
  ["GET", "/v1/Messages"],
  ["POST", "/v1/Messages"],
  ["GET", "/v1/Messages/:sid"],
  ["DELETE", "/v1/Messages/:sid"],
  ["POST", "/v1/Messages/dryRun"],
  ["GET", "/v1/Messages/:sid/why"],
  ["PUT", "/v1/Messages/old/:year"],
  ["POST", "/v1/Calls/:Sid.json"],
];

beforeAll(async () => {
  for (const [method, path] of ROUTES) {
    const handle = (): never => {
      throw new Error("no request of these tests has a route for its method");
    };
    http.route({ method, path, handle });
  }
  http.route({
    method: "GET",
    path: "/v1/stream",
    servesHead: false,
    handle: () => ({ status: 200, headers: {}, text: "{}" }),
  });
  await http.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => http.close());

test.each([
  ["/v1/Messages", "GET, HEAD, POST"],
  ["/V1/messages/", "GET, HEAD, POST"],
  ["/v1/Messages?to=/x", "GET, HEAD, POST"],
  ["/v1/%4Dessages", "GET, HEAD, POST"],
  ["/v1/Messages/M1", "GET, HEAD, DELETE"],
  ["/v1/Messages/M%2F1", "GET, HEAD, DELETE"],
  ["/v1/Messages/DryRun", "POST"],
  ["/v1/Messages/dryRun/why", "GET, HEAD"],
  ["/v1/Messages/old/2020", "PUT"],
  ["/v1/Messages/old/why", "PUT"],
  ["/v1/Calls/C1.json", "POST"],
  ["/v1/stream", "GET"],
  // An empty parameter is the operation's to refuse.
  ["/v1/Messages//", "GET, HEAD, DELETE"],
  ["/v1/Calls/.json", "POST"],
])("%s has the methods of the route that names it best, and refuses others", async (path, allow) => {
  const { statusCode, headers, json } = await askFor(http, path, {}, "PATCH");
  expect([statusCode, headers.allow]).toEqual([405, allow]);
  expect(json()).toMatchObject({ code: "method-not-allowed", detail: `Allowed here: ${allow}.` });
});

test.each(["/", "/v1", "/v1/Messages/M1/why/not", "/v1/Calls/C1"])("%j is not found", async (path) => {
  expect((await askFor(http, path, {}, "PATCH")).json()).toMatchObject({ status: 404, code: "not-found" });
});

test("an address that cannot be decoded is refused in words", async () => {
  for (const path of ["/v1/Messages/%", "/v1/%zz"]) {
    expect((await askFor(http, path, {})).json()).toMatchObject({
      status: 400,
      errors: { $: ["The address holds a malformed percent sequence."] },
    });
  }
});

test("HEAD is answered like GET without a body, and refused where an answer never ends", async () => {
  http.get("/v1/plain", () => ({ status: 200, headers: {}, text: "{}" }));
  const { statusCode, headers, body } = await askFor(http, "/v1/plain", {}, "HEAD");
  expect([statusCode, headers["content-length"], body]).toEqual([200, "2", ""]);
  expect((await askFor(http, "/v1/stream", {}, "HEAD")).statusCode).toBe(405);
});

test("two routes for one method and address are refused", () => {
  const handle = () => ({ status: 200, headers: {}, text: "" });
  expect(() => http.route({ method: "GET", path: "/v1/Messages", handle })).toThrow("has two routes");
});
