import type { HTTPMethods } from "fastify";
import { expect, test } from "vitest";
import { AddressMethods } from "./address-methods.ts";

const addresses = new AddressMethods(
  new Map<string, ReadonlySet<HTTPMethods>>([
    ["/v1/Messages", new Set(["GET", "HEAD", "POST"])],
    ["/v1/Messages/:sid", new Set(["GET", "DELETE"])],
    ["/v1/Messages/dryRun", new Set(["POST"])],
    ["/v1/Messages/:sid/why", new Set(["GET"])],
    ["/v1/Messages/old/:year", new Set(["PUT"])],
    ["/v1/Calls/:Sid.json", new Set(["POST"])],
  ]),
);

test.each([
  ["/v1/Messages", ["GET", "HEAD", "POST"]],
  ["/V1/messages/", ["GET", "HEAD", "POST"]],
  ["/v1/Messages?to=/x", ["GET", "HEAD", "POST"]],
  ["/v1/%4Dessages", ["GET", "HEAD", "POST"]],
  ["/v1/Messages/M1", ["GET", "DELETE"]],
  ["/v1/Messages/M%2F1", ["GET", "DELETE"]],
  ["/v1/Messages/%", ["GET", "DELETE"]],
  ["/v1/Messages/DryRun", ["POST"]],
  ["/v1/Messages/dryRun/why", ["GET"]],
  ["/v1/Messages/old/2020", ["PUT"]],
  ["/v1/Messages/old/why", ["PUT"]],
  ["/v1/Calls/C1.json", ["POST"]],
])("%s has the methods of the URL that names it best", (address, methods) => {
  expect([...(addresses.of(address) ?? [])]).toEqual(methods);
});

test.each([
  "",
  "/",
  "/v1",
  "/v1/Messages//",
  "/v1/Messages/M1/why/not",
  "/v1/Calls/C1",
  "/v1/Calls/.json",
  "v1/Messages",
])("%j is no address", (address) => {
  expect(addresses.of(address)).toBeUndefined();
});

test.each([
  ["/v1/Messages/dryRun", ["DELETE", "GET"]],
  ["/v1/Messages/old/:year", ["GET"]],
  ["/v1/Messages/:sid/why", []],
  ["/v1/Messages/:sid", []],
  ["/v1/Messages", []],
])("%s shadows URLs with the methods %j", (url, methods) => {
  expect([...addresses.shadowedBy(url)].sort()).toEqual(methods);
});

test("a URL shadows what those that it shadows do", () => {
  const three = new AddressMethods(
    new Map<string, ReadonlySet<HTTPMethods>>([
      ["/a/:x/c", new Set(["PATCH"])],
      ["/a/b/:y", new Set(["PUT"])],
      ["/a/b/d", new Set(["GET"])],
    ]),
  );
  expect([...three.shadowedBy("/a/b/d")].sort()).toEqual(["PATCH", "PUT"]);
});
