// The documentation is correct: every block that can run is run, page by page and in order, as a reader would paste it
// into a clone after nothing but `npm start`; examples fit the schema of what they show; the lists of errors and
// metrics are those of the code, and every operation that is named exists.
//
// A block that cannot run here has a comment before it that says why: <!-- not run: … -->. An interactive one is marked
// <!-- run at a terminal -->, and is run. In shell blocks curl fails when it is refused, and so does the page.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROBLEM_STATUS } from "../../src/adapters/http/core/problem-answer.ts";
import { twimlReader } from "../../src/adapters/twilio/read-twiml.ts";
import { ok } from "../../src/base/result.ts";
import { FAILURES, REFUSALS } from "../../src/domain/messaging/index.ts";
import { readScript } from "../../src/domain/voice/index.ts";
import { type Schema, validatorOf } from "../contract/from-schema.ts";
import { migrate } from "../contract/migrations.ts";
import { answerOf, newCampaignId } from "../contract/numbers.ts";
import { strangeNumbers } from "../contract/port-orders.ts";
import { failedRecording } from "../contract/recordings.ts";
import { requirePeer } from "../peers/peer.ts";
import { forgetTandem } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type FreshClone, freshClone, ROOT } from "./fresh-clone.ts";

const DOCS = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
/** going-live.md has its own test. */
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
/** Blocks that are shown and not run: responses, settings of other programs, call scripts. */
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

let clone: FreshClone;
beforeAll(async () => {
  clone = await freshClone();
});
const tandem = useTandem(() => ({ clone: clone.directory, hasOwnPostgres: true }));
afterAll(() => {
  forgetTandem(join(clone.directory, "data"));
  clone.remove();
});

/** By page: a reader's own values for the placeholders of the page. */
const THEIRS: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  async "docs/recordings.md"() {
    return { "RE…": (await failedRecording(tandem, demoAccount(), "the disk was full")).sid };
  },
  async "docs/migrating-a-campaign.md"() {
    const [first, second] = strangeNumbers(2, "303") as [string, string];
    const CABC123 = newCampaignId();
    await answerOf(await migrate(demoAccount(), CABC123), 200);
    // The letter is not signed here.
    return { CABC123, "+13035550123": first, "+13035550124": second, "loa-signed.pdf": "loa.pdf" };
  },
  async "docs/database.md"() {
    mkdirSync(join(clone.directory, "backups"));
    return { "/backups/": "backups/", "AC…": demoAccount().sid };
  },
  async "docs/sandbox.md"() {
    return { "// Here your program binds to smsc.port and sends its text.": SMPP_CLIENT };
  },
};

const demoAccount = () => ({ sid: tandem.accountSid, call: tandem.get });

/** A reader's program, written with npm's smpp. */
const SMPP_CLIENT = `
const { default: smpp } = await import("${ROOT}/node_modules/smpp/lib/smpp.js");
const session = smpp.connect({ url: "smpp://127.0.0.1:" + smsc.port });
session.on("error", () => undefined);
session.on("deliver_sm", (pdu) => session.send(pdu.response()));
session.bind_transceiver({ system_id: "tandem", password: "secret" }, () =>
  session.submit_sm({ source_addr: "12125550000", dest_addr_ton: 1, destination_addr: "447700900123", short_message: "Hi" }),
);`;

/** Where a reader keeps programs that use third-party packages. */
const PROJECTS: Readonly<Record<string, string>> = {
  "docs/migrating-from-twilio.md": "examples/from-twilio/",
  "docs/twilio-api.md": "examples/from-twilio/",
};

/** One script of all blocks, in order: each can use the variables of those before it. */
function scriptOf(page: string, blocks: readonly Block[]): string {
  const project = PROJECTS[page] ?? "";
  const parts = blocks.map(({ language, text }, at) => {
    const told = `echo "--- block ${at + 1}"\n`;
    if (language === "sh") return told + text;
    const ending = { js: text.includes("require(") ? "cjs" : "mjs" }[language] ?? language;
    const file = `${project}${page.replaceAll("/", "-")}-${at + 1}.${ending}`;
    writeFileSync(join(clone.directory, file), text);
    return `${told}${RUNNABLE[language]} ${file}\n`;
  });
  const head = ["set -euo pipefail", 'curl() { command curl --silent --show-error --fail-with-body "$@"; }'];
  const install = project === "" ? [] : [`npm install --prefix ${project}`];
  return [...head, ...install, ...parts].join("\n");
}

/** What a person at the terminal answers to each prompt. */
type Answers = readonly (readonly [question: string, answer: string])[];

async function run(
  [program, ...args]: readonly [string, ...string[]],
  answers: Answers = [],
): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const child = spawn(program, args, {
    cwd: clone.directory,
    env: { ...Object.fromEntries(inherited), ...clone.npm, XDG_CONFIG_HOME: join(clone.directory, "config") },
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
    const theirs = Object.entries((await THEIRS[page]?.()) ?? {});
    const own = runnable.map((block) => ({
      ...block,
      text: theirs.reduce((text, [said, meant]) => text.replaceAll(said, meant), block.text),
    }));
    const { code, output } = await run(["bash", "-c", scriptOf(page, own)]);
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

const { components, paths } = JSON.parse(readFileSync(join(ROOT, "api/tandem.json"), "utf8")) as {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** An event's schema is found by the heading and the shape above it; the rest is settings, whose schema is closed. */
function schemaOf({ heading, lead }: Block) {
  const [, shape] = /^Shape (A|B):$/.exec(lead) ?? [];
  const payload = components.schemas[`${heading}Payload${shape === "B" ? "B" : ""}`];
  if (shape !== undefined && payload) return validatorOf({ components: components.schemas }, closed(payload));
  return isConfig;
}

/** Members may be added later, but every member in an example must be known. */
function closed(schema: Schema): Schema {
  return { ...schema, additionalProperties: false } as Schema;
}

const readTwiml = twimlReader({ name: "slt", language: "en" });

function scriptFault(text: string): object | undefined {
  const bytes = new TextEncoder().encode(text);
  const read = readScript(bytes, (to) => ok(to));
  return read.ok || readTwiml(bytes, (to) => ok(to)).ok ? undefined : read.refusal;
}

const terminal = requirePeer("script", "bsdutils");

test.runIf(terminal)("docs/cli.md signs in at a terminal", async () => {
  const { accountSid, token, operatorToken } = tandem;
  const commands = blocksOf("docs/cli.md").flatMap(({ isAtTerminal, text }) => (isAtTerminal ? [text] : []));
  expect(commands).toHaveLength(1);
  const own = commands.join("").replace("https://phone.example.com", tandem.url).replace("AC…", accountSid);
  writeFileSync(join(clone.directory, "token.txt"), `${token}\n`);
  writeFileSync(join(clone.directory, "typed.sh"), `set -eu\n${own}`);
  const { code, output } = await run(
    [terminal ?? "", "-qefc", "bash typed.sh", "/dev/null"],
    [
      ["Server", tandem.url],
      ["Account", accountSid],
      ["Token", token],
      ["Server", ""],
      ["Operator's token", operatorToken],
    ],
  );
  expect(code, output).toBe(0);
  expect(output).toMatch(/^\* +work /m);
  for (const secret of [token, operatorToken]) expect(output).not.toContain(secret);
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

test("docs/health.md has every metric", async () => {
  const page = readFileSync(join(ROOT, "docs/health.md"), "utf8");
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

/** Operations in Twilio's shape are in no document of ours; the phone is a WebSocket. */
const UNDOCUMENTED = /^\/(\d{4}-|v2\/|mcp$|testkit\/v1\/Phone$)/;

test.each(PAGES)("%s names only operations that exist", (page) => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => [method.toUpperCase(), new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)] as const,
    ),
  );
  const text = readFileSync(join(ROOT, page), "utf8");
  const named = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w{}/.+-]*[\w}])/g)];
  const unknown = named.filter(
    ([, method, path = ""]) =>
      !UNDOCUMENTED.test(path) && !operations.some(([known, pattern]) => known === method && pattern.test(path)),
  );
  expect(unknown.map(([whole]) => whole)).toEqual([]);
});

test.each(PAGES.filter((page) => page !== "docs/commands.md"))("%s spells no command that nothing installs", (page) => {
  const lines = blocksOf(page).flatMap(({ text }) => text.split("\n"));
  expect(lines.filter((line) => /^(\.\/tandem .*; *)?tandem |\$\(tandem /.test(line))).toEqual([]);
});

/** The anchors that GitHub and the site generate from headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = ""]) => heading,
  );
  const plain = headings.map((heading) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, ""),
  );
  return new Set(plain.map((heading) => heading.replaceAll(/\s/g, "-")));
}

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "bench/results.md", "docs/going-live.md", ...PAGES])(
  "%s links to files and headings that are there",
  (page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
    const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const lost = links.filter(([, path = "", anchor]) => {
      const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(readFileSync(file, "utf8")).has(anchor));
    });
    expect(lost.map(([whole]) => whole)).toEqual([]);
  },
);
