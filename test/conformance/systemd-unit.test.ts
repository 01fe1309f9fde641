// The systemd unit that we ship: systemd reads it, and its times fit the settings.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/server/config/config.ts";

const UNIT = readFileSync(new URL("../../deploy/systemd/tandem.service", import.meta.url), "utf8");
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(UNIT)?.[1];

test("it stops later than the server needs, and does not start it again with wrong settings", () => {
  const [name = "", seconds = ""] = (settingOf("Environment") ?? "").split("=");
  expect([name, seconds]).toEqual(["TANDEM_LAME_DUCK_SECONDS", "10"]);
  const config = readConfig({ [name]: seconds });
  if (!config.ok) throw new Error(config.refusal.join());
  const { TANDEM_LAME_DUCK_SECONDS: lameDuck, TANDEM_DRAIN_SECONDS: drain } = config.value.settings;
  expect(Number(settingOf("TimeoutStopSec"))).toBeGreaterThan(lameDuck + drain);
  expect(settingOf("RestartPreventExitStatus")).toBe("78");
  expect(settingOf("Restart")).toBe("on-failure");
  expect(settingOf("UMask")).toBe("0077");
  expect(Number(settingOf("LimitNOFILE"))).toBeGreaterThanOrEqual(65_536);
});

const ANALYZE = "/usr/bin/systemd-analyze";

test.skipIf(!existsSync(ANALYZE))("systemd has nothing to say against it", () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "tandem.service");
  writeFileSync(path, UNIT.replace(/^ExecStart=.*$/m, "ExecStart=/bin/true"));
  const { status, stderr } = spawnSync(ANALYZE, ["verify", "--man=no", path], { encoding: "utf8" });
  expect({ status, stderr: stderr.split("\n").filter((line) => line.includes("tandem.service")) }).toEqual({
    status: 0,
    stderr: [],
  });
});
