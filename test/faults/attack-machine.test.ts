// A machine that fails its server: PostgreSQL hangs, or the disk is full. The server has its own PostgreSQL, on its own
// small disk where one can be mounted. (Wrong clocks: clock.test.ts.)

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { form, SEND, UNTIL } from "../contract/messages.ts";
import { problemOf } from "../contract/problem.ts";
import { clusterOf } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { NO_LIMITS as limits, OtherTenants, withoutLimits } from "./other-tenants.ts";

const DISK_MB = 256;

/** The data directory is on it, and so are PostgreSQL's files, which are in that directory or beside it. */
const disk = mkdtempSync(join(tmpdir(), "tandem-disk-"));
const dataDir = join(disk, "data");
/** Why no disk of its own could be mounted. */
let diskless: string | undefined;
// After the server has stopped: afterAll hooks run in reverse order.
afterAll(() => {
  if (diskless === undefined) spawnSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true, force: true });
});
const tandem = useTandem(() => {
  diskless = mountDisk();
  return {
    dataDir,
    hasOwnPostgres: true,
    environment: { TANDEM_LOG_LEVEL: "warn", TANDEM_DATABASE_SECONDS: "3" },
  };
});

function mountDisk(): string | undefined {
  const order = ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tandem-test", disk];
  const { status, stderr } = spawnSync("mount", order, { encoding: "utf8" });
  if (status === 0) return undefined;
  const reason = `no disk can be mounted here, which takes root: ${stderr?.trim()}`;
  if (process.env.CI === "true") throw new Error(`${reason}; CI must not skip it`);
  return reason;
}

let from: string;
let other: TestAccount;
let others: OtherTenants;

beforeAll(async () => {
  from = await withoutLimits(tandem);
  other = await newAccount(tandem, { limits });
  others = await OtherTenants.watch([() => send("Hello"), () => other.call("/carrierLookup/v1/Numbers/+12024561414")]);
});

const send = (text: string) => tandem.get(SEND, form({ From: from, To: "+14155550100", Text: text }));

const ready = async () => {
  const answer = await tandem.get("/readyz");
  return { status: answer.status, ...((await answer.json()) as { checks: { store: string } }).checks };
};

async function storedTexts(like: string): Promise<number> {
  const rows = await tandem.database.query("select from outbound_messages where text like $1", [like]);
  return rows.length;
}

/**
 * Stops PostgreSQL with all of its sessions; returns a function that resumes them. The postmaster stops first and
 * resumes last: meanwhile no session starts, and one that ends keeps its pid.
 */
function stopPostgres(): () => void {
  const postmaster = Number(readFileSync(join(clusterOf(dataDir), "postmaster.pid"), "utf8").split("\n", 1)[0]);
  process.kill(postmaster, "SIGSTOP");
  while (!/^State:\s*T/m.test(readFileSync(`/proc/${postmaster}/status`, "utf8")));
  const sessions = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number);
  for (const pid of sessions) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of [...sessions, postmaster]) process.kill(pid, "SIGCONT");
  };
}

test(
  "a PostgreSQL that hangs is reported with 503, and what was given up is not done when it goes on",
  async () => {
    const stopped: (() => void)[] = [];
    const goOn = () => {
      for (const go of stopped.splice(0)) go();
    };
    onTestFinished(goOn);
    for (let round = 0; round < roundsOf({ quick: 1, long: 10 }); round++) {
      const hung = async () => {
        stopped.push(stopPostgres());
        const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => send(`given up ${round} ${at}`)));
        expect(await ready()).toMatchObject({ status: 503, store: "out of reach" });
        return answers;
      };
      for (const answer of await others.beside("a PostgreSQL that hangs", hung, [200, 503])) {
        expect((await problemOf(answer, 503)).code).toBe("unavailable");
        expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      }
      goOn();
      await expect.poll(async () => (await send("afterwards")).status, UNTIL).toBe(200);
      await expect.poll(ready, UNTIL).toMatchObject({ status: 200, store: "ok" });
      expect(await storedTexts("given up%")).toBe(0);
    }
  },
  LONG_TIMEOUT_MS,
);

/** Fills the disk to the last byte. */
function fillDisk(): string {
  const file = join(disk, "filler");
  const filler = openSync(file, "w");
  for (let size = 1024 * 1024; size >= 1; ) {
    try {
      writeSync(filler, Buffer.alloc(size));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "ENOSPC") throw fault;
      size >>= 4;
    }
  }
  closeSync(filler);
  return file;
}

test(
  "a disk that is full is reported with 503, and everything that was accepted is there when there is space",
  async ({ skip }) => {
    skip(diskless !== undefined, diskless);
    const text = (round: number) => `full ${round} ${"x".repeat(1_000)}`;
    for (let round = 0; round < roundsOf({ quick: 1, long: 5 }); round++) {
      const logged = tandem.output().length;
      const filler = fillDisk();
      onTestFinished(() => rmSync(filler, { force: true }));
      let accepted = 0;
      const untilRefused = async () => {
        for (;;) {
          const answers = await Promise.all(Array.from({ length: 20 }, () => send(text(round))));
          accepted += answers.filter(({ status }) => status === 200).length;
          const refused = answers.find(({ status }) => status !== 200);
          for (const answer of answers) if (answer !== refused) await answer.arrayBuffer();
          if (refused) return refused;
        }
      };
      const refused = await others.beside("a full disk", untilRefused, [200, 503]);
      expect((await problemOf(refused, 503)).code).toBe("unavailable");
      expect((await ready()).status).toBe(503);
      const lookedUp = await other.call("/carrierLookup/v1/Numbers/+12024561414");
      if (lookedUp.status !== 200) {
        // Only where PostgreSQL itself has ended: its own log found no space, and it starts once there is some.
        expect((await problemOf(lookedUp, 503)).code).toBe("unavailable");
        await expect.poll(() => tandem.output().slice(logged), UNTIL).toContain("database connection lost");
      }
      rmSync(filler);
      await expect.poll(async () => (await send("afterwards")).status, UNTIL).toBe(200);
      await expect.poll(ready, UNTIL).toMatchObject({ status: 200, store: "ok" });
      expect(await storedTexts(text(round))).toBe(accepted);
    }
  },
  LONG_TIMEOUT_MS,
);
