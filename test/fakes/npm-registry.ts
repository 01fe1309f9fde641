// An npm registry on loopback with the packages that are installed here, so that `npm install` works as usual and
// without a network.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";

export interface NpmRegistry {
  readonly url: string;
  close(): void;
}

/** Name → version → folder. */
type Packages = ReadonlyMap<string, ReadonlyMap<string, string>>;

export async function startNpmRegistry(nodeModules: string): Promise<NpmRegistry> {
  const packages = packagesIn(nodeModules);
  const server = createServer((request, response) => {
    const [name = "", version] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    const versions = packages.get(name);
    const folder = version === undefined ? undefined : versions?.get(version);
    if (folder !== undefined) response.end(tarballOf(folder));
    else if (versions && version === undefined) response.end(JSON.stringify(documentOf(name, versions, url)));
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close().closeAllConnections() };
}

function packagesIn(nodeModules: string): Packages {
  const packages = new Map<string, Map<string, string>>();
  const visit = (folder: string) => {
    for (const name of readdirSync(folder).filter((entry) => !entry.startsWith("."))) {
      const path = join(folder, name);
      if (name.startsWith("@")) visit(path);
      const file = join(path, "package.json");
      if (!existsSync(file)) continue;
      const { name: own, version } = JSON.parse(readFileSync(file, "utf8")) as { name: string; version: string };
      packages.set(own, (packages.get(own) ?? new Map<string, string>()).set(version, path));
      if (existsSync(join(path, "node_modules"))) visit(join(path, "node_modules"));
    }
  };
  visit(nodeModules);
  return packages;
}

function documentOf(name: string, versions: ReadonlyMap<string, string>, url: string): object {
  const entries = [...versions].map(([version, folder]) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    const integrity = `sha512-${createHash("sha512").update(tarballOf(folder)).digest("base64")}`;
    return [version, { ...manifest, dist: { tarball: `${url}/${name}/-/${version}`, integrity } }] as const;
  });
  return { name, "dist-tags": { latest: entries.at(-1)?.[0] }, versions: Object.fromEntries(entries) };
}

/** The same bytes every time, because they are hashed. */
function tarballOf(folder: string): Buffer {
  const transform = `--transform=s,^${basename(folder)},package,`;
  const order = ["--create", "--sort=name", "--mtime=@0", "--exclude=node_modules", transform, basename(folder)];
  return spawnSync("tar", order, { cwd: dirname(folder), maxBuffer: 1 << 28 }).stdout;
}
