// The samples of docs/trunks are what they say: settings of ours are valid, and Kamailio accepts its file.

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Ajv2020 from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { modulesFolder } from "../peers/kamailio.ts";
import { requirePeer } from "../peers/peer.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FOLDER = join(ROOT, "docs/trunks");
const PAGES = readdirSync(FOLDER).filter((name) => name !== "README.md");
const kamailio = requirePeer("kamailio", "kamailio");

const isConfig = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(ROOT, "api/tandem.config.schema.json"), "utf8")),
);

function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(FOLDER, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, named, block = ""]) =>
    named === language ? block : [],
  );
}

test.each(PAGES)("%s shows valid settings, and is listed", (page) => {
  const [settings = "{}"] = blocksOf(page, "json");
  expect(isConfig(JSON.parse(settings)), JSON.stringify(isConfig.errors)).toBe(true);
  expect(settings).toContain('"trunks"');
  expect(readFileSync(join(FOLDER, "README.md"), "utf8")).toContain(`(${page})`);
});

test.skipIf(!kamailio)("Kamailio accepts its file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-kamailio-"));
  const [sample = ""] = blocksOf("kamailio.md", "text");
  const file = join(folder, "kamailio.cfg");
  writeFileSync(file, `mpath="${modulesFolder()}"\n${sample.replaceAll("192.0.2.20", "127.0.0.1")}`);
  const { stderr } = await promisify(execFile)(kamailio ?? "", ["-c", "-f", file, "-Y", folder]);
  expect(stderr).toContain("config file ok");
});
