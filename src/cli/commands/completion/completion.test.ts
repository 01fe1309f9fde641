// The scripts are run by the real shells, if they are installed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTree } from "../../command-tree.ts";
import { makeProgram } from "../../program.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

let folder: string;
const tree = readTree(makeProgram());

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-completion-"));
  writeFileSync(join(folder, "tandem.bash"), bashScript(tree));
  writeFileSync(join(folder, "_tandem"), zshScript(tree));
  writeFileSync(join(folder, "tandem.fish"), fishScript(tree));
  writeFileSync(join(folder, "customers.csv"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shell(name: string, ...args: readonly string[]): readonly string[] {
  const { status, stderr, stdout } = spawnSync(name, args, { cwd: folder, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

const has = (name: string) => spawnSync(name, ["-c", "exit 0"]).status === 0;

const CASES: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [["oper"], ["operator"]],
  [["operator", "acc"], ["accounts"]],
  [
    ["operator", "accounts", "tokens", ""],
    ["create", "delete", "promote"],
  ],
  [
    ["webhooks", "r"],
    ["rotate", "replay"],
  ],
  [["messages", "list", "--status", "D"], ["Delivered"]],
  [["messages", "list", "--limit", "5", "--err"], ["--error-code"]],
  [["operator", "messages", "why", "OM1", "--acc"], ["--account"]],
  [["account", "request-feature", "v"], ["voice"]],
  [["completion", "z"], ["zsh"]],
  [["send", "--text", ""], []],
  [["nonsense", "qq"], []],
];

describe.skipIf(!has("bash"))("bash", () => {
  const complete = (typed: readonly string[]) =>
    shell(
      "bash",
      "--norc",
      "-c",
      `source ./tandem.bash; COMP_WORDS=(tandem "$@"); COMP_CWORD=$#; _tandem; printf "%s\\n" "\${COMPREPLY[@]}"`,
      "bash",
      ...typed,
    );

  test.each(CASES)("completes tandem %j", (typed, offered) => {
    expect(complete(typed)).toEqual(offered);
  });

  test("asks the script when tandem is completed", () => {
    expect(shell("bash", "--norc", "-c", "source ./tandem.bash; complete -p tandem")).toEqual([
      "complete -F _tandem tandem",
    ]);
  });

  test("knows every command", () => {
    const listed = complete([""]);
    expect(listed).toEqual(tree.children.map(({ path }) => path.at(-1)));
  });
});

describe.skipIf(!has("fish"))("fish", () => {
  test.each(CASES)("completes tandem %j", (typed, offered) => {
    const line = ["tandem", ...typed.map((word) => (word === "" ? "''" : word))].join(" ").replace(/''$/, "");
    const answers = shell("fish", "--no-config", "-c", `source ./tandem.fish; complete -C "${line}"`);
    expect(answers.map((answer) => answer.split("\t")[0]).toSorted()).toEqual(offered.toSorted());
  });
});

describe.skipIf(!has("zsh"))("zsh", () => {
  test("takes the script, and asks it when tandem is completed", () => {
    const load = "autoload -U compinit; compinit -D -u; source ./_tandem; print $_comps[tandem]";
    expect(shell("zsh", "-f", "-c", load)).toEqual(["_tandem"]);
  });
});
