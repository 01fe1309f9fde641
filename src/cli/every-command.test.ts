// Every command is run once, as text and as JSON, on a server that answers as the OpenAPI document says: so each works
// as far as that goes, and together they reach every operation.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OPERATIONS } from "../../test/fakes/openapi-answers.ts";
import { nodesOf, readTree } from "./command-tree.ts";
import { makeProgram } from "./program.ts";

const ACCOUNT = "--url http://localhost:1 --account AC1 --token t";
const OPERATOR = "--url http://localhost:1 --token t";
const VIEW = `--account AC1 ${OPERATOR}`;

/** FOLDER is a directory of the test's own. */
const ACCOUNT_LINES = [
  "lookup +14155550100",
  "lookup --details +14155550100",
  "send --from +14155550150 --to +14155550100 --text Hi",
  "send --from +14155550150 --to +14155550100 --text Hi --dry-run",
  "messages list --status Failed --since 2h --limit 1",
  "messages show OM1",
  "messages show IM1",
  "messages why OM1",
  "messages inbound --limit 1",
  "messages cancel OM1",
  "messages export",
  "calls list --limit 1",
  "calls show CA1",
  "calls why CA1",
  "calls sip CA1",
  "calls capture CA1 -o FOLDER/a.pcap",
  "calls hangup CA1",
  "calls pause CA1",
  "calls resume CA1",
  "calls recordings list CA1",
  "calls recordings download CA1 1 -o FOLDER/a.mp3",
  "calls delete CA1",
  "numbers list --status Active",
  "numbers show +14155550150",
  "numbers available --area-code 415",
  "numbers buy +14155550123",
  "numbers configure +14155550150 --name Shop",
  "numbers voice show +14155550150",
  "numbers voice set +14155550150 --forward-to none --record yes",
  "numbers release +14155550150",
  "configs list",
  "configs show MC1",
  "configs create Shop",
  "configs change MC1 --name Shop",
  "configs delete MC1",
  "configs numbers MC1",
  "port-in check +13035550123",
  "port-in loa +13035550123 --out FOLDER/a.pdf",
  "port-in loa --order PO1 --out FOLDER/b.pdf",
  "port-in submit +13035550123 --file FOLDER/letter.pdf",
  "port-in list",
  "port-in show PO1",
  "port-in answer PO1 --account-number A-1",
  "port-in cancel PO1",
  "campaigns list",
  "campaigns show CABC123",
  "campaigns link CABC123 MC1",
  "campaigns unlink CABC123",
  "campaigns migrations",
  "optouts list --number +14155550100 --limit 1",
  "optouts add +14155550100 --from +14155550150",
  "optouts remove +14155550100 --from +14155550150",
  "optouts import --csv FOLDER/numbers.csv --out FOLDER/a.csv --from +14155550150",
  "webhooks list",
  "webhooks show WS1",
  "webhooks types",
  "webhooks create https://example.com/hook --type OptOutChanged",
  "webhooks change WS1 --receiver https://example.com/other",
  "webhooks enable WS1",
  "webhooks disable WS1",
  "webhooks rotate WS1",
  "webhooks delete WS1",
  "webhooks deliveries --status Failed --limit 1",
  "webhooks delivery DL1",
  "webhooks replay DL1",
  "webhooks replay --status Failed",
  "events list --limit 1",
  "requests list --limit 1",
  "requests show r1",
  "sandbox receive --to +14155550150",
  "sandbox call --to +14155550150",
  "sandbox settle OM1 --failed",
  "sandbox port PO1",
  "sandbox migrate CABC123",
  "attention",
  "traffic --minutes 5",
  "account show",
  "account tokens create --signs --tool-writes",
  "account tokens delete 1",
  "account tokens promote 2",
  "account request-feature voice",
  "account rotate-secret",
].map((line) => `${line} ${ACCOUNT}`);

/** Answers of the document do not suit them: a state that goes on for ever, or counts that must agree. */
const OWN_TESTS = new Set([
  "backup",
  "call",
  "campaigns migrate",
  "completion",
  "configs add-numbers",
  "configs remove-numbers",
  "doctor",
  "import twilio numbers",
  "import twilio opt-outs",
  "keys rotate",
  "listen",
  "login",
  "profiles list",
  "profiles remove",
  "profiles use",
  "restore",
  "script check",
  "serve",
  "webhooks test",
]);

const OPERATOR_LINES = [
  "operator accounts list",
  "operator accounts show AC1",
  "operator accounts create Shop --features voice",
  "operator accounts change AC1 --name Shop",
  "operator accounts suspend AC1 --reason unpaid",
  "operator accounts resume AC1",
  "operator accounts tokens create AC1 --signs",
  "operator accounts tokens delete AC1 1",
  "operator accounts tokens promote AC1 2",
  "operator features on AC1 voice",
  "operator features off AC1 voice",
  "operator features requests --status Open",
  "operator features grant FR1",
  "operator features decline FR1",
  "operator limits show AC1",
  "operator limits set AC1 send=200/10 concurrentCalls=30",
  "operator countries show AC1",
  "operator countries set AC1 US CA",
  "operator tokens list",
  "operator tokens create ann --role support",
  "operator tokens delete ann",
  "operator inventory list",
  "operator inventory add +14155550123",
  "operator inventory give +14155550123 AC1",
  "operator inventory remove +14155550123",
  "operator inventory import --csv FOLDER/numbers.csv --out FOLDER/b.csv",
  "operator overrides list",
  "operator overrides show +14155550177",
  "operator overrides set +14155550177 --type Wireless --status Active",
  "operator overrides delete +14155550177",
  "operator ports list --account AC1 --status Submitted",
  "operator ports show PO1",
  "operator ports document PO1 1 -o FOLDER/c.pdf",
  "operator ports pins PO1",
  "operator ports foc PO1 --on 2h",
  "operator ports complete PO1 +13035550123 --halves voice",
  "operator ports reject PO1 +13035550123 --reason OTHER",
  "operator ports exception PO1 --reason OTHER",
  "operator campaigns list",
  "operator campaigns show CABC123",
  "operator campaigns unassigned",
  "operator campaigns enter CABC123 --brand B1 --name Shop",
  "operator campaigns suspend CABC123",
  "operator campaigns expire CABC123",
  "operator campaigns activate CABC123",
  "operator campaigns change CABC123 --name Shop",
  "operator campaigns assign CABC123 AC1",
  "operator links list",
  "operator links stop acme",
  "operator links start acme",
  "operator trunks list",
  "operator trunks stop acme",
  "operator trunks start acme",
  "operator routes list",
  "operator webhooks list --enabled no",
  "operator events list --limit 1",
  "operator requests list --limit 1",
  "operator requests list --limit 1 --account AC1",
  "operator requests show r1",
  "operator requests show r1 --account AC1",
  "operator recordings list",
  "operator recordings retry RE1",
  "operator reconciles list",
  "operator attention",
  "operator audit list --operator ann --subject AC1 --limit 1",
].map((line) => `${line} ${OPERATOR}`);

const VIEW_LINES = [
  "operator messages list --limit 1",
  "operator messages show OM1",
  "operator messages show IM1",
  "operator messages why OM1",
  "operator messages inbound --limit 1",
  "operator calls list --limit 1",
  "operator calls show CA1",
  "operator calls why CA1",
  "operator calls sip CA1",
  "operator numbers list",
  "operator numbers show +14155550150",
  "operator numbers voice show +14155550150",
  "operator configs list",
  "operator configs show MC1",
  "operator configs numbers MC1",
  "operator webhooks deliveries --limit 1",
  "operator webhooks delivery DL1",
  "operator events list --limit 1",
].map((line) => `${line} ${VIEW}`);

const LINES = [...ACCOUNT_LINES, ...OPERATOR_LINES, ...VIEW_LINES];

/** Operations that no command of LINES reaches, with who does. */
const REACHED_OTHERWISE: Readonly<Record<string, string>> = {
  lookUpNumbers: "tandem lookup of several numbers",
  putPhoneVoice: "tandem numbers voice set changes what is given",
  replaceMessagingConfig: "tandem configs change changes what is given",
  addMessagingConfigPhones: "tandem configs add-numbers",
  deleteMessagingConfigPhones: "tandem configs remove-numbers",
  getMigration: "tandem campaigns migrate",
  placeCall: "tandem call",
  testWebhook: "tandem webhooks test",
  streamEvents: "tandem listen",
  streamAllEvents: "the portal",
  openSession: "the portal",
  getSession: "the portal",
  endSession: "the portal",
  listPortOrdersOfAccount: "tandem operator ports list --account",
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
  // A sample is often of something that is refused or has failed, which commands tell by their exit status.
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

test("docs/cli.md names every command that stands at the top", () => {
  const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
  const named = new Set([...page.matchAll(/`([a-z-]+)[ `…]/g)].map(([, name]) => name));
  expect(
    readTree(makeProgram())
      .children.map(({ path }) => path[1])
      .filter((name) => !named.has(name)),
  ).toEqual([]);
});

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathTo(command: Command): string {
  return command.parent?.parent ? `${pathTo(command.parent)} ${command.name()}` : command.name();
}

/** The commands at the beginning of a line. */
function pathOf(program: Command, words: readonly string[]): string {
  const [word = "", ...others] = words;
  const command = program.commands.find((each) => each.name() === word);
  if (!command) return "";
  return `${word} ${pathOf(command, others)}`.trim();
}
