// Builds the image of a release with buildah, from deploy/container/Containerfile and Debian's packages.
//
// Guarantees: nothing but the image is left behind. The same release, Node.js and versions of Debian's packages make
// the same image, octet by octet; a newer version of a package makes another one.

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packFolder } from "./release-files.ts";

const run = promisify(execFile);
const CONTAINERFILE = fileURLToPath(new URL("../deploy/container/Containerfile", import.meta.url));
const SUITE = "bookworm";
/** What Node.js needs beside the essential packages. It has certificates of its own. */
const DEBIAN_PACKAGES = ["libstdc++6"];
const LEFT_OUT = ["/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"];
/** The server's user, and its directory. */
const USER = "tandem:x:10001:10001:Tandem:/data:/usr/sbin/nologin";
const HOOKS = [
  `echo ${USER} >> "$1/etc/passwd"`,
  `echo tandem:x:10001: >> "$1/etc/group"`,
  'install --directory --owner=10001 --group=10001 --mode=700 "$1/data"',
];
/** Where packages of Node.js, and its own archives, have its licence. */
const NODE_LICENCES = ["../LICENSE", "../share/doc/nodejs/LICENSE", "../share/doc/nodejs/copyright"];

export interface ImageOrder {
  /** The archive of the release. */
  readonly release: string;
  /** Where the image layout goes, as a tar archive. */
  readonly image: string;
  readonly tag: string;
  readonly time: number;
}

export async function buildImage({ release, image, tag, time }: ImageOrder): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "tandem-image-"));
  try {
    const context = join(work, "context");
    mkdirSync(join(context, "tandem"), { recursive: true });
    await run("tar", ["-xzf", release, "-C", join(context, "tandem"), "--strip-components=1"]);
    await makeRoot(join(context, "root.tar"), time);
    copyNode(context, time);

    const layout = join(work, "image");
    const stores = ["--root", join(work, "storage"), "--runroot", join(work, "run"), "--storage-driver", "vfs"];
    const buildah = (...args: readonly string[]) => run("buildah", [...stores, ...args]);
    const same = ["--timestamp", String(time), "--layers=false"];
    await buildah("bud", "--isolation", "chroot", "--quiet", ...same, "--file", CONTAINERFILE, "--tag", tag, context);
    await buildah("push", "--quiet", tag, `oci:${layout}:${tag}`);
    packFolder(layout, image, time);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function makeRoot(archive: string, time: number): Promise<void> {
  const left = LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`);
  const hooks = HOOKS.map((command) => `--customize-hook=${command}`);
  const what = ["--variant=minbase", `--include=${DEBIAN_PACKAGES.join(",")}`, SUITE, archive];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
  await run("mmdebstrap", ["--quiet", ...left, ...hooks, ...what], { env });
  utimesSync(archive, time, time);
}

/** The Node.js that runs this. */
function copyNode(context: string, time: number): void {
  const program = realpathSync(process.execPath);
  const licence = NODE_LICENCES.map((path) => join(dirname(program), path)).find(existsSync);
  if (licence === undefined) throw new Error(`Node's licence was not found beside ${program}, at ${NODE_LICENCES}.`);
  for (const [from, name] of [
    [program, "node"],
    [licence, "node-licence.txt"],
  ] as const) {
    copyFileSync(from, join(context, name));
    utimesSync(join(context, name), time, time);
  }
}
