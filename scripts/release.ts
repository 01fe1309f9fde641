// `npm run release`: writes a release to artefacts/release, for the platform that this runs on.
//
// - tandem-VERSION-PLATFORM.tar.gz: the program, for a machine with Node.js
// - tandem-VERSION-PLATFORM-image.tar: an OCI image layout, for podman, docker and buildah
// - SHA256SUMS: the checksums of both

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { packFolder, RELEASE_NAME, releaseTime, stageRelease } from "./release-files.ts";
import { buildImage } from "./release-image.ts";

const target = fileURLToPath(new URL("../artefacts/release", import.meta.url));
const time = releaseTime();
const archive = join(target, `${RELEASE_NAME}.tar.gz`);
const image = join(target, `${RELEASE_NAME}-image.tar`);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "tandem-release-"));
try {
  stageRelease(join(work, RELEASE_NAME));
  packFolder(join(work, RELEASE_NAME), archive, time);
} finally {
  rmSync(work, { recursive: true, force: true });
}
await buildImage({ release: archive, image, tag: `tandem:${packageJson.version}`, time });

const sums = [archive, image].map((path) => {
  const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
  const name = path.slice(target.length + 1);
  console.log(`${name}: ${Math.ceil(statSync(path).size / 1e6)} MB`);
  return `${digest}  ${name}\n`;
});
writeFileSync(join(target, "SHA256SUMS"), sums.join(""));
