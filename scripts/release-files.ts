// What a release holds: the built program with the packages that it loads at run time, documents, samples for running
// it, and the licences of everything inside.
//
// Guarantees: the same sources, packages and Node.js make the same archive, octet by octet. Names are sorted, and no
// owner, mode or time of the machine that made it goes along.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PLATFORM = `${process.platform}-${process.arch}`;
export const RELEASE_NAME = `tandem-${packageJson.version}-${PLATFORM}`;

const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "licenses",
  "numbering/NOTICE.md",
  "config.example.env",
];
const PARTS = [...DOCUMENTS, "tandem", "dist", "deploy", "docs", "api/tandem.config.schema.json"];
/** Not bundled. Without them the portable path of audio is the only one. */
const PACKAGES = ["koffi", `@koromix/koffi-${PLATFORM}`];
/** Source maps, compiled code of the machine that built it, and the note of what the portal was built from. */
const LEFT_OUT = /(\.map|\.code(\..*)?|\/portal\.digest)$/;

/** Puts the files of a release into a new folder. */
export function stageRelease(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const packages = PACKAGES.map((name) => `node_modules/${name}`).filter((path) => existsSync(ROOT + path));
  for (const path of [...PARTS, ...packages]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(ROOT + path, join(folder, path), {
      recursive: true,
      dereference: true,
      filter: (source) => !LEFT_OUT.test(source),
    });
  }
  writeFileSync(join(folder, "licenses/packages.txt"), licencesOfPackages());
}

/** Bundled packages do not bring their licences by themselves. */
function licencesOfPackages(): string {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, "utf8")) as {
    packages: Readonly<Record<string, { version: string; dev?: boolean; link?: boolean; license?: string }>>;
  };
  const bundled = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link && existsSync(ROOT + path),
  );
  const sections = bundled.map(([path, { version, license = "" }]) => {
    const files = readdirSync(ROOT + path).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
    const texts = files.sort().map((name) => readFileSync(join(ROOT, path, name), "utf8").trim());
    return [`${path.split("node_modules/").at(-1)} ${version} (${license})`, ...texts].join("\n\n");
  });
  return `${[...new Set(sections)].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Seconds since 1970 that every file of a release has as its time: those of the commit, unless they are given. */
export function releaseTime(environment: Readonly<Record<string, string | undefined>> = process.env): number {
  const given = environment.SOURCE_DATE_EPOCH;
  const time = given ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" });
  return Number(time);
}

/** Packs a folder; its own name is the first part of every name in the archive. */
export function packFolder(folder: string, archive: string, time: number): void {
  const same = ["--sort=name", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  const squeezed = archive.endsWith(".gz") ? ["--use-compress-program=gzip -n"] : [];
  const what = ["-C", dirname(folder), basename(folder)];
  execFileSync("tar", ["--create", "--format=ustar", ...same, ...squeezed, "--file", archive, ...what]);
}
