// The archive of a release: unpacked elsewhere it starts beside an outside PostgreSQL, with nothing of the clone that
// it was made in. It does not depend on times and modes of the machine that made it.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { packFolder, RELEASE_NAME, releaseTime, stageRelease } from "../../scripts/release-files.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { startTandem } from "../tandem.ts";

let folder: string;
let unpacked: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-release-"));
  stageRelease(join(folder, "made", RELEASE_NAME));
  const archive = join(folder, "release.tar.gz");
  packFolder(join(folder, "made", RELEASE_NAME), archive, releaseTime());
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  unpacked = join(folder, RELEASE_NAME);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("unpacked, it starts and serves the portal", async () => {
  const databaseUrl = await newDatabase("empty");
  onTestFinished(() => dropDatabase(databaseUrl));
  const tandem = await startTandem({
    databaseUrl,
    commandFor: () => [join(unpacked, "tandem"), "serve"],
  });
  onTestFinished(async () => void (await tandem.stop()));
  const { version } = (await (await fetch(`${tandem.url}/healthz`)).json()) as { version: string };
  expect(RELEASE_NAME).toContain(version);
  expect(await (await fetch(`${tandem.url}/`)).text()).toContain("<title>Tandem");
  expect(await (await tandem.get("/carrierlookup/v1/numbers/+14074740200")).json()).toMatchObject({
    carrierName: "AT&T Mobility",
  });
});

test("it has the package that the fast path of audio loads", () => {
  const load = ["--print", "typeof require('koffi').load(null).func"];
  const resolved = execFileSync(process.execPath, load, { cwd: join(unpacked, "dist"), encoding: "utf8" });
  expect(resolved.trim()).toBe("function");
});

test("it has what a machine needs, with the licences of what is inside, and nothing of the one that made it", () => {
  for (const path of [
    "deploy/systemd/tandem.service",
    "config.example.env",
    "LICENSE",
    "NOTICE",
    "docs/upgrading.md",
  ]) {
    expect(existsSync(join(unpacked, path)), path).toBe(true);
  }
  const licences = readFileSync(join(unpacked, "licenses/packages.txt"), "utf8");
  expect(licences).toMatch(/^pg 8\.\S+ \(MIT\)$/m);
  expect(licences).toMatch(/^react \S+ \(MIT\)$/m);
  const listed = execFileSync("tar", ["-tvzf", join(folder, "release.tar.gz")], { encoding: "utf8" });
  expect(listed).not.toMatch(/\.(map|code)$|portal\.digest$|\.git\//m);
  expect(listed).toMatch(new RegExp(`^-rwxr-xr-x 0/0 .* ${RELEASE_NAME}/tandem$`, "m"));
});

test("modes and times of the files make no difference", () => {
  const what = join(folder, "same");
  mkdirSync(what);
  const digest = (mode: number, time: number) => {
    const archive = join(folder, "same.tar.gz");
    for (const name of ["b", "a"]) {
      writeFileSync(join(what, name), name);
      chmodSync(join(what, name), mode);
      utimesSync(join(what, name), time, time);
    }
    packFolder(what, archive, 1_700_000_000);
    return createHash("sha256").update(readFileSync(archive)).digest("hex");
  };
  expect(digest(0o600, 1_000)).toBe(digest(0o664, 2_000));
});
