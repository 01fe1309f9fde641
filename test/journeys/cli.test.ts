// The `tandem` command as people and scripts use it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNTIL } from "../contract/messages.ts";
import { useTandem } from "../use-tandem.ts";
import { asNode, runCommand, startCommand } from "./tandem-command.ts";

const tandem = useTandem({ hasOwnPostgres: true });
let empty: string;

beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), "tandem-cli-"));
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

const demo = () => ({ environment: { TANDEM_DATA_DIR: tandem.dataDir } });

describe("tandem lookup", () => {
  test("one number is shown in aligned columns", async () => {
    const { code, stderr, stdout } = await runCommand(["lookup", "+1 (415) 474-0200"], demo());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [header = "", row = ""] = stdout.split("\n");
    expect(header).toMatch(/^Number +Status +Type +Carrier$/);
    expect(row).toMatch(/^\+14154740200 +Inactive +Landline +AT&T$/);
    expect(row.indexOf("Inactive")).toBe(header.indexOf("Status"));
  });

  test("one number as JSON is the API's own object, several are an array in order", async () => {
    const { stdout } = await runCommand(["lookup", "--json", "+14154740200"], demo());
    const answer = await tandem.get("/carrierLookup/v1/Numbers/+14154740200");
    expect(JSON.parse(stdout)).toEqual(await answer.json());
    const several = await runCommand(["lookup", "--json", "+442079460123", "+14154740200"], demo());
    expect(several.code).toBe(0);
    expect(JSON.parse(several.stdout)).toMatchObject([{ number: "+442079460123" }, { number: "+14154740200" }]);
  });

  test.each([[["abc"]], [["+14154740200", "abc"]]])(
    "of %s what is refused is shown with its reason",
    async (numbers) => {
      const table = await runCommand(["lookup", ...numbers], demo());
      expect(table).toMatchObject({ code: 1, stdout: expect.stringMatching(/abc +refused +\S/) });
      const json = await runCommand(["lookup", "--json", ...numbers], demo());
      expect(json.code).toBe(1);
      const items = [JSON.parse(json.stdout)].flat();
      expect(items.at(-1)).toEqual({ number: "abc", error: expect.any(String) });
    },
  );

  test("flags and environment name another server and account", async () => {
    const { accountSid, token, url } = tandem;
    const flags = ["--url", url, "--account", accountSid, "--token", token];
    expect((await runCommand(["lookup", "+14154740200", ...flags], { cwd: empty })).code).toBe(0);
    const environment = { TANDEM_URL: url, TANDEM_ACCOUNT_SID: accountSid, TANDEM_TOKEN: token };
    expect((await runCommand(["lookup", "+14154740200"], { cwd: empty, environment })).code).toBe(0);
  });

  test("a wrong token is a refusal, an absent server an error, and neither prints a stack", async () => {
    const account = ["--account", tandem.accountSid, "--token", "wrong"];
    const refused = await runCommand(["lookup", "+14154740200", "--url", tandem.url, ...account]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^refused \(401\): .*\[.*request/),
    });
    const absent = await runCommand(["lookup", "+14154740200", "--url", "http://127.0.0.1:1", ...account]);
    expect(absent).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .* cannot be reached: .*\n→ Is the server running\? .*\n$/),
    });
  });

  test("without any credentials it says what to give", async () => {
    const { code, stderr } = await runCommand(["lookup", "+14154740200"], { cwd: empty });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: No credentials: give --url, --account and --token, or set TANDEM_URL/);
  });

  test("a reader that has seen enough is no fault", async () => {
    const numbers = Array.from({ length: 1000 }, (_, at) => `+1415474${String(at).padStart(4, "0")}`);
    const { child, ended } = startCommand(["lookup", "--json", ...numbers], demo());
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });
});

test("tandem requests list finds a refused request by its id", async () => {
  const headers = { "X-Request-Id": "from-the-cli-test" };
  expect((await tandem.get("/v1/Phones/zzz", { headers })).status).toBe(400);
  const listed = () => tandem.get("/v1/Requests?RequestId=from-the-cli-test").then((answer) => answer.text());
  await expect.poll(listed, UNTIL).toContain("from-the-cli-test");
  const { code, stdout } = await runCommand(["requests", "list", "--request-id", "from-the-cli-test"], demo());
  expect(code).toBe(0);
  expect(stdout.split("\n")[1]).toMatch(/Z +getPhone +400 +validation +phone +from-the-cli-test$/);
});

describe("the command line", () => {
  test.each([
    [[]],
    [["nonsense"]],
    [["lookup"]],
    [["lookup", "--nonsense"]],
    [["lookup", "--csv"]],
    [["lookup", "+14154740200", "--csv", "in.csv", "--out", "out.csv"]],
    [["lookup", "+14154740200", "--column", "phone"]],
    [["lookup", "+14154740200", "--retries", "many"]],
    [["doctor", "now"]],
  ])("%j is a wrong use: exit 2, told on standard error", async (args) => {
    const { code, stderr, stdout } = await runCommand(args, demo());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
    expect(stderr).not.toContain("    at ");
  });

  test.each([
    [["--help"]],
    [["help", "lookup"]],
    [["lookup", "--help"]],
    [["doctor", "--help"]],
    [["serve", "--help"]],
  ])("%j prints help", async (args) => {
    expect(await runCommand(args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Usage: tandem"),
      stderr: "",
    });
  });

  test("--version prints the version", async () => {
    expect(await runCommand(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

test("tandem serve refuses a Node.js whose HTTP parser has a hole, before it looks at anything else", async () => {
  const environment = { ...asNode("20.19.1"), TANDEM_PORT: "none" };
  expect(await runCommand(["serve"], { environment, cwd: empty })).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/does not run on Node\.js 20\.19\.1\. Install .*smuggled\.\n$/),
  });
});

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { check: string; verdict: string; found: string; advice?: string }[];
}

describe("tandem doctor", () => {
  test("finds nothing wrong with a running server", async () => {
    const { code, stdout } = await runCommand(["doctor", "--json"], demo());
    const report = JSON.parse(stdout) as Report;
    expect(report.checks.filter(({ verdict }) => verdict === "fail")).toEqual([]);
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
    const found = Object.fromEntries(report.checks.map(({ check, found: text }) => [check, text]));
    expect(found).toMatchObject({
      Database: expect.stringMatching(/^built in, PostgreSQL .*, running$/),
      Schema: expect.stringMatching(/schema steps applied$/),
      Server: expect.stringMatching(/^ready at http/),
      Clock: expect.stringContaining("agreeing with the database and the server"),
    });
  });

  test("finds nothing wrong with a place where nothing has been started yet", async () => {
    const environment = { TANDEM_DATA_DIR: join(empty, "new"), TANDEM_PORT: "0" };
    const { code, stdout } = await runCommand(["doctor"], { environment });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}Database +built in, made at the first start$/m);
  });

  test("tells that the secret key is not the one of the database, or is lost", async () => {
    const other = { TANDEM_DATA_DIR: tandem.dataDir, TANDEM_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };
    const lost = { TANDEM_DATA_DIR: join(empty, "new"), TANDEM_DATABASE_URL: tandem.databaseUrl, TANDEM_PORT: "0" };
    for (const [environment, found] of [
      [other, "TANDEM_SECRET_KEY is not the key of this database"],
      [lost, `${join(empty, "new", "secret.key")}, the key of this database, is missing`],
    ] as const) {
      const { code, stdout } = await runCommand(["doctor", "--json"], { environment });
      expect(code).toBe(1);
      const { checks } = JSON.parse(stdout) as Report;
      const advice = expect.stringContaining("TANDEM_ACCEPT_NEW_KEY");
      expect(checks.filter(({ verdict }) => verdict === "fail")).toMatchObject([
        { check: "Secret key", found, advice },
      ]);
    }
  });

  test("tells everything that is wrong at once, each with what to do, and no password", async () => {
    const blocker = createServer((socket) => socket.destroy());
    const port = await new Promise<number>((resolve) =>
      blocker.listen(0, "127.0.0.1", () => resolve((blocker.address() as { port: number }).port)),
    );
    const table = join(empty, "numbering.bin");
    writeFileSync(table, "not a table");
    const environment = {
      TANDEM_DATA_DIR: table,
      TANDEM_PORT: String(port),
      TANDEM_NUMBERING_FILE: table,
      TANDEM_DATABASE_URL: "postgres://tandem:opensesame@127.0.0.1:1/tandem",
      TANDEM_LOG_LEVEL: "loud",
      TANDEM_PROT: "8080",
    };
    const { code, stdout } = await runCommand(["doctor", "--json"], { environment });
    blocker.close();
    expect(code).toBe(1);
    expect(stdout).not.toContain("opensesame");
    const report = JSON.parse(stdout) as Report;
    const failed = report.checks.filter(({ verdict }) => verdict === "fail");
    expect(failed.map(({ check }) => check)).toEqual([
      "Settings",
      "Settings",
      "Data directory",
      "Database",
      "Numbering data",
      "Port",
    ]);
    for (const { advice } of failed) expect(advice).toMatch(/\w/);
    const text = await runCommand(["doctor"], { environment });
    expect(text).toMatchObject({ code: 1, stdout: expect.stringContaining("→ ") });
  });
});

describe("with --json a refusal is one JSON object on standard error, and nothing else", () => {
  const refused = async (args: readonly string[], order = demo()) => {
    const { code, stdout, stderr } = await runCommand([...args, "--json"], order);
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    return { exit: code, ...(JSON.parse(stderr) as { error: object }).error };
  };

  test.each([
    [["lookup", "--no-such-option"], "unknown option '--no-such-option'"],
    [["no-such-command"], "unknown command 'no-such-command'"],
    [["messages", "show"], "missing required argument 'sid'"],
    [["messages", "list", "--status", "Asleep"], "One of these is wanted"],
    [["lookup", "+14154740200", "--url", "ftp://x", "--account", "a", "--token", "t"], "http:// or https:// is wanted"],
  ])("%j", async (args, message) => {
    expect(await refused(args)).toMatchObject({ exit: 2, kind: "usage", message: expect.stringContaining(message) });
  });

  test("by the server, or because there is none", async () => {
    expect(await refused(["messages", "show", "OM0123456789abcdef0123456789abcdef"])).toMatchObject({
      exit: 1,
      kind: "refused",
      status: 404,
      requestId: expect.any(String),
    });
    const nobody = ["--url", "http://127.0.0.1:1", "--account", "AC1", "--token", "t"];
    expect(await refused(["numbers", "list", ...nobody])).toMatchObject({ exit: 1, kind: "network" });
  });

  test("of a start", async () => {
    const environment = { TANDEM_DATA_DIR: tandem.dataDir, TANDEM_LOG_LEVEL: "silent", TANDEM_PORT: "0" };
    const start = async (more: object) => {
      const { ended } = startCommand(["serve", "--json"], { environment: { ...environment, ...more } });
      const { code, stderr } = await ended;
      return { exit: code, ...(JSON.parse(stderr) as { error: object }).error };
    };
    expect(await start({ TANDEM_PORT: "x", TANDEM_LOG_LEVEL: "loud" })).toMatchObject({
      exit: 78,
      kind: "settings",
      faults: [expect.stringContaining("TANDEM_PORT"), expect.stringContaining("TANDEM_LOG_LEVEL")],
    });
    expect(await start({})).toMatchObject({
      exit: 1,
      kind: "refused",
      message: expect.stringContaining("is using the data directory"),
    });
  });
});

test("tandem doctor finds a low limit of open files and an SMSC that is away", async () => {
  const config = join(empty, "carriers.json");
  const link = { name: "east", host: "127.0.0.1", port: 1, systemId: "tandem", password: "secret" };
  writeFileSync(config, JSON.stringify({ carriers: [{ name: "acme", smpp: [link] }] }));
  const program = fileURLToPath(new URL("../../dist/tandem.js", import.meta.url));
  const env = { PATH: process.env.PATH, TANDEM_CONFIG: config, TANDEM_DATA_DIR: join(empty, "none"), TANDEM_PORT: "0" };
  const line = 'ulimit -n 512 && exec "$@"';
  const doctor = spawnSync("sh", ["-c", line, "sh", process.execPath, program, "doctor", "--json"], { env });
  const { checks } = JSON.parse(String(doctor.stdout)) as { checks: readonly { check: string; verdict: string }[] };
  expect(checks).toContainEqual(expect.objectContaining({ check: "Open files", verdict: "warn" }));
  expect(checks).toContainEqual(expect.objectContaining({ check: "Carrier link", verdict: "fail" }));
  expect(doctor.status).toBe(1);
});
