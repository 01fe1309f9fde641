// Checks the machine: Node's version, open files, the data directory and its disk, the secret key, the clock.

import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSecretKeys, type SecretKey } from "../../../adapters/secrets.ts";
import { keyOfCheck } from "../../../adapters/store/secret-keys.ts";
import { descriptorBudget, readOpenFilesMax } from "../../../server/config/descriptors.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const MIB = 1024 * 1024;
const FREE_BYTES_MIN = 256 * MIB;
const FREE_BYTES_WANTED = 2048 * MIB;

/**
 * `wanted` as in package.json: `^20.19.2 || >=22`. The HTTP parser of other releases reads some headers differently
 * from the servers in front of it (CVE-2024-27982, CVE-2025-23167), which allows request smuggling.
 */
export function checkNode(version: string, wanted: string): Finding {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const ranges = wanted.split(" || ").map((range) => {
    const least = range.replace(/^\D+/, "");
    const [from = 0, fromMinor = 0, fromPatch = 0] = least.split(".").map(Number);
    const isOpen = range.startsWith(">=");
    const isLater = minor > fromMinor || (minor === fromMinor && patch >= fromPatch);
    return {
      fits: major === from ? isLater : isOpen && major > from,
      text: isOpen ? `${least} or newer` : `${least} or a later ${from}`,
    };
  });
  if (ranges.some(({ fits }) => fits)) return ok("Node.js", version);
  const right = ranges.map(({ text }) => text).join(", or ");
  return fail("Node.js", version, `Install ${right}: the HTTP parser of others lets requests be smuggled.`);
}

const OPEN_FILES_MIN = 256;
const OPEN_FILES_WANTED = 4_096;

/** Every connection takes one. No finding when the limit cannot be read. */
export function checkOpenFiles(openFilesMax = readOpenFilesMax()): readonly Finding[] {
  if (openFilesMax === undefined) return [];
  const check = "Open files";
  if (openFilesMax >= OPEN_FILES_WANTED) {
    return [ok(check, Number.isFinite(openFilesMax) ? `${openFilesMax} at once` : "any number at once")];
  }
  const { inboundMax, webhooksMax } = descriptorBudget(openFilesMax);
  const found = `${openFilesMax} at once, so ${inboundMax} connections of callers and ${webhooksMax} for webhooks`;
  const advice =
    "Raise it: ulimit -n 65536 as root in the shell that starts it, or LimitNOFILE=65536 in its systemd unit.";
  return [(openFilesMax < OPEN_FILES_MIN ? fail : warn)(check, found, advice)];
}

export function checkDataDir(dataDir: string): Finding {
  const check = "Data directory";
  const place = nearestExisting(dataDir);
  const isThere = place === dataDir;
  if (!statSync(place).isDirectory()) {
    return fail(check, `${place} is no directory`, "Set TANDEM_DATA_DIR to a directory, or move that file away.");
  }
  if (!mayWrite(place)) {
    const advice = "Run as its owner, or set TANDEM_DATA_DIR to a directory that this user may write to.";
    return fail(check, `${place} cannot be written to by this user`, advice);
  }
  if (existsSync(join(dataDir, "PG_VERSION"))) {
    const advice = "Set TANDEM_DATA_DIR to a directory of Tandem's own, or TANDEM_DATABASE_URL to use that PostgreSQL.";
    return fail(check, `${dataDir} is the data directory of a PostgreSQL itself`, advice);
  }
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const found = `${dataDir}${isThere ? "" : " (made at the first start)"}, ${Math.floor(free / MIB).toLocaleString("en-US")} MiB free`;
  const advice = "Make room on this disk, or set TANDEM_DATA_DIR to a larger one: a full disk stops the database.";
  if (free < FREE_BYTES_MIN) return fail(check, found, advice);
  return free < FREE_BYTES_WANTED ? warn(check, found, advice) : ok(check, found);
}

export interface SecretKeyOrder {
  readonly dataDir: string;
  /** TANDEM_SECRET_KEY. */
  readonly given: readonly SecretKey[] | undefined;
  /** A value sealed with the database's key; undefined when there is none, or the database is not running. */
  readonly sealed: Uint8Array | undefined;
  /** How many values of the database are sealed with earlier keys. */
  readonly underEarlierKeys: number;
  /** There is a database, so its key already exists. */
  readonly isDatabaseMade: boolean;
}

export function checkSecretKey(order: SecretKeyOrder): Finding {
  const finding = checkGivenKey(order);
  if (finding.verdict !== "ok" || order.underEarlierKeys === 0) return finding;
  const found = `${finding.found}; ${order.underEarlierKeys.toLocaleString("en-US")} values are sealed with an earlier key`;
  return warn(finding.check, found, "Run `tandem keys rotate`: it seals them anew.");
}

function checkGivenKey({ dataDir, given, sealed, isDatabaseMade }: SecretKeyOrder): Finding {
  const check = "Secret key";
  const path = join(dataDir, "secret.key");
  const advice =
    "Put the right key back from your backup, or set TANDEM_SECRET_KEY; if it is lost for good, start once with TANDEM_ACCEPT_NEW_KEY=on.";
  const isWrong = (keys: readonly SecretKey[]) => sealed !== undefined && !keyOfCheck(keys, sealed);
  if (given) {
    if (isWrong(given)) return fail(check, "TANDEM_SECRET_KEY is not the key of this database", advice);
    return ok(check, "given by TANDEM_SECRET_KEY");
  }
  try {
    const keys = readSecretKeys(readFileSync(path, "utf8"));
    if (!keys) return fail(check, `${path} holds something else than keys of 32 bytes`, advice);
    if (isWrong(keys)) return fail(check, `${path} is not the key of this database`, advice);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR")
      return fail(check, `${path} cannot be read (${code})`, "Run as its owner.");
    if (sealed || isDatabaseMade) return fail(check, `${path}, the key of this database, is missing`, advice);
    return ok(check, "made at the first start");
  }
  const isOpen = (statSync(path).mode & 0o077) !== 0;
  return isOpen ? warn(check, `${path} can be read by others`, `chmod 600 ${path}`) : ok(check, path);
}

export interface ClockOrder {
  readonly now: Date;
  /** The date of the data that this program ships with, which cannot be in the future. */
  readonly notBefore: Date | undefined;
  /** How far other clocks are ahead of ours. */
  readonly others: readonly { readonly whose: string; readonly aheadMs: number }[];
}

const SKEW_MS_WANTED = 5_000;
const SKEW_MS_MAX = 60_000;

export function checkClock({ now, notBefore, others }: ClockOrder): Finding {
  const check = "Clock";
  const advice = "Set the clock, and keep it right by NTP (timedatectl set-ntp true).";
  if (notBefore && now < notBefore) {
    return fail(check, `${now.toISOString()} is before the data of this program (${day(notBefore)})`, advice);
  }
  const worst = [...others].sort((a, b) => Math.abs(b.aheadMs) - Math.abs(a.aheadMs))[0];
  const skewMs = Math.abs(worst?.aheadMs ?? 0);
  if (!worst || skewMs < SKEW_MS_WANTED) {
    const agreeing = others.map(({ whose }) => whose).join(" and ");
    return ok(check, `${now.toISOString()}${agreeing === "" ? "" : `, agreeing with ${agreeing}`}`);
  }
  const found = `${worst.whose} is ${Math.round(skewMs / 1000)} s ${worst.aheadMs > 0 ? "ahead of" : "behind"} this machine`;
  return skewMs > SKEW_MS_MAX ? fail(check, found, advice) : warn(check, found, advice);
}

export function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function nearestExisting(path: string): string {
  try {
    statSync(path);
    return path;
  } catch {
    return dirname(path) === path ? path : nearestExisting(dirname(path));
  }
}

function mayWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
