// Checks conventions that the linter does not know: every file begins with its purpose; functions stay short enough to
// read; SQL, timers and test code stay where they belong; comments fit the line and use the words of the trade.

import { readFileSync } from "node:fs";
import ts from "typescript";
import { root, tracked } from "./prepare.mjs";

const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 120;

/** A rule checks one file: `where` selects the files, `faults` returns the line and the sentence of each fault. */
const RULES = [
  { where: /^(rules|src|sdk\/src|portal|scripts|bench|numbering)\//, faults: missingHeader },
  { where: /^(rules|src|sdk\/src|portal\/src)\//, faults: longFunctions },
  { where: /^(rules|src|sdk\/src|portal|test|scripts|bench|numbering)\//, faults: wideComments },
  { where: /^(rules|src|sdk\/src|portal|test|scripts|bench|numbering)\//, faults: dialect },
  { where: /^(rules|src|sdk\/src|portal\/src)\//, faults: testCode },
  { where: /^(rules|src\/(wire|domain))\//, faults: timers },
  { where: /^(rules|src|sdk\/src|portal\/src)\//, faults: openTables },
  { where: /^src\/(?!adapters\/(store|postgres)\/)/, faults: sql },
];

const isTest = (path) => /\.test\.tsx?$/.test(path);

function missingHeader({ path, text }) {
  if (isTest(path) || /^(#!.*\n)?\s*(\/\/|\/\*\*)/.test(text)) return [];
  return [[1, "says in no comment at its head what it is for"]];
}

/** A function whose body only lists values, such as a table of operations, may be long. */
function longFunctions({ path, source }) {
  if (isTest(path)) return [];
  const faults = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const first = lineOf(source, node.getStart(source));
      const lines = lineOf(source, node.end) - first + 1;
      if (lines > FUNCTION_LINES_MAX && !isTable(node.body)) {
        faults.push([first, `a function of ${lines} lines; ${FUNCTION_LINES_MAX} are allowed`]);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** The body is one expression, or a block that does little more than return one literal. */
function isTable(body) {
  const value = ts.isBlock(body) ? body.statements.at(-1)?.expression : body;
  const literal = value && ts.isParenthesizedExpression(value) ? value.expression : value;
  if (!literal || !(ts.isArrayLiteralExpression(literal) || ts.isObjectLiteralExpression(literal))) return false;
  return !ts.isBlock(body) || body.statements.length <= 5;
}

function wideComments({ text }) {
  return text.split("\n").flatMap((line, at) => {
    const isWide = line.length > COLUMNS_MAX && /^\s*(\/\/|\/?\*)/.test(line) && !/https?:\/\/\S+$/.test(line);
    return isWide ? [[at + 1, `a comment of ${line.length} columns; ${COLUMNS_MAX} are allowed`]] : [];
  });
}

/** Words of a dialect of our own, with what engineers of the trade say. */
const DIALECT = [
  [/\bdeeds?\b/i, "action"],
  [/\b(cord|jack)s?\b/i, "connection"],
  [/\bseats?\b/i, "slot"],
  [/\bbells?\b/i, "notification"],
  [/\blanes?\b/i, "queue"],
  [/\b(whoever|somebody|nobody|everybody)\b/i, "the caller, the process, no client"],
  [/\bfor good\b/i, "permanently"],
  [/\bcomes? again\b/i, "is repeated"],
  [/\btold\b(?! apart)/i, "reported, notified"],
  [/\bof before\b/i, "previous"],
  [/\bin vain\b/i, "without result"],
  [/\bso long (the|a|its|it)\b/i, "a sentence with its subject first"],
];

function dialect({ text }) {
  return text.split("\n").flatMap((line, at) => {
    if (!/^\s*(\/\/|\/?\*)/.test(line)) return [];
    const words = line.replace(/`[^`]*`|"[^"]*"/g, "");
    return DIALECT.flatMap(([word, better]) => {
      const found = word.exec(words)?.[0];
      return found === undefined ? [] : [[at + 1, `a comment that says "${found}": ${better}?`]];
    });
  });
}

function testCode({ path, source }) {
  if (/for-tests?\.ts$/.test(path)) return [[1, "holds test code: test/fakes is the place"]];
  if (isTest(path)) return [];
  return importsOf(source)
    .filter(([, name]) => /^(vitest|fast-check)$|(^|\/)test\//.test(name))
    .map(([line, name]) => [line, `imports ${name}, which belongs to tests`]);
}

const TIMERS = /^(setTimeout|setImmediate|setInterval|performance)$/;

function timers({ path, source }) {
  if (isTest(path)) return [];
  const faults = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && TIMERS.test(node.text) && !ts.isPropertyAssignment(node.parent)) {
      faults.push([lineOf(source, node.getStart(source)), `uses ${node.text}: time is handed in (base/clock.ts)`]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** Tables that are objects and are read by an arbitrary name. An object also has `constructor`. */
function openTables({ path, source }) {
  if (isTest(path)) return [];
  const tables = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ type, initializer }) => {
      const isOpen = type !== undefined && /^(Readonly<)?Record<string,/.test(type.getText(source));
      return isOpen && initializer !== undefined && ts.isObjectLiteralExpression(initializer);
    });
  const names = new Set(tables.map(({ name }) => name.text));
  const faults = [];
  const visit = (node) => {
    if (ts.isElementAccessExpression(node) && names.has(node.expression.text)) {
      faults.push([
        lineOf(source, node.getStart(source)),
        `reads ${node.expression.text}, an object, by any name: make it a Map (base/table.ts)`,
      ]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

const STATEMENT =
  /^\s*(select\s[\s\S]+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\()/i;

function sql({ path, source }) {
  if (isTest(path)) return [];
  const faults = [];
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
    if (isText && STATEMENT.test(node.text)) {
      faults.push([lineOf(source, node.getStart(source)), "holds SQL, which belongs in adapters/store"]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** Members of classes that no product file uses: members for tests only are removed. The sandbox may have them. */
function unusedMembers(files) {
  const product = files.filter(({ path }) => !isTest(path) && /^(src|scripts|numbering)\//.test(path));
  const wanted = new Set();
  const members = [];
  for (const { path, source } of product) {
    const visit = (node) => {
      if (ts.isPropertyAccessExpression(node)) wanted.add(node.name.text);
      else if (ts.isBindingElement(node)) wanted.add((node.propertyName ?? node.name).text);
      else if (ts.isClassLike(node.parent ?? source) && isAskedFor(node)) {
        members.push([node.name.text, `${path}:${lineOf(source, node.getStart(source))}`]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return members
    .filter(([name, place]) => !wanted.has(name) && !place.startsWith("src/sandbox/"))
    .map(([name, place]) => `${place}: nothing in the product asks for \`${name}\``);
}

/** A named member that is accessible from outside: neither `private` nor required by a base class. */
function isAskedFor(node) {
  if (!ts.isClassElement(node) || !node.name || !ts.isIdentifier(node.name)) return false;
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.OverrideKeyword];
  return !node.modifiers?.some(({ kind }) => hidden.includes(kind));
}

/** Files that the documents name and that do not exist. */
function lostFiles(paths) {
  return tracked(["*.md"]).flatMap((path) => {
    const lines = readFileSync(`${root}${path}`, "utf8").split("\n");
    return lines.flatMap((line, at) =>
      [...line.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)]
        .map(([, name]) => name)
        .filter((name) => !paths.some((known) => known === name || known.endsWith(`/${name}`)))
        .map((name) => `${path}:${at + 1}: names ${name}, and there is no such file`),
    );
  });
}

function importsOf(source) {
  return source.statements.flatMap((node) =>
    ts.isImportDeclaration(node) ? [[lineOf(source, node.getStart(source)), node.moduleSpecifier.text]] : [],
  );
}

function lineOf(source, position) {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}

/** Every fault as `path:line: sentence`. */
export function tidyFaults() {
  const paths = tracked(["rules", "src", "sdk", "portal", "test", "scripts", "bench", "numbering"]).filter(
    (path) => /\.(tsx?|mjs)$/.test(path) && !/\.(generated|d)\.ts$/.test(path),
  );
  const files = paths.map((path) => {
    const text = readFileSync(`${root}${path}`, "utf8");
    // For the others only the text is checked; parsing them takes as long as everything else.
    const isParsed = !isTest(path) && /^(rules|src|sdk|portal|scripts|numbering)\//.test(path);
    return { path, text, source: isParsed ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : undefined };
  });
  const found = files.flatMap((file) =>
    RULES.filter(({ where }) => where.test(file.path)).flatMap(({ faults }) =>
      faults(file).map(([line, sentence]) => `${file.path}:${line}: ${sentence}`),
    ),
  );
  return [...found, ...unusedMembers(files), ...lostFiles(tracked(["*.ts", "*.mjs"]))];
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const faults = tidyFaults();
  if (faults.length > 0) console.log(faults.join("\n"));
  process.exitCode = faults.length === 0 ? 0 : 1;
}
