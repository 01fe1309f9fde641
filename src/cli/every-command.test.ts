// Every command is run once, as text and as JSON, against a server that answers with the OpenAPI document's samples.
// This shows that each command works with documented answers and that together they reach every operation. Plain
// commands are run from their descriptions.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../test/fakes/openapi-answers.ts";
import type { Kind, PlainCommand, PlainInput } from "../base/plain-command.ts";
import { nodesOf, readTree } from "./command-tree.ts";
import { PLAIN_COMMANDS } from "./commands.generated.ts";
import { makeProgram } from "./program.ts";

const ACCOUNT = "--url http://localhost:1 --account AC1 --token t";
const OPERATOR = "--url http://localhost:1 --token t";
const VIEW = `--account AC1 ${OPERATOR}`;

/** Handwritten commands. FOLDER is a directory that the test creates. */
const ACCOUNT_LINES = [
  "lookup +14155550100",
  "lookup --details +14155550100",
  "send --from +14155550150 --to +14155550100 --text Hi",
  "send --from +14155550150 --to +14155550100 --text Hi --dry-run",
  "messages export",
  "calls show CA1",
  "calls recordings download CA1 1 -o FOLDER/a.mp3",
  "numbers release +14155550150",
  "port-in check +13035550123",
  "port-in loa +13035550123 --out FOLDER/a.pdf",
  "port-in loa --order PO1 --out FOLDER/b.pdf",
  "port-in submit +13035550123 --file FOLDER/letter.pdf",
  "port-in answer PO1 --account-number A-1",
  "optouts import --csv FOLDER/numbers.csv --out FOLDER/a.csv --from +14155550150",
  "webhooks replay DL1",
  "webhooks replay --status Failed",
  "sandbox receive --to +14155550150",
  "sandbox call --to +14155550150",
].map((line) => `${line} ${ACCOUNT}`);

/** The document's samples do not work for these: they need a state that changes, or counts that agree. */
const OWN_TESTS = new Set([
  "backup",
  "call",
  "campaigns migrate",
  "completion",
  "doctor",
  "import twilio numbers",
  "import twilio opt-outs",
  "keys rotate",
  "listen",
  "login",
  "mcp",
  "profiles list",
  "profiles remove",
  "profiles use",
  "restore",
  "script check",
  "serve",
  "webhooks test",
]);

const OPERATOR_LINES = [
  "operator accounts create Shop --features voice",
  "operator features on AC1 voice",
  "operator features off AC1 voice",
  "operator inventory import --csv FOLDER/numbers.csv --out FOLDER/b.csv",
  "operator ports document PO1 1 -o FOLDER/c.pdf",
].map((line) => `${line} ${OPERATOR}`);

const VIEW_LINES = ["operator calls show CA1"].map((line) => `${line} ${VIEW}`);

const SIGNED_IN = { account: ACCOUNT, operator: OPERATOR, view: VIEW };

/** A plain command with all its arguments and options. */
function lineOf({ name, arguments: taken, options, sids, who }: PlainCommand): string {
  const conflicting = options.flatMap((input) => (input === "--json" || !input.conflicts ? [] : [input]));
  const given = options.filter((input) => input !== "--json" && !conflicting.includes(input)) as PlainInput[];
  const words = given.map((input) => `${/--[\w-]+/.exec(input.shown)?.[0]} ${sampleOf(input)}`.trim());
  return [name, ...taken.map((input) => `${sids ?? ""}${sampleOf(input)}`), ...words, SIGNED_IN[who]].join(" ");
}

const SAMPLES = new Map<Kind, string>([
  ["count", "1"],
  ["countOrNone", "90"],
  ["yesOrNo", "yes"],
  ["since", "2h"],
  ["ahead", "2h"],
  ["errorCode", "30"],
  ["refusalStatus", "429"],
  ["eventType", "OptOutChanged"],
  ["eventTypes", "OptOutChanged"],
  ["sendingTimes", "any"],
  ["limits", "send=200/10"],
  ["countries", "US"],
]);

function sampleOf({ shown, to, kind, words }: PlainInput): string {
  if (to === "out") return "FOLDER/file";
  return shown.includes("<") || shown.includes("[") ? (words?.[0] ?? SAMPLES.get(kind) ?? "x1") : "";
}

/** Operators' commands that can also read one account. */
const OF_ACCOUNTS = PLAIN_COMMANDS.filter(({ ofAccount }) => ofAccount).map(
  (plain) => `${lineOf(plain)} --account AC1`,
);

const LINES = [...ACCOUNT_LINES, ...OPERATOR_LINES, ...VIEW_LINES, ...PLAIN_COMMANDS.map(lineOf), ...OF_ACCOUNTS];

/** Operations that no command of LINES reaches, with what reaches them. */
const REACHED_OTHERWISE: Readonly<Record<string, string>> = {
  lookUpNumbers: "tandem lookup of several numbers",
  putPhoneVoice: "tandem numbers voice set changes what is given",
  replaceMessagingConfig: "tandem configs change changes what is given",
  getMigration: "tandem campaigns migrate",
  placeCall: "tandem call",
  testWebhook: "tandem webhooks test",
  streamEvents: "tandem listen",
  streamAllEvents: "the portal",
  openSession: "the portal",
  getSession: "the portal",
  endSession: "the portal",
  listViews: "the portal",
  saveView: "the portal",
  renameView: "the portal",
  deleteView: "the portal",
  listPortOrdersOfAccount: "tandem operator ports list --account",
  getMigrationOfAccount: "the portal",
  getPortOrderOfAccount: "tandem operator ports show",
};

let folder: string;
let stdout: string;
let heard: Set<string>;

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "tandem-every-command-"));
  writeFileSync(join(made, "letter.pdf"), "%PDF-1.7");
  writeFileSync(join(made, "numbers.csv"), "number\n+14155550123\n");
  return made;
}

beforeEach(() => {
  folder = newFolder();
  stdout = "";
  heard = new Set();
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    stdout += chunk;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubGlobal("fetch", async (url: unknown, { method = "GET" }: RequestInit = {}) => {
    const path = decodeURIComponent(new URL(String(url)).pathname);
    const operation = OPERATIONS.find(({ matches }) => matches(method, path));
    if (!operation) return Response.json({ title: `${method} ${path} is not documented` }, { status: 404 });
    heard.add(operation.id);
    return operation.answer();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

async function run(line: string, ...more: readonly string[]): Promise<void> {
  stdout = "";
  heard.clear();
  const words = line.replaceAll("FOLDER", folder).split(" ");
  await makeProgram().parseAsync(["node", "tandem", ...words, ...more]);
  // A sample often shows something refused or failed, which commands report by their exit code.
  process.exitCode = 0;
}

test.each(LINES)("tandem %s", async (line) => {
  await run(line);
  const asked = [...heard];
  expect(asked).not.toEqual([]);
  rmSync(folder, { recursive: true });
  folder = newFolder();
  await run(line, "--json");
  expect(() => JSON.parse(stdout), stdout).not.toThrow();
});

test("every operation has a command", async () => {
  const reached = new Set(Object.keys(REACHED_OTHERWISE));
  for (const line of LINES) {
    await run(line);
    for (const id of heard) reached.add(id);
  }
  expect(OPERATIONS.filter(({ id }) => !reached.has(id)).map(({ id, name }) => `${name} (${id})`)).toEqual([]);
});

test("every command is run above, or by tests of its own", () => {
  const program = makeProgram();
  const run = new Set(LINES.map((line) => pathOf(program, line.split(" "))));
  const missing = leavesOf(program)
    .map(pathTo)
    .filter((path) => !run.has(path) && !OWN_TESTS.has(path));
  expect(missing).toEqual([]);
});

test("every command can print JSON", () => {
  const mute = leavesOf(makeProgram()).filter(({ options }) => !options.some(({ long }) => long === "--json"));
  expect(mute.map(pathTo)).toEqual([]);
});

test("every command says what it does, and its options too", () => {
  for (const command of leavesOf(makeProgram())) {
    expect(command.description(), pathTo(command)).toMatch(/[.?]$/);
    for (const { description, long } of command.options) expect(description, `${pathTo(command)} ${long}`).not.toBe("");
  }
});

test("every command is shown by an example, of its own or of the commands beside it", () => {
  const lacking = nodesOf(readTree(makeProgram())).flatMap((node) => {
    const here = `${node.notes}\n`;
    const leaves = node.children.filter(({ children }) => children.length === 0);
    return [...leaves].filter(({ notes }) => !/ tandem /.test(`${notes}${here}`)).map(({ path }) => path.join(" "));
  });
  expect(lacking).toEqual([]);
});

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathTo(command: Command): string {
  return command.parent?.parent ? `${pathTo(command.parent)} ${command.name()}` : command.name();
}

/** The names of the commands at the beginning of a line. */
function pathOf(program: Command, words: readonly string[]): string {
  const [word = "", ...others] = words;
  const command = program.commands.find((each) => each.name() === word);
  if (!command) return "";
  return `${word} ${pathOf(command, others)}`.trim();
}
