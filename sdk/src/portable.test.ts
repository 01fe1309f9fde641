import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** The SDK, and the rules that are bundled with it. */
const FOLDERS = [new URL(".", import.meta.url), new URL("../../rules/", import.meta.url)];
/** Globals that Node has and Deno or browsers do not. */
const OF_NODE = new Set([
  "Buffer",
  "process",
  "global",
  "require",
  "module",
  "__dirname",
  "__filename",
  "setImmediate",
]);

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => ({
      name,
      source: ts.createSourceFile(name, readFileSync(new URL(name, folder), "utf8"), ts.ScriptTarget.Latest, true),
    })),
);

/** Every global of Node and every import that is not a file of ours. */
function foreign(source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const { text } = node.moduleSpecifier as ts.StringLiteral;
      if (!/^\.\.?\/.*\.ts$/.test(text)) found.push(text);
    }
    const isName =
      ts.isPropertyAccessExpression(node.parent ?? node) && (node.parent as { name?: ts.Node }).name === node;
    if (ts.isIdentifier(node) && OF_NODE.has(node.text) && !isName) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("the SDK stands on what Node, Deno and browsers all have", () => {
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.flatMap(({ name, source }) => foreign(source).map((what) => `${name}: ${what}`))).toEqual([]);
});

test("and what only Node has would be found", () => {
  const text = 'import { createHash } from "node:crypto"; export const id = Buffer.from(process.argv.buffer);';
  const source = ts.createSourceFile("bad.ts", text, ts.ScriptTarget.Latest, true);
  expect(foreign(source)).toEqual(["node:crypto", "Buffer", "process"]);
});
