// Reads tandem.config.json and reports all of its faults together, each with its line, the path of the setting and what
// is allowed there.

import { objectsIn } from "../../adapters/setting-fields.ts";
import { passwordFault } from "../../adapters/smpp/link-settings.ts";
import { faultPlace, memberLine, repeatedMembers } from "../../base/json-lines.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type EnvironmentLookup, missingSecrets } from "../../base/secret-text.ts";
import { type ConfigFile, configFileJsonSchema, configFileSchema } from "./config-file.ts";
import { readBySchema, type SchemaFault } from "./schema-faults.ts";
import { memberOf } from "./setting-words.ts";

/** A fault names its setting: TANDEM_CONFIG, or the environment variable of a missing secret. */
export function readConfigFile(
  path: string,
  bytes: Buffer,
  secret: EnvironmentLookup,
): Result<ConfigFile, readonly string[]> {
  const text = textOf(bytes);
  if (text === undefined) return refused([`TANDEM_CONFIG: ${path}: the file is not valid UTF-8.`]);
  const json = parse(text);
  if (!json.ok) return refused([`TANDEM_CONFIG: ${path}, ${json.refusal}`]);
  const read = readBySchema(configFileSchema, configFileJsonSchema(), json.value);
  const repeated = repeatedMembers(text).map((member) => ({ ...member, text: "it is given twice" }));
  const others = [...(read.ok ? [] : read.refusal), ...passwordFaults(json.value, secret)];
  const inFile = [...repeated, ...others.map((fault) => ({ ...fault, line: memberLine(text, fault.path) }))];
  const faults = [
    ...inFile
      .sort((one, other) => one.line - other.line)
      .map((fault) => `TANDEM_CONFIG: ${path}, line ${fault.line}: ${sentenceOf(fault)}`),
    ...missingSecrets(textsIn(json.value), secret).map((name) => `${name}: ${path} refers to it, but it is not set.`),
  ];
  return read.ok && faults.length === 0 ? ok(read.value) : refused(faults);
}

function sentenceOf({ path, text, given, about }: SchemaFault): string {
  const place = path.map(String).join(".") || "file";
  return `${place}: ${text}${given === undefined ? "" : `, not ${given}`}${about === undefined ? "" : ` (${about})`}`;
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch {
    const { line, column, character } = faultPlace(text);
    const what = character === undefined ? "it ends too early" : `${JSON.stringify(character)} cannot stand here`;
    return refused(`line ${line}, column ${column}: the file is not valid JSON: ${what}.`);
  }
}

/** The faults of passwords in the environment, which the schema does not see. */
function passwordFaults(file: unknown, secret: EnvironmentLookup): readonly SchemaFault[] {
  const carriers = memberOf(file, "carriers") as ConfigFile["carriers"] | undefined;
  return objectsIn(carriers).flatMap(({ smpp }, carrier) =>
    objectsIn(smpp).flatMap(({ name, password, longPassword = false }, at) => {
      if (typeof password !== "string" || !password.startsWith("env:")) return [];
      const text = passwordFault({ password, longPassword }, secret);
      const path = ["carriers", carrier, "smpp", at, "password"];
      return text === undefined ? [] : [{ path, text: `link ${name}: ${text}` }];
    }),
  );
}

/** Every text in the value, because `env:NAME` may occur anywhere. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
