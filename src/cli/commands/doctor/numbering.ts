// Checks that the numbering table exists, is intact and is not too old.

import { fileURLToPath } from "node:url";
import { loadNumberingTable } from "../../../adapters/numbering-file.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { day } from "./machine.ts";

/** The build puts it beside the program. */
const BUILT_FILE = fileURLToPath(new URL("./numbering.bin", import.meta.url));
const AGE_DAYS_MAX = 180;
const DAY_MS = 86_400_000;

export interface NumberingReport {
  readonly finding: Finding;
  readonly asOf: Date | undefined;
}

export function checkNumbering(file: string | undefined, now: Date): NumberingReport {
  const check = "Numbering data";
  try {
    const { asOf, intervalCount } = loadNumberingTable(file ?? BUILT_FILE);
    const days = Math.floor((now.getTime() - asOf.getTime()) / DAY_MS);
    const found = `${intervalCount.toLocaleString("en-US")} blocks as of ${day(asOf)}`;
    const advice = "Update Tandem, or put newer lists into numbering/sources and run `npm run build:numbering`.";
    const finding = days > AGE_DAYS_MAX ? warn(check, `${found}, ${days} days old`, advice) : ok(check, found);
    return { finding, asOf };
  } catch (error) {
    const [found, advice] = splitAdvice((error as Error).message);
    return { finding: fail(check, found, advice), asOf: undefined };
  }
}

/** The loader's message contains the fault and then the command to run. */
function splitAdvice(message: string): readonly [string, string] {
  const at = message.indexOf("Run `");
  if (at === -1) return [message, "Run `npm run build:numbering`."];
  return [message.slice(0, at).trim(), message.slice(at)];
}
