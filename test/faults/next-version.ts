// A build of the version that follows this one: the same sources with one more step of the schema, which only adds, and
// a version of its own.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { serverFlags } from "../tandem.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What a build reads; what is in `dist` already, the portal and the tables of numbers, is not built again. */
const FOLDERS = ["dist", "docs", "numbering", "portal", "rules", "scripts", "sdk", "sql", "src", "vendor"];
const FILES = ["package.json", "package-lock.json", "tsconfig.json"];
const STEPS = "src/adapters/store/schema/index.ts";
const STEP = `{
    name: "9000-next",
    sql: "create table next_notes (sid text primary key); alter table outbound_messages add column next_note text;",
  },
];`;

export interface Build {
  readonly version: string;
  readonly command: readonly string[];
}

export function buildNext(): Build {
  const directory = mkdtempSync(join(tmpdir(), "tandem-next-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of [...FOLDERS, ...FILES]) {
    cpSync(join(ROOT, name), join(directory, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  edit(join(directory, STEPS), /\];\s*$/, STEP);
  const version = "0.9.0";
  edit(join(directory, "package.json"), /"version": ".*?"/, `"version": "${version}"`);
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: directory, encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  return { version, command: [process.execPath, ...serverFlags(), join(directory, "dist/tandem.js"), "serve"] };
}

function edit(file: string, what: RegExp, by: string): void {
  const before = readFileSync(file, "utf8");
  const after = before.replace(what, by);
  if (after === before) throw new Error(`${file} does not have ${what}.`);
  writeFileSync(file, after);
}
