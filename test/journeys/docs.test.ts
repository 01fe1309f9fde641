// What the documents say is so: every block of them that can run is run, page by page and in order, as a reader would
// paste it beside a running sandbox; every JSON block is one; the lists of errors and metrics are those of the code.
//
// A block that cannot run here has a comment before it that says why: <!-- not run: … -->. In blocks of the shell curl
// fails when it is refused, and so does the page.

import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROBLEM_STATUS } from "../../src/adapters/http/core/problem-answer.ts";
import { FAILURES, REFUSALS } from "../../src/domain/messaging/index.ts";
import { newAccount } from "../contract/account.ts";
import { newSender } from "../contract/messages.ts";
import { WIDE } from "../contract/numbers.ts";
import { useTandem } from "../use-tandem.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const DOCS = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
/** going-live.md has a test of its own. */
const PAGES = ["README.md", "examples/README.md", ...DOCS.map((name) => `docs/${name}`)].filter(
  (page) => page !== "docs/going-live.md",
);

const isConfig = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(ROOT, "api/tandem.config.schema.json"), "utf8")),
);

interface Block {
  readonly language: string;
  readonly text: string;
  /** Why it is not run. */
  readonly unrun: string | undefined;
}

const RUNNABLE: Readonly<Record<string, string>> = {
  sh: "",
  js: "node",
  ts: "node --import tsx",
  py: "python3",
  perl: "perl",
};
/** What is shown and not run: answers, settings of other programs, scripts of calls. */
const SHOWN = new Set(["", "text", "json", "xml", "ini", "nginx", "console"]);

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/(?:<!-- not run: ([^>]+) -->\n)?^```(\w*)\n(.*?)^```$/gms)].map(
    ([, unrun, language = "", block = ""]) => ({ language, text: block, unrun }),
  );
}

const tandem = useTandem();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-docs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The repository as a reader has it after `npm start`, with an account of the page's own in data/demo.env. */
async function clone(name: string): Promise<string> {
  const directory = join(folder, name);
  mkdirSync(join(directory, "data"), { recursive: true });
  mkdirSync(join(directory, "bin"));
  for (const part of ["dist", "examples", "node_modules", "sdk", "package.json"])
    symlinkSync(join(ROOT, part), join(directory, part));
  writeFileSync(join(directory, "bin/tandem"), `#!/bin/sh\nexec node ${ROOT}/dist/tandem.js "$@"\n`);
  chmodSync(join(directory, "bin/tandem"), 0o755);
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE };
  const account = await newAccount(tandem, { features: ["voice", "campaignMigration"], limits });
  const { number } = await newSender(tandem, tandem.database, account);
  const settings = {
    TANDEM_URL: tandem.url,
    TANDEM_ACCOUNT_SID: account.sid,
    TANDEM_TOKEN: account.token,
    TANDEM_NUMBER: number,
    TANDEM_OPERATOR_TOKEN: tandem.operatorToken,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(join(directory, "data/demo.env"), lines.join(""));
  return directory;
}

/** One script of all blocks, in order: what one sets, the next has. */
function scriptOf(blocks: readonly Block[], directory: string): string {
  const parts = blocks.map(({ language, text }, at) => {
    const told = `echo "--- block ${at + 1}"\n`;
    if (language === "sh") return told + text;
    const ending = { js: text.includes("require(") ? "cjs" : "mjs" }[language] ?? language;
    const file = join(directory, `block-${at + 1}.${ending}`);
    writeFileSync(file, text);
    return `${told}${RUNNABLE[language]} ${file}\n`;
  });
  return ["set -euo pipefail", 'curl() { command curl --silent --show-error --fail-with-body "$@"; }', ...parts].join(
    "\n",
  );
}

async function run(script: string, directory: string): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const child = spawn("bash", ["-c", script], {
    cwd: directory,
    env: { ...Object.fromEntries(inherited), PATH: `${directory}/bin:${process.env.PATH}`, XDG_CONFIG_HOME: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

describe.each(PAGES)("%s", (page) => {
  const blocks = blocksOf(page);
  const runnable = blocks.filter(({ language, unrun }) => language in RUNNABLE && unrun === undefined);

  test.runIf(runnable.length > 0)("does what its blocks say", async () => {
    const directory = await clone(page.replaceAll("/", "-"));
    const { code, output } = await run(scriptOf(runnable, directory), directory);
    expect(code, output).toBe(0);
  });

  test.runIf(blocks.length > 0)("has JSON that is JSON, settings that fit their schema, and no other languages", () => {
    for (const { language, text, unrun } of blocks) {
      if (unrun === undefined) expect(SHOWN.has(language) || language in RUNNABLE, `${language}: ${text}`).toBe(true);
      if (language !== "json") continue;
      const value = JSON.parse(text) as object;
      const isSettings = ["carriers", "lookup", "registry", "porting", "recordings", "sip"].some((key) => key in value);
      if (isSettings) expect(isConfig(value), JSON.stringify(isConfig.errors)).toBe(true);
    }
  });
});

describe("docs/errors.md", () => {
  const text = readFileSync(join(ROOT, "docs/errors.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([\w-]+)` \| (\d+) \| (.+) \| (.+) \|$/gm)];
  const codes = [...text.matchAll(/^\| (\d+) \| .+ \| .+ \| .+ \|$/gm)].map(([, code]) => Number(code));

  test("has every code of a refusal with its status, and no other", () => {
    expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(PROBLEM_STATUS);
  });

  test("has every code of a message, and no other", () => {
    const known = [0, ...REFUSALS.map(({ code }) => code), ...Object.values(FAILURES).map(({ code }) => code)];
    expect([...codes].sort()).toEqual([...new Set(known)].sort());
  });
});

test("docs/operations.md has every metric", async () => {
  const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
  const metrics = await (await fetch(`${tandem.url}/metrics`)).text();
  const names = [...metrics.matchAll(/^# TYPE (tandem_\w+) /gm)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const told = [...page.matchAll(/`(tandem_\w+)`/g)].map(([, name]) => name as string);
  expect(told.filter((name) => !names.includes(name))).toEqual([]);
});

test("the first text of the README goes to a number that our own lookup calls reachable", async () => {
  const [, to] = /To=(\+\d+)/.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  const answer = await tandem.get(`/carrierLookup/v1/Numbers/${to}`);
  expect(await answer.json()).toMatchObject({ number: to, status: "Active" });
});
