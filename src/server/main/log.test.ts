import { execFileSync } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { openLog } from "./log.ts";

test("what cannot be written is lost and ends nothing", () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const log = openLog("info", { fd: full, stream: () => process.stderr });
  expect(() => {
    for (let line = 0; line < 3; line++) log.info({ line }, "a fact");
  }).not.toThrow();
});

test("a pipe that no one reads blocks nothing, and a later line reports how many lines were dropped", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tandem-log-"));
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  const fd = openSync(pipe, constants.O_RDWR);
  const stream = new Socket({ fd, readable: false, writable: true });
  onTestFinished(() => {
    stream.destroy();
    rmSync(directory, { recursive: true });
  });
  const log = openLog("info", { fd, stream: () => stream });
  const written = 20_000;
  for (let line = 0; line < written; line++) log.info({ line, text: "x".repeat(200) }, "a fact");
  expect(stream.writableLength).toBeLessThan(1_100_000);

  const reader = createReadStream(pipe);
  onTestFinished(() => void reader.destroy());
  const drained = new Promise((resolve) => stream.once("drain", resolve));
  const facts: Record<string, unknown>[] = [];
  const last = new Promise((resolve) =>
    createInterface(reader).on("line", (line) => {
      facts.push(JSON.parse(line));
      if (line.includes("the last fact")) resolve(line);
    }),
  );
  await drained;
  log.info({}, "the last fact");
  await last;
  const dropped = facts.at(-2)?.dropped;
  expect(facts.at(-1)).toMatchObject({ msg: "the last fact" });
  expect(facts.length - 2 + Number(dropped)).toBe(written);
});
