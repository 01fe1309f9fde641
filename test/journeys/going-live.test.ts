// docs/going-live.md, carried out as written: the commands on the page, in one shell, in a clone that is only built,
// against a server without a sandbox and an SMSC made with npm's smpp. Only paths and ports differ, and the database
// belongs to the test run. The section of docs/operators.md about campaigns by hand is carried out at its end, because
// a sandbox has a registry.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPort } from "../own-port.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { type FreshClone, freshClone, ROOT } from "./fresh-clone.ts";

const PAGE = readFileSync(join(ROOT, "docs/going-live.md"), "utf8");
const [, BY_HAND = ""] =
  /^### Campaigns by hand\n.*?^```sh\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, "docs/operators.md"), "utf8")) ?? [];

let clone: FreshClone;
let directory: string;
let databaseUrl: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  clone = await freshClone();
  directory = mkdtempSync(join(tmpdir(), "tandem-live-"));
  databaseUrl = await newDatabase();
});
afterAll(async () => {
  child?.kill();
  await dropDatabase(databaseUrl);
  clone.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** The commands of the page, with a reader's own values for its placeholders. */
async function commandsOf(page: string): Promise<string> {
  const theirs = {
    "/opt/tandem": clone.directory,
    "/srv/tandem": directory,
    "8080": String(await ownPort()),
    "2775": String(await ownPort()),
  };
  // What root does first, except for the user, the clone and the build.
  const [example = ""] = /^npm install .*$/m.exec(page) ?? [];
  const blocks = [example, ...[...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands)];
  return Object.entries(theirs).reduce((text, [said, meant]) => text.replaceAll(said, meant), blocks.join("\n"));
}

/** Ends at the first command that fails, and stops all processes of its group except the shell itself. */
async function paste(commands: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const script = join(directory, "pasted.sh");
  writeFileSync(script, `set -euo pipefail\ntrap 'trap "" TERM; kill 0; wait' EXIT\n${commands}`);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const shell = spawn("bash", [script], {
    env: { ...Object.fromEntries(inherited), ...clone.npm, TANDEM_DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child = shell;
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve) => shell.once("close", resolve));
  return { code, output };
}

/** For the page's account, and then for another one. */
const byHand = `
other=$(tandem operator accounts create Other --json | node -p 'JSON.parse(fs.readFileSync(0)).sid')
${BY_HAND.replaceAll("./tandem", "tandem").replace("--account AC…", '--account "$TANDEM_ACCOUNT_SID"').replace("CABC123 AC…", 'CABC123 "$other"')}`;

test("the page leads from nothing to a text out and a text in, through an SMSC that is not ours", async () => {
  const { code, output } = await paste(`${await commandsOf(PAGE)}\n${byHand}`);
  const [log, smsc] = ["tandem.log", "smsc.log"].map((name) => readFileSync(join(directory, name), "utf8"));
  expect(code, `${output}\n${log}\n${smsc}`).toBe(0);
  expect(output).toMatch(/^CSHOP01 +BSHOP01 +Shop +Active +Manual +MC[0-9a-f]{32} /m);
  expect(output).toMatch(/^CABC123 +BSHOP01 +Shop +Suspended +Manual /m);
  expect(output).toMatch(/^Status +Active$/m);
  // Only the carrier's receipt makes a text Delivered.
  expect(output).toMatch(/^Status +Delivered$/m);
  expect(output).toMatch(/^20\S+Z +IM[0-9a-f]{32} +\+12125550100 +\+14155550123 +1 +Hello, too$/m);
  expect(smsc).toMatch(/^bind by tandem: welcome$/m);
  expect(smsc).toMatch(/^text smsc-1 from \+?14155550123 to \+?12125550100: Hello$/m);
  expect(smsc).toMatch(/^receipt of smsc-1: status 0$/m);
  expect(log).not.toMatch(/sandbox|Account {2}/i);
});
