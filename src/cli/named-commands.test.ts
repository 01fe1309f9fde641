// Commands that help texts, advice and documents mention exist, and accept the options that are given with them.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROBLEM_TITLES } from "../domain/problems.ts";
import { adviceFor } from "./advice.ts";
import { type CommandNode, nodesOf, readTree } from "./command-tree.ts";
import { makeProgram } from "./program.ts";

const tree = readTree(makeProgram());
const root = new URL("../../", import.meta.url);
const ERROR_CODE_MAX = 5_000;

test("help texts", () => {
  const notes = nodesOf(tree).flatMap((node) => node.notes.split("\n").filter((line) => /^ {2,}.*tandem /.test(line)));
  expect(notes.flatMap(faultsOfLine)).toEqual([]);
});

test("advice", () => {
  const codes = Array.from({ length: ERROR_CODE_MAX }, (_, errorCode) => adviceFor({ errorCode }));
  const advice = [...codes, ...Object.keys(PROBLEM_TITLES).map((code) => adviceFor({ code }))];
  expect(advice.flatMap((text) => (text === undefined ? [] : faultsOf(text)))).toEqual([]);
});

const PAGES = [
  "README.md",
  ...readdirSync(new URL("docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

test.each(PAGES)("%s", (page) => {
  const text = readFileSync(new URL(page, root), "utf8");
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.split("\n"));
  const spans = [...text.matchAll(/`(tandem [^`\n]+)`/g)].map(([, span = ""]) => span);
  expect([...blocks, ...spans].flatMap(faultsOfLine)).toEqual([]);
});

/** Words that follow a command in a sentence. */
const PROSE = new Set(["tells", "shows", "says", "wants", "makes", "has", "looks"]);

/** Faults of the commands in a sentence. */
function faultsOf(sentence: string): readonly string[] {
  return commandsIn(/(?:^|[\s(])tandem ([^;|#`→(),]+)/g, sentence);
}

/** Faults of the commands in a line of shell input. */
function faultsOfLine(line: string): readonly string[] {
  return commandsIn(/(?:^\s*|[;|(&]\s*)tandem ([^;|#`()]+)/g, line);
}

function commandsIn(pattern: RegExp, text: string): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, words = ""]) => faultOf(words.trim().split(/\s+/)));
}

function faultOf(words: readonly string[]): readonly string[] {
  let node: CommandNode = tree;
  for (const word of words) {
    const name = word.replace(/[.:]+$/, "");
    if (PROSE.has(name)) return [];
    const child = node.children.find(({ path }) => path.at(-1) === name);
    if (child) node = child;
    else if (name.startsWith("--") && !takes(node, name)) return [`${words.join(" ")}: no option ${name}`];
    else if (node.children.length > 0 && /^[a-z]+$/.test(name)) return [`${words.join(" ")}: no command ${name}`];
  }
  return [];
}

function takes(node: CommandNode, name: string): boolean {
  const long = name.replace(/=.*/, "").replace(/[^a-z0-9-]/g, "");
  // A group may be mentioned with an option of its commands.
  return nodesOf(node).some(({ options }) => options.some(({ names }) => names.includes(long)));
}
