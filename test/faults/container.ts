// An image of a release as its layout says, and a container of it. crun, a real runtime, gives it a root that cannot be
// written to, no capabilities, and the user of the image. It shares the network with the test.

import { execFile } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface UnpackedImage {
  readonly root: string;
  readonly config: ImageConfig;
}

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
}

interface Blob {
  readonly digest: string;
}

/** Unpacks the one image of an archived layout below `folder`. */
export async function unpackImage(archive: string, folder: string): Promise<UnpackedImage> {
  const [layout, root] = [join(folder, "layout"), join(folder, "root")];
  for (const made of [layout, root]) mkdirSync(made);
  await run("tar", ["-xf", archive, "-C", layout, "--strip-components=1"]);
  const pathOf = ({ digest }: Blob) => join(layout, "blobs", digest.replace(":", "/"));
  const read = <Content>(path: string) => JSON.parse(readFileSync(path, "utf8")) as Content;
  const [image] = read<{ manifests: readonly Blob[] }>(join(layout, "index.json")).manifests;
  const manifest = read<{ config: Blob; layers: readonly Blob[] }>(pathOf(image as Blob));
  for (const layer of manifest.layers) await run("tar", ["-xpf", pathOf(layer), "-C", root]);
  return { root, config: read<{ config: ImageConfig }>(pathOf(manifest.config)).config };
}

export interface ContainerOrder {
  readonly image: UnpackedImage;
  /** A new folder for what the runtime needs. */
  readonly folder: string;
  /** In the place of the image's volume. */
  readonly data: string;
  /** Folders of this machine that the container sees at the same place, but cannot write to. */
  readonly sees: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Instead of what the image runs. */
  readonly command?: readonly string[];
}

/** The command that runs a container until it ends. */
export function containerCommand(order: ContainerOrder): readonly string[] {
  const { image, folder, data, sees, environment } = order;
  const { User, Env, Entrypoint, Cmd, WorkingDir } = image.config;
  const [uid = Number.NaN, gid = Number.NaN] = User.split(":").map(Number);
  mkdirSync(folder);
  mkdirSync(data, { recursive: true });
  chownSync(data, uid, gid);
  const given = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith("TANDEM_") ? [`${name}=${value}`] : [],
  );
  const bundle = {
    ociVersion: "1.0.2",
    process: {
      user: { uid, gid },
      args: order.command ?? [...Entrypoint, ...Cmd],
      env: [...Env.filter((line) => !given.some((other) => other.startsWith(line.replace(/=.*/, "=")))), ...given],
      cwd: WorkingDir,
      noNewPrivileges: true,
      capabilities: {},
    },
    root: { path: image.root, readonly: true },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755"] },
      ...Object.keys(image.config.Volumes).map((destination) => bindOf(data, destination, "rw")),
      ...sees.map((path) => bindOf(path, path, "ro")),
    ],
    linux: { namespaces: ["mount", "pid", "ipc", "uts"].map((type) => ({ type })) },
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(bundle));
  // crun refuses machines that mount both kinds of control groups.
  const oneKind = "umount -R -l /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup";
  const crun = `crun --root '${folder}/state' --cgroup-manager=disabled run --bundle '${folder}' tandem-${process.pid}`;
  return ["unshare", "--mount", "sh", "-c", `${oneKind}; exec ${crun}`];
}

const bindOf = (source: string, destination: string, mode: "ro" | "rw") => ({
  destination,
  type: "bind",
  source,
  options: ["rbind", mode],
});
