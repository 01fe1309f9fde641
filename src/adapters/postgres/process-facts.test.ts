import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { accountIn } from "./postgres-account.ts";
import { isAlive, isPostmasterOf, isTaken, startedAt } from "./process-facts.ts";

test("a running process is alive and started just now", async () => {
  const child = spawn("sleep", ["600"]);
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  expect(await isAlive(pid)).toBe(true);
  const started = await startedAt(pid);
  expect(Math.abs(Date.now() - (started?.getTime() ?? 0))).toBeLessThan(10_000);
  expect(await isPostmasterOf(pid, "/data/postgres")).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await isAlive(pid)).toBe(false);
  expect(await startedAt(pid)).toBeUndefined();
});

test.runIf(process.platform === "linux")("a zombie has its pid but is not alive", async () => {
  // The shell becomes a sleep that never reaps the child it inherited; only then may the child end.
  const parent = spawn("/bin/sh", ["-c", "(read line <&3) & echo $!; exec sleep 600 3<&-"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const [line] = (await once(parent.stdout as Readable, "data")) as [Buffer];
  const pid = Number(line.toString("utf8"));
  const isSleep = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim() === "sleep";
  await expect.poll(isSleep, { timeout: 120_000 }).toBe(true);
  (parent.stdio[3] as Writable).end();
  await expect.poll(() => isAlive(pid), { timeout: 120_000 }).toBe(false);
  expect(isTaken(pid)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
});

test("accounts are read from passwd, and root is never one", () => {
  const passwd = "root:x:0:0::/root:/bin/sh\npostgres:x:101:104:PostgreSQL,,,:/var/lib:/bin/bash\ntoor:x:0:0:::\n";
  expect(accountIn(passwd, "postgres")).toEqual({ uid: 101, gid: 104 });
  expect(accountIn(passwd, "nobody")).toBeUndefined();
  expect(accountIn(passwd, "toor")).toBeUndefined();
});
