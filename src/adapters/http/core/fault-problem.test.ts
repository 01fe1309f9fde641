import { expect, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { problemOfFault } from "./fault-problem.ts";

const REQUEST = { id: "1", method: "GET" };

test.each([
  ["something out of reach", new Unavailable("gone")],
  ["no file descriptor left", Object.assign(new Error("too many open files"), { code: "EMFILE" })],
  ["none left in the system", Object.assign(new Error("file table overflow"), { code: "ENFILE" })],
])("%s is reported as unavailable, with a time to come back", (_what, fault) => {
  const { code, retryAfterSeconds } = problemOfFault(fault, silent, REQUEST, "/");
  expect([code, retryAfterSeconds]).toEqual(["unavailable", 1]);
});

test("anything else is our fault", () => {
  expect(problemOfFault(new Error("oops"), silent, REQUEST, "/").code).toBe("internal");
});
