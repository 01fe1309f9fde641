// Counts the lines of handwritten code: ts, tsx and css without tests and generated files, in total and by top-level
// folder.

import { readFileSync } from "node:fs";
import { root, tracked } from "./prepare.mjs";

const isTest = (path) => /^test\/|\.test\.tsx?$/.test(path);
/** By the file's name, or by its first line. */
const isGenerated = (path, text) => /\.generated\.tsx?$/.test(path) || /^\/\/.*not written by hand/i.test(text);

const lines = new Map();
for (const path of tracked(["*.ts", "*.tsx", "*.css"])) {
  const text = readFileSync(`${root}${path}`, "utf8");
  if (isTest(path) || isGenerated(path, text)) continue;
  const [folder] = path.includes("/") ? path.split("/") : ["."];
  lines.set(folder, (lines.get(folder) ?? 0) + text.split("\n").length - 1);
}
const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
for (const [name, count] of [["total", total], ...[...lines].sort()]) {
  console.log(`${name.padEnd(12)}${String(count).padStart(8)}`);
}
