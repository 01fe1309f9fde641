// PostgreSQL refuses to run as root. When Tandem runs as root, its PostgreSQL runs under another account; when
// Tandem is an ordinary user, there is no other account and every function here takes `undefined`.

import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

const outputBytesMax = 64 * 1024;

// A fixed environment: a PGDATA, PGPORT or LC_ALL of the operator's shell must not change the database.
export const postgresEnvironment = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" } as const;

export function asAccount(account: Account | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Undefined for an ordinary user; as root the cluster's owner, else `postgres`, else `nobody`. */
export async function accountFor(cluster: string | undefined): Promise<Account | undefined> {
  if (!isRoot()) return undefined;
  if (cluster) {
    const { uid, gid } = await stat(cluster);
    if (uid !== 0) return { uid, gid };
  }
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  return accountIn(passwd, "postgres") ?? accountIn(passwd, "nobody") ?? { uid: 65534, gid: 65534 };
}

export function accountIn(passwd: string, name: string): Account | undefined {
  const fields = passwd
    .split("\n")
    .find((line) => line.startsWith(`${name}:`))
    ?.split(":");
  const uid = Number.parseInt(fields?.[2] ?? "", 10);
  const gid = Number.parseInt(fields?.[3] ?? "", 10);
  return uid > 0 && gid >= 0 ? { uid, gid } : undefined;
}

/** Runs a program to its end under the account. A program that cannot be started has code null, never a rejection. */
export function runAs(
  account: Account | undefined,
  file: string,
  args: readonly string[],
  input = "",
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: "/", env: postgresEnvironment, ...asAccount(account) });
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-outputBytesMax);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.stdin.on("error", () => undefined);
    child.once("error", (error) => resolve({ code: null, output: error.message }));
    child.once("close", (code) => resolve({ code, output: output.trim() }));
    child.stdin.end(input);
  });
}

/** Whether the account can enter the directory. Tries it, because mode bits do not reflect ACLs or mounts. */
export async function canEnter(account: Account | undefined, directory: string): Promise<boolean> {
  if (!account) return true;
  return (await runAs(account, "/bin/sh", ["-c", 'cd "$1"', "sh", directory])).code === 0;
}
