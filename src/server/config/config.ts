// The only place that reads the environment and the configuration file. All faults are reported together.

import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { nearName } from "../../base/near-name.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type ConfigFile, configFileSchema } from "./config-file.ts";
import { readConfigFile } from "./read-config-file.ts";
import { readBySchema } from "./schema-faults.ts";
import { schemaOf } from "./setting-words.ts";
import { SETTINGS, type Settings } from "./settings.ts";

const SIMULATED_ACTIVATION_SECONDS = 3;

type Environment = Readonly<Record<string, string | undefined>>;

export interface Config {
  readonly settings: Settings;
  readonly file: ConfigFile;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  readonly sandbox: boolean;
  /** How long it takes to add a number to a campaign. */
  readonly activationMs: number;
  /** Looks up the values that the configuration file refers to as `env:NAME`. */
  readonly secret: (name: string) => string | undefined;
}

export function readConfig(environment: Environment): Result<Config, readonly string[]> {
  const faults: string[] = [];
  const settings = readSettings(environment, faults);
  const secret = (name: string) => environment[name];
  const file = readNamedFile(settings.TANDEM_CONFIG, secret, faults);
  const tls = readTls(settings, faults);
  if (settings.TANDEM_SANDBOX === "on" && !isLoopback(settings.TANDEM_HOST)) {
    faults.push(
      `TANDEM_SANDBOX: the sandbox trusts every caller, but TANDEM_HOST=${settings.TANDEM_HOST} can be reached by others; use 127.0.0.1, or TANDEM_SANDBOX=force if you mean it.`,
    );
  }
  if (faults.length > 0 || !file) return refused(faults);
  const dataDir = resolve(settings.TANDEM_DATA_DIR);
  const sandbox = settings.TANDEM_SANDBOX !== "off";
  const activationMs = (settings.TANDEM_ACTIVATION_SECONDS ?? (sandbox ? SIMULATED_ACTIVATION_SECONDS : 0)) * 1000;
  return ok({ settings, file, tls, dataDir, sandbox, activationMs, secret });
}

function readSettings(environment: Environment, faults: string[]): Settings {
  const read: Record<string, unknown> = {};
  for (const [name, { schema, about }] of Object.entries(SETTINGS)) {
    const given = environment[name];
    const parsed = readBySchema(schema, schemaOf(schema, "output"), given === "" ? undefined : given);
    if (parsed.ok) read[name] = parsed.value;
    else faults.push(`${name}: ${parsed.refusal.map(({ text }) => text).join("; ")} (${about})`);
  }
  for (const name of Object.keys(environment)) {
    if (!/^TANDEM_/.test(name) || Object.hasOwn(SETTINGS, name) || OTHERS_SETTINGS.has(name)) continue;
    const near = nearName(name, Object.keys(SETTINGS));
    const advice = near === undefined ? "all of them are in config.example.env." : `is ${near} meant?`;
    faults.push(`${name}: there is no such setting; ${advice}`);
  }
  // A faulty setting is missing here; the caller refuses the configuration before it is used.
  return read as unknown as Settings;
}

/**
 * Variables that are not settings of this server: those of demo.env, which are for clients but visible to a server that
 * is started from the same shell.
 */
const OTHERS_SETTINGS = new Set([
  "TANDEM_URL",
  "TANDEM_ACCOUNT_SID",
  "TANDEM_TOKEN",
  "TANDEM_NUMBER",
  "TANDEM_PROFILE",
]);

function readNamedFile(path: string | undefined, secret: Config["secret"], faults: string[]): ConfigFile | undefined {
  if (path === undefined) return configFileSchema.parse({});
  const bytes = readOrFault("TANDEM_CONFIG", path, faults);
  if (!bytes) return undefined;
  const read = readConfigFile(path, bytes, secret);
  if (read.ok) return read.value;
  faults.push(...read.refusal);
  return undefined;
}

function readTls(settings: Settings, faults: string[]): Config["tls"] {
  const { TANDEM_TLS_CERT: cert, TANDEM_TLS_KEY: key } = settings;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    faults.push("TANDEM_TLS_CERT and TANDEM_TLS_KEY: both or neither are wanted.");
    return undefined;
  }
  const certBytes = readOrFault("TANDEM_TLS_CERT", cert, faults);
  const keyBytes = readOrFault("TANDEM_TLS_KEY", key, faults);
  if (!certBytes || !keyBytes) return undefined;
  const tls = { cert: certBytes.toString("utf8"), key: keyBytes.toString("utf8") };
  try {
    createSecureContext(tls);
  } catch (error) {
    faults.push(
      `TANDEM_TLS_CERT and TANDEM_TLS_KEY: ${cert} and ${key} are not a PEM certificate and its key (${(error as Error).message}).`,
    );
  }
  return tls;
}

const READ_ADVICE: ReadonlyMap<string, string> = new Map([
  ["ENOENT", ": there is no such file; correct the path, or leave the setting out"],
  ["EACCES", ": let the user that runs Tandem read it"],
  ["EISDIR", ": it is a directory; name the file in it"],
]);

function readOrFault(name: string, path: string, faults: string[]): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const advice = READ_ADVICE.get(code) ?? "";
    faults.push(`${name}: ${path} cannot be read (${code})${advice}.`);
    return undefined;
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
