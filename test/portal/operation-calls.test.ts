// The explorer's table of calls: it has every operation of an account, and names only what SDK and command line have.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OPERATION_CALLS } from "../../portal/src/screens/api/operation-calls.generated.ts";
import { createClient } from "../../sdk/src/index.ts";

interface Documented {
  readonly operationId: string;
  readonly security?: readonly object[];
}

function accountOperations(): readonly string[] {
  const { paths } = JSON.parse(readFileSync(new URL("../../api/tandem.json", import.meta.url), "utf8"));
  return Object.values(paths as Record<string, Record<string, Documented>>)
    .flatMap((methods) => Object.values(methods))
    .filter(({ security }) => security?.some((way) => "account" in way))
    .map(({ operationId }) => operationId);
}

test("every operation of an account is known", () => {
  expect([...OPERATION_CALLS.keys()].sort()).toEqual([...accountOperations()].sort());
});

test("every call is a method of the SDK", () => {
  const client: unknown = createClient({ baseUrl: "http://localhost:8080", accountSid: "AC1", token: "t" });
  const missing = [...OPERATION_CALLS.values()].filter(({ sdk }) => {
    const path = sdk.slice(0, sdk.indexOf("(")).split(".");
    const method = path.reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], client);
    return typeof method !== "function";
  });
  expect(missing).toEqual([]);
});

test("every command is one of tandem, and its options are", () => {
  const reference = readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8");
  const missing = [...OPERATION_CALLS.values()]
    .filter(({ cli }) => cli !== "")
    .filter(({ cli }) => {
      const command = cli.replace(/ [-[{].*/, "");
      const at = reference.indexOf(`\ntandem ${command}`);
      const section = reference.slice(at, reference.indexOf("\n##", at));
      return at < 0 || (cli.match(/--[\w-]+/g) ?? []).some((option) => !section.includes(`\`${option}`));
    })
    .map(({ cli }) => cli);
  expect(missing).toEqual([]);
});
