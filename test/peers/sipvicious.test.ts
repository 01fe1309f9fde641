// SIPVicious, the scanner that every SIP port on the Internet meets: it must not even learn that a server listens.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { TestSignalling } from "../fakes/sip-signalling.ts";
import { requirePeer } from "./peer.ts";

const svmap = requirePeer("svmap", "sipvicious");
const svwar = requirePeer("svwar", "sipvicious");
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

/** Everything that the scanner printed. */
async function scan(program: string, args: readonly string[]): Promise<string> {
  // It stores its results in its home directory.
  const home = await mkdtemp(join(tmpdir(), "tandem-scanner-"));
  closings.push(() => rm(home, { recursive: true, force: true }));
  const outcome = await promisify(execFile)(program, args, { env: { ...process.env, HOME: home } }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
  return `${outcome.stdout}${outcome.stderr}`;
}

describe.skipIf(!svmap || !svwar)("a scanner", () => {
  const open = async (source: string) => {
    const us = await TestSignalling.open([{ host: "127.0.0.9", sources: [source] }], { clock: systemClock });
    closings.push(() => us.sip.close());
    return us;
  };

  test("sees a port that answers its trunk, so the scan itself works", async () => {
    const us = await open("127.0.0.1");
    expect(await scan(svmap ?? "", ["-p", String(us.port), "127.0.0.2"])).toContain(`127.0.0.2:${us.port}`);
  });

  test("finds nobody, by whatever method", async () => {
    const scans = ["OPTIONS", "INVITE", "REGISTER"].map(async (method) => {
      const us = await open("127.0.0.9");
      const seen = await scan(svmap ?? "", ["-m", method, "-p", String(us.port), "127.0.0.2"]);
      expect(seen, method).not.toContain(`127.0.0.2:${us.port}`);
      expect(us.sip.drops.request + us.sip.drops.malformed, method).toBeGreaterThan(0);
    });
    await Promise.all(scans);
  });

  test("finds no extension", async () => {
    const us = await open("127.0.0.9");
    const seen = await scan(svwar ?? "", ["-e", "100-110", "-p", String(us.port), "127.0.0.2"]);
    expect(seen).not.toMatch(/\| *1\d\d/);
    expect(us.records).toEqual([]);
  });
});
