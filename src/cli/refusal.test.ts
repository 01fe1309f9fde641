import { afterEach, expect, test, vi } from "vitest";
import { TandemError, TandemNetworkError } from "../../sdk/src/index.ts";
import { nodesOf, readTree } from "./command-tree.ts";
import { RefusedError, UsageError } from "./exit-codes.ts";
import { makeProgram } from "./program.ts";
import { asksForJson, refusalOf } from "./refusal.ts";

afterEach(() => vi.restoreAllMocks());

const COMMANDS = nodesOf(readTree(makeProgram()))
  .slice(1)
  .map(({ path }) => path.slice(1).join(" "));

test("with --json no command prints a fault of its command line as text", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  for (const command of COMMANDS) {
    const argv = ["node", "tandem", ...command.split(" "), "--json", "--no-such-option"];
    const fault: unknown = await makeProgram({ isQuiet: true })
      .parseAsync(argv)
      .catch((error: unknown) => error);
    expect(refusalOf(fault), command).toMatchObject({
      exitCode: 2,
      error: {
        kind: "usage",
        message: expect.stringMatching(/./),
      },
    });
  }
  expect(printed).not.toHaveBeenCalled();
});

test.each([
  [["tandem", "lookup", "--json"], true],
  [["tandem", "--json", "lookup"], true],
  [["tandem", "lookup", "--", "--json"], false],
  [["tandem", "lookup"], false],
])("%j asks for JSON: %s", (argv, isJson) => {
  expect(asksForJson(argv)).toBe(isJson);
});

const problem = { status: 404, code: "not-found", detail: "There is no such message.", traceId: "00-a-b-00" };

test.each([
  [new UsageError("Not given: the token."), 2, "usage"],
  [new RefusedError("There is a backup already."), 1, "refused"],
  [new TandemError(404, new Headers({ "X-Request-Id": "r1" }), problem), 1, "refused"],
  [new TandemNetworkError("unreachable", "it cannot be reached"), 1, "network"],
  [Object.assign(new Error("ENOSPC"), { syscall: "write" }), 1, "fault"],
  [new Error("x"), 1, "fault"],
])("%s ends with %d and says which kind it is", (fault, exitCode, kind) => {
  const refusal = refusalOf(fault);
  expect(refusal).toMatchObject({ exitCode, error: { kind, message: fault.message } });
  expect(refusal.text).toContain(fault.message);
});

test("a refusal of the server keeps what it can be looked up by", () => {
  const fault = new TandemError(404, new Headers({ "X-Request-Id": "r1" }), problem);
  expect(refusalOf(fault).error).toMatchObject({
    status: 404,
    code: "not-found",
    requestId: "r1",
    traceId: "00-a-b-00",
  });
});
