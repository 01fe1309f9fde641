// Generators of commands and SDK methods refuse what the operations do not have.

import { expect, test } from "vitest";
import { plainCommands } from "../../scripts/plain-commands.ts";
import { sdkMethods } from "../../scripts/sdk-methods.ts";
import type { CommandDescription } from "../../src/base/plain-command.ts";
import { apiDocuments, type DocumentedOperation, everyOperation } from "../../src/server/parts/api.ts";

const { everything } = apiDocuments({ hasSandbox: true });
const command: CommandDescription = { name: "calls hangup", about: "Hang up a call.", shows: [{ say: "{sid}" }] };

/** `hangUpCall` with some members replaced. */
function hangUpWith(change: object): readonly DocumentedOperation[] {
  const found = everyOperation().filter(({ operation }) => operation.id === "hangUpCall");
  return found.map(({ name, operation }) => ({ name, operation: { ...operation, ...change } }));
}

test("a command is made of what its operation says", () => {
  const [made] = plainCommands(hangUpWith({ command: { ...command, arguments: { "<sid>": "the call" } } }), everything);
  expect(made).toMatchObject({ name: "calls hangup", call: "calls.hangUp", takes: ["sid"], answers: "one" });
});

test("an option that is no member of the request is refused", () => {
  const wrong = hangUpWith({ command: { ...command, options: { "--why <text>": ["reason", "why"] } } });
  expect(() => plainCommands(wrong, everything)).toThrow("POST /v1/Voice/Calls/{sid}/hangup takes no reason");
});

test("a column that is no member of the answer is refused", () => {
  const wrong = hangUpWith({ command: { ...command, shows: [{ table: { Cost: "{cost}" } }] } });
  expect(() => plainCommands(wrong, everything)).toThrow("POST /v1/Voice/Calls/{sid}/hangup answers no cost");
});

test("an operation without a method of the SDK is refused", () => {
  expect(() => sdkMethods(hangUpWith({ sdk: undefined }), everything)).toThrow("hangUpCall says no name of a method");
});

test("a method of a group that no one knows is refused", () => {
  expect(() => sdkMethods(hangUpWith({ sdk: "telephones.hangUp" }), everything)).toThrow("belongs to no group");
});
