// Profiles: servers and credentials that `tandem login` has stored, in a file that only its owner can read.
//
// The file is replaced as a whole, so that a reader never sees a part of it; of two simultaneous logins the later one
// wins. A file that others may read is refused, because its tokens may be known and must be replaced, not only hidden.

import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { UsageError } from "./exit-codes.ts";

export interface Profile {
  readonly url: string;
  readonly accountSid?: string;
  readonly token?: string;
  readonly operatorToken?: string;
  /** A number of the account to send from. */
  readonly number?: string;
}

export interface Profiles {
  /** The profile that is used when none is named. */
  readonly current: string | undefined;
  readonly all: ReadonlyMap<string, Profile>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NONE: Profiles = { current: undefined, all: new Map() };
const SIZE_MAX = 1_000_000;
const OTHERS_BITS = 0o077;
const PROFILE_NAME = /^[\w.@-]{1,64}$/;

export function checkedProfileName(name: string): string {
  if (PROFILE_NAME.test(name)) return name;
  throw new UsageError(`${name} is no name of a profile: letters, digits, . _ @ and - are wanted, 64 at most.`);
}

/** Undefined when neither XDG_CONFIG_HOME nor HOME is set. */
export function profilesPath(environment: Environment): string | undefined {
  const { HOME, USERPROFILE, XDG_CONFIG_HOME } = environment;
  // The XDG specification: a path that is not absolute must be ignored.
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, "tandem", "profiles.json");
  const home = HOME || USERPROFILE;
  return home ? join(home, ".config", "tandem", "profiles.json") : undefined;
}

export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment);
  const text = path === undefined ? undefined : readOwnFile(path);
  if (path === undefined || text === undefined) return NONE;
  const profiles = parseProfiles(text);
  if (profiles) return profiles;
  throw new UsageError(`${path} is damaged: remove it and sign in again with tandem login.`);
}

export function writeProfiles(environment: Environment, { all, current }: Profiles): string {
  const path = profilesPath(environment);
  if (path === undefined) throw new UsageError("There is no place for profiles: set HOME or XDG_CONFIG_HOME.");
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify({ current, profiles: Object.fromEntries(all) }, null, 2)}\n`;
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text, { mode: 0o600, flag: "wx" });
  renameSync(part, path);
  return path;
}

function readOwnFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${path} cannot be read (${code}).`);
  }
  try {
    const { mode, size } = fstatSync(file);
    if (process.platform !== "win32" && (mode & OTHERS_BITS) !== 0) {
      throw new UsageError(`${path} holds tokens and can be read by others: chmod 600 ${path}`);
    }
    return size > SIZE_MAX ? "" : readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

const TEXT_MEMBERS = ["accountSid", "token", "operatorToken", "number"] as const;

/** Undefined when the text is not a valid file of profiles. */
export function parseProfiles(text: string): Profiles | undefined {
  const file = parseObject(text);
  const listed = objectOr(file?.profiles);
  if (!file || !listed) return undefined;
  const all = new Map<string, Profile>();
  for (const [name, value] of Object.entries(listed)) {
    const profile = objectOr(value);
    const members = TEXT_MEMBERS.map((member) => [member, profile?.[member]] as const);
    const isSound = members.every(([, member]) => member === undefined || typeof member === "string");
    if (!PROFILE_NAME.test(name) || typeof profile?.url !== "string" || !isSound) return undefined;
    all.set(name, { url: profile.url, ...Object.fromEntries(members.filter(([, member]) => member !== undefined)) });
  }
  return { current: typeof file.current === "string" ? file.current : undefined, all };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOr(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}
