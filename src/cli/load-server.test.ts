import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadKept } from "./load-server.ts";

interface Exports {
  readonly name: string;
  readonly file: string;
  greet(whom: string): string;
}

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-kept-code-"));
  file = join(folder, "program.cjs");
  write("first");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string): void {
  writeFileSync(
    file,
    `const { basename } = require("node:path");
exports.name = "${name}";
exports.file = basename(__filename);
exports.greet = (whom) => "Hello " + whom + ", " + exports.name;`,
  );
}

/** A file system's clock ticks every few milliseconds: two versions written within one tick have the same times. */
function writeLater(name: string): void {
  const { ctimeMs } = statSync(file);
  while (Math.floor(statSync(file).ctimeMs) === Math.floor(ctimeMs)) write(name);
}

const keptCode = () => readdirSync(folder).filter((name) => name !== "program.cjs");

test("what was compiled once is kept, and a file is the same with it", () => {
  for (const _time of ["first", "second"]) {
    const { name, file: own, greet } = loadKept<Exports>(file);
    expect([name, own, greet("you")]).toStrictEqual(["first", "program.cjs", "Hello you, first"]);
    expect(keptCode()).toHaveLength(1);
  }
});

test("kept code of another version of the file is not used, though it is as long", () => {
  loadKept<Exports>(file);
  writeLater("other");
  expect(loadKept<Exports>(file).greet("you")).toBe("Hello you, other");
  expect(keptCode()).toHaveLength(2);
});

test("kept code of a version with the same length and times is not used", () => {
  loadKept<Exports>(file);
  const { atime, mtime } = statSync(file);
  writeLater("other");
  utimesSync(file, atime, mtime);
  expect(loadKept<Exports>(file).greet("you")).toBe("Hello you, other");
});

test.each([
  ["that is none", () => Buffer.from("no code at all")],
  ["that is empty", () => Buffer.alloc(0)],
  ["of which an octet is damaged", (code: Buffer) => code.fill((code[200] ?? 0) ^ 1, 200, 201)],
])("kept code %s is made again", (_name, damaged) => {
  loadKept<Exports>(file);
  const [name = ""] = keptCode();
  const good = readFileSync(join(folder, name));
  writeFileSync(join(folder, name), damaged(Buffer.from(good)));
  expect(loadKept<Exports>(file).greet("you")).toBe("Hello you, first");
  expect(readFileSync(join(folder, name)).length).toBeGreaterThan(good.length / 2);
  expect(readFileSync(join(folder, name))).not.toEqual(damaged(Buffer.from(good)));
});

test("where nothing can be kept, the file is loaded all the same", () => {
  rmSync(folder, { recursive: true });
  const missing = join(folder, "program.cjs");
  expect(() => loadKept<Exports>(missing)).toThrow("ENOENT");
  folder = mkdtempSync(join(tmpdir(), "tandem-kept-code-"));
  file = join(folder, "program.cjs");
  write("first");
  chmodSync(folder, 0o555);
  expect(loadKept<Exports>(file).name).toBe("first");
});
