// What the documents say is so: every block of them that can run is run, page by page and in order, as a reader would
// paste it beside a running sandbox; what is shown fits the schema of what it shows; the lists of errors and metrics
// are those of the code.
//
// A block that cannot run here has a comment before it that says why: <!-- not run: … -->. One that asks questions has
// <!-- run at a terminal -->, and is. In blocks of the shell curl fails when it is refused, and so does the page.

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
import { ok } from "../../src/base/result.ts";
import { FAILURES, REFUSALS } from "../../src/domain/messaging/index.ts";
import { readScript } from "../../src/domain/voice/index.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { type Schema, validatorOf } from "../contract/from-schema.ts";
import { newSender } from "../contract/messages.ts";
import { migrate } from "../contract/migrations.ts";
import { answerOf, newCampaignId, WIDE } from "../contract/numbers.ts";
import { strangeNumbers } from "../contract/port-orders.ts";
import { failedRecording } from "../contract/recordings.ts";
import { requirePeer } from "../peers/peer.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
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
  readonly isAtTerminal: boolean;
  /** The last heading and the last line before it. */
  readonly heading: string;
  readonly lead: string;
}

const ruby = requirePeer("ruby", "ruby");

const RUNNABLE: Readonly<Record<string, string>> = {
  sh: "",
  js: "node",
  ts: "node --import tsx",
  py: "python3",
  perl: "perl",
  ruby: ruby ?? "",
};
/** What is shown and not run: answers, settings of other programs, scripts of calls. */
const SHOWN = new Set(["", "text", "json", "xml", "ini", "nginx", "console"]);

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const blocks = /(?:<!-- (?:not run: ([^>]+)|(run at a terminal)) -->\n)?^```(\w*)\n(.*?)^```$/gms;
  return [...text.matchAll(blocks)].map((match) => {
    const [, unrun, asked, language = "", block = ""] = match;
    const before = text.slice(0, match.index);
    const heading = [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? "";
    const lead = before.trimEnd().split("\n").at(-1) ?? "";
    return { language, text: block, unrun, isAtTerminal: asked !== undefined, heading, lead };
  });
}

const tandem = useTandem();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-docs-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const url of databases) await dropDatabase(url);
});
/** Made for readers. */
const databases: string[] = [];

interface Reader {
  readonly account: TestAccount;
  readonly directory: string;
}

/** By page: what a reader has, in the place of what the page says. */
const THEIRS: Readonly<Record<string, (reader: Reader) => Promise<Readonly<Record<string, string>>>>> = {
  async "docs/recordings.md"({ account }) {
    return { "RE…": (await failedRecording(tandem, account, "the disk was full")).sid };
  },
  async "docs/migrating-a-campaign.md"({ account }) {
    const [first, second] = strangeNumbers(2, "303") as [string, string];
    const CABC123 = newCampaignId();
    await answerOf(await migrate(account, CABC123), 200);
    // Nobody here signs it.
    return { CABC123, "+13035550123": first, "+13035550124": second, "loa-signed.pdf": "loa.pdf" };
  },
  async "docs/operations.md"({ directory }) {
    const empty = await newDatabase("empty");
    databases.push(empty);
    mkdirSync(join(directory, "backups"));
    const key = readFileSync(join(tandem.dataDir, "secret.key"), "utf8").trim();
    const settings = (dataDir: string, url: string) =>
      `TANDEM_DATA_DIR='${dataDir}' TANDEM_DATABASE_URL='${url}' TANDEM_SECRET_KEY='${key}'`;
    return {
      "/backups/": `${directory}/backups/`,
      "tandem keys": `TANDEM_DATA_DIR='${tandem.dataDir}' TANDEM_DATABASE_URL='${tandem.databaseUrl}' tandem keys`,
      "tandem backup": `${settings(tandem.dataDir, tandem.databaseUrl)} tandem backup`,
      "tandem restore": `${settings(join(directory, "restored"), empty)} tandem restore`,
    };
  },
  async "docs/sandbox.md"() {
    return { "const smsc = await Smsc.listen": `${SMSC_WITH_CLIENT}\nconst smsc = await Smsc.listen` };
  },
};

/** What a test has at hand: the SMSC, a log, and a client of npm's smpp in the place of a Tandem. */
const SMSC_WITH_CLIENT = `
import smpp from "smpp";
import { Smsc as Real } from "${ROOT}/src/sandbox/smsc/smsc.ts";
const log = { debug() {}, info() {}, warn() {}, error() {} };
const Smsc = {
  async listen(options) {
    const smsc = await Real.listen(options);
    const session = smpp.connect({ url: "smpp://127.0.0.1:" + smsc.port });
    session.on("error", () => undefined);
    session.on("deliver_sm", (pdu) => session.send(pdu.response()));
    session.bind_transceiver({ system_id: "tandem", password: "secret" }, () =>
      session.submit_sm({ source_addr: "12125550000", dest_addr_ton: 1, destination_addr: "447700900123", short_message: "Hi" }),
    );
    return smsc;
  },
};`;

/** The repository as a reader has it after `npm start`, with an account of the page's own in data/demo.env. */
async function clone(name: string): Promise<Reader> {
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
  return { account, directory };
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

/** What somebody at the terminal answers, each when it is asked for. */
type Answers = readonly (readonly [question: string, answer: string])[];

async function run(
  [program, ...args]: readonly [string, ...string[]],
  directory: string,
  answers: Answers = [],
): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...Object.fromEntries(inherited), PATH: `${directory}/bin:${process.env.PATH}`, XDG_CONFIG_HOME: directory },
    stdio: [answers.length > 0 ? "pipe" : "ignore", "pipe", "pipe"],
  });
  let output = "";
  let read = 0;
  const open = [...answers];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const [question = "", answer] = open[0] ?? [];
      if (answer === undefined || !output.slice(read).includes(question)) return;
      read = output.length;
      open.shift();
      child.stdin?.write(`${answer}\r`);
    });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

function runnableOf(page: string): readonly Block[] {
  return blocksOf(page).filter(
    ({ language, unrun, isAtTerminal }) =>
      language in RUNNABLE && unrun === undefined && !isAtTerminal && (language !== "ruby" || ruby !== undefined),
  );
}

describe.each(PAGES.filter((page) => runnableOf(page).length > 0))("%s", (page) => {
  test("does what its blocks say", async () => {
    const runnable = runnableOf(page);
    const reader = await clone(page.replaceAll("/", "-"));
    const theirs = Object.entries((await THEIRS[page]?.(reader)) ?? {});
    const own = runnable.map((block) => ({
      ...block,
      text: theirs.reduce((text, [said, meant]) => text.replaceAll(said, meant), block.text),
    }));
    const { code, output } = await run(["bash", "-c", scriptOf(own, reader.directory)], reader.directory);
    expect(code, output).toBe(0);
  });
});

describe.each(PAGES.filter((page) => blocksOf(page).length > 0))("%s", (page) => {
  test("shows JSON and call scripts that are what they say, and no other languages", () => {
    for (const block of blocksOf(page)) {
      const { language, text, unrun } = block;
      if (unrun === undefined) expect(SHOWN.has(language) || language in RUNNABLE, `${language}: ${text}`).toBe(true);
      if (language === "json") {
        const isRight = schemaOf(block);
        expect(isRight(JSON.parse(text)), `${text}\n${JSON.stringify(isRight.errors)}`).toBe(true);
      }
      if (language === "xml")
        for (const line of text.trim().split("\n")) expect(scriptFault(line), line).toBeUndefined();
    }
  });
});

const { components } = JSON.parse(readFileSync(join(ROOT, "api/tandem.json"), "utf8")) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Of an event by the heading and the shape above it; everything else is settings, whose schema knows all members. */
function schemaOf({ heading, lead }: Block) {
  const [, shape] = /^Shape (A|B):$/.exec(lead) ?? [];
  const payload = components.schemas[`${heading}Payload${shape === "B" ? "B" : ""}`];
  if (shape !== undefined && payload) return validatorOf({ components: components.schemas }, closed(payload));
  return isConfig;
}

/** Members may be added later, but none that is shown may be unknown. */
function closed(schema: Schema): Schema {
  return { ...schema, additionalProperties: false } as Schema;
}

function scriptFault(text: string): object | undefined {
  const read = readScript(new TextEncoder().encode(text), (to) => ok(to));
  return read.ok ? undefined : read.refusal;
}

const terminal = requirePeer("script", "bsdutils");

test.runIf(terminal)("docs/cli.md signs in at a terminal", async () => {
  const { account, directory } = await clone("cli-terminal");
  const commands = blocksOf("docs/cli.md").flatMap(({ isAtTerminal, text }) => (isAtTerminal ? [text] : []));
  expect(commands).toHaveLength(1);
  const own = commands.join("").replace("https://phone.example.com", tandem.url).replace("AC…", account.sid);
  writeFileSync(join(directory, "token.txt"), `${account.token}\n`);
  writeFileSync(join(directory, "typed.sh"), `set -eu\n${own}`);
  const { code, output } = await run([terminal ?? "", "-qefc", "bash typed.sh", "/dev/null"], directory, [
    ["Server", tandem.url],
    ["Account", account.sid],
    ["Token", account.token],
    ["Server", ""],
    ["Operator's token", tandem.operatorToken],
  ]);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^\* +work /m);
  for (const token of [account.token, tandem.operatorToken]) expect(output).not.toContain(token);
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
