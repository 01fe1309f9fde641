// The server as a process: several on one database, restarts, TLS, proxies, stopping, and refusing to start.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applySchema } from "../../src/adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../../src/adapters/store/schema/index.ts";
import { type HeldLookupService, startLookupService } from "../fakes/lookup-service.ts";
import { runCommand } from "../journeys/tandem-command.ts";
import { openSocket, readAnswers } from "../raw-http.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, failToStart, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { limitOf, newAccount } from "./account.ts";
import { guessUntilLimited, statusOf } from "./failed-sign-ins.ts";
import { problemOf } from "./problem.ts";

const LOOKUP = "/carrierLookup/v1/Numbers";
const { version: VERSION } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const NOBODY = "AC0123456789abcdef0123456789abcdef";
const QUIET = { TANDEM_LOG_LEVEL: "warn" };
/** For changes that reach another process: soon, but not before the response. */
const SOON = { timeout: 120_000 };

let scratch: string;
let one: Tandem;
let service: HeldLookupService;
/** Makes another server share the first one's database. */
let shared: Readonly<Record<string, string>>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-processes-"));
  service = await startLookupService();
  const environment = { ...QUIET, TANDEM_CONFIG: service.writeConfig(join(scratch, "config.json")) };
  one = await startTandem({ environment });
  shared = {
    ...environment,
    TANDEM_DATABASE_URL: one.databaseUrl,
    TANDEM_SECRET_KEY: readFileSync(join(one.dataDir, "secret.key"), "utf8").trim(),
    TANDEM_OPERATOR_TOKEN: one.operatorToken,
  };
});
afterAll(async () => {
  await one.stop();
  await service.close();
  rmSync(scratch, { recursive: true });
});

const withKey = (key: string, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), "Idempotency-Key": key },
});

describe("two servers on one database", () => {
  let two: Tandem;
  beforeAll(async () => {
    two = await startTandem({ environment: shared });
  });
  afterAll(() => two.stop());

  const asAccount = (server: Tandem, account: { sid: string; token: string }, path: string, init?: RequestInit) =>
    fetch(server.url + path, { ...init, headers: { ...basic(account.sid, account.token), ...init?.headers } });

  test("share the limits to the last request", async () => {
    const account = await newAccount(one, { limits: { lookup: limitOf(41) } });
    const ask = (server: Tandem) => asAccount(server, account, `${LOOKUP}/+12024561414`);
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index % 2 === 0 ? one : two)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(41);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(59);
  });

  test("a batch refused by one takes nothing from the limit of the other", async () => {
    const account = await newAccount(one, { limits: { lookupBatch: limitOf(10) } });
    const ask = (server: Tandem, size: number) =>
      asAccount(server, account, LOOKUP, json("POST", { numbers: Array(size).fill("+12024561414") }));
    expect((await ask(one, 11)).status).toBe(429);
    const whole = await ask(two, 10);
    expect(whole.status).toBe(200);
    expect(whole.headers.get("ratelimit-remaining")).toBe("0");
  });

  test("remember each other's answers", async () => {
    const order = withKey("shared", json("POST", { name: "Shared" }));
    const first = await one.operator("/operator/v1/Accounts", order);
    const second = await two.operator("/operator/v1/Accounts", order);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await second.text()).toBe(await first.text());
  });

  test("know that the other is still at it", async () => {
    const account = await newAccount(one);
    const order = withKey("at it", json("POST", { numbers: ["+447911123456"] }));
    const first = asAccount(one, account, LOOKUP, order);
    await service.asked();
    expect((await problemOf(await asAccount(two, account, LOOKUP, order), 409)).code).toBe("idempotency-running");
    service.answerAll();
    const answered = await first;
    const repeat = await asAccount(two, account, LOOKUP, order);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(await repeat.text()).toBe(await answered.text());
  });

  test("let in at once whoever got a token from the other, and soon no longer who lost it", async () => {
    const account = await newAccount(one);
    expect((await asAccount(two, account, "/v1/Account")).status).toBe(200);
    const made = await asAccount(one, account, "/v1/Account/tokens", { method: "POST" });
    const second = { sid: account.sid, token: ((await made.json()) as { token: string }).token };
    expect((await asAccount(two, second, "/v1/Account")).status).toBe(200);
    expect((await asAccount(one, second, "/v1/Account/tokens/1", { method: "DELETE" })).status).toBe(204);
    expect((await asAccount(one, account, "/v1/Account")).status).toBe(401);
    await expect.poll(async () => (await asAccount(two, account, "/v1/Account")).status, SOON).toBe(401);
  });

  test("tell each other of overrides, features and suspensions", async () => {
    const account = await newAccount(one);
    await asAccount(two, account, "/v1/Account");
    await account.change({ status: "Suspended", features: ["voice"] });
    await expect.poll(async () => (await asAccount(two, account, `${LOOKUP}/+12024561414`)).status, SOON).toBe(403);
    const put = json("PUT", { type: "VoIP", status: "Active", carrierName: "Elsewhere" });
    await one.operator("/operator/v1/LookupOverrides/+12024561415", put);
    const seen = async () =>
      ((await (await two.get(`${LOOKUP}/+12024561415`)).json()) as { carrierName: string }).carrierName;
    await expect.poll(seen, SOON).toBe("Elsewhere");
  });
});

interface Node {
  readonly sid: string;
  readonly url: string;
  readonly state: string;
  readonly leases: readonly string[];
  readonly drainAskedOn: string | null;
}

test("operators see every server with what it holds, and one that is drained ends and is listed no more", async () => {
  const nodes = async () =>
    ((await (await one.operator("/operator/v1/Nodes")).json()) as { items: Node[] }).items.map((node) => ({
      ...node,
      url: node.url.replace("localhost", "127.0.0.1"),
    }));
  const find = async ({ url }: Tandem) => (await nodes()).find((node) => node.url === url);
  const two = await startTandem({ environment: shared });
  await expect.poll(() => find(two), SOON).toMatchObject({ state: "Ready", version: VERSION, clock: "ok" });
  expect(await find(one)).toMatchObject({ roles: ["api", "worker"], leases: ["Sending", "Webhooks", "Calls"] });
  expect((await find(two))?.leases).not.toContain("Sending");

  const { sid = "" } = (await find(two)) ?? {};
  const drain = (node: string) => one.operator(`/operator/v1/Nodes/${node}/drain`, { method: "POST" });
  await problemOf(await drain("ND0"), 404);
  expect(await (await drain(sid)).json()).toMatchObject({ sid, drainAskedOn: expect.any(String) });
  expect(await two.exited).toBe(0);
  expect(two.output()).toMatch(/Stopping: .*\nStopped\.\n/);
  expect(await find(two)).toBeUndefined();
  await two.stop();
});

test("a server starts beside a newer schema that only adds, as in a rolling upgrade or after it was taken back", async () => {
  const client = new pg.Client(one.databaseUrl);
  await client.connect();
  await applySchema(client, [...SCHEMA, { name: "9999-newer", sql: "alter table calls add column newer text" }]);
  const two = await startTandem({ environment: shared });
  expect(await (await two.get("/healthz")).json()).toEqual({ status: "alive", version: VERSION });
  expect(await two.stop()).toBe(0);
  await client.query("alter table calls drop column newer");
  await client.query("delete from schema_steps where name = '9999-newer'");
  await client.end();
});

test("a second server on the same data directory is refused with the pid of the first", async () => {
  const second = await failToStart({ TANDEM_DATA_DIR: one.dataDir, TANDEM_SANDBOX: "on" });
  expect(second.code).toBe(1);
  expect(second.output).toContain(`(pid ${one.pid})`);
  expect((await one.get("/readyz")).status).toBe(200);
});

test("a database that an earlier version made is refused with what to do, and stays as it is", async () => {
  const url = await newDatabase("empty");
  const earlier = new pg.Client(url);
  await earlier.connect();
  await earlier.query("create table schema_migrations (name text primary key)");
  const environment = {
    TANDEM_DATABASE_URL: url,
    TANDEM_DATA_DIR: join(scratch, "earlier"),
    TANDEM_SANDBOX: "on",
  };
  const { code, output } = await failToStart(environment);
  expect(code).toBe(1);
  expect(output).toMatch(/could not start: .*earlier version.*Move the data directory away.*empty database/);
  const tables = await earlier.query("select tablename from pg_tables where schemaname = 'public'");
  expect(tables.rows).toStrictEqual([{ tablename: "schema_migrations" }]);
  await earlier.end();
  await dropDatabase(url);
});

test("a secret key that is lost or another one is refused with what to do, until a new one is to be accepted", async () => {
  const url = await newDatabase();
  const dataDir = mkdtempSync(join(scratch, "key-"));
  const path = join(dataDir, "secret.key");
  const environment = { ...QUIET, TANDEM_DATABASE_URL: url, TANDEM_DATA_DIR: dataDir, TANDEM_SANDBOX: "on" };
  const other = Buffer.alloc(32, 7).toString("base64");
  const start = (more: object = {}) => startTandem({ dataDir, databaseUrl: url, environment: { ...QUIET, ...more } });
  expect(await (await start()).stop()).toBe(0);

  const key = readFileSync(path);
  const whatToDo = /could not start: .*backup.*TANDEM_SECRET_KEY.*TANDEM_ACCEPT_NEW_KEY/;
  const changed = await failToStart({ ...environment, TANDEM_SECRET_KEY: other });
  expect(changed).toMatchObject({ code: 1, output: expect.stringMatching(whatToDo) });
  rmSync(path);
  const lost = await failToStart(environment);
  expect(lost).toMatchObject({ code: 1, output: expect.stringMatching(whatToDo) });
  // No new key was made in its place.
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, key);
  const before = await start();

  // Another process accepts another key while this one runs.
  const after = await startTandem({
    databaseUrl: url,
    environment: { ...QUIET, TANDEM_SECRET_KEY: other, TANDEM_ACCEPT_NEW_KEY: "on" },
  });
  expect(await (await after.get("/readyz")).json()).toMatchObject({ status: "ready", secretKey: "ok" });
  const told = (await (await before.get("/readyz")).json()) as { secretKey: string };
  expect(told.secretKey).toContain("not the one of the database");
  await after.stop();
  await before.stop();
  expect(await failToStart(environment)).toMatchObject({ code: 1, output: expect.stringMatching(whatToDo) });
  await dropDatabase(url);
});

test("after a restart the same credentials work, and repeats get the answers of before", async () => {
  const dataDir = mkdtempSync(join(scratch, "restart-"));
  const order = withKey("before", json("POST", { name: "Before" }));
  const before = await startTandem({ dataDir, environment: QUIET });
  const first = await (await before.operator("/operator/v1/Accounts", order)).text();
  expect(await before.stop()).toBe(0);
  // Doctor reports a missing key even when the database is not running.
  const key = join(dataDir, "secret.key");
  renameSync(key, `${key}.lost`);
  const doctor = await runCommand(["doctor"], { environment: { TANDEM_DATA_DIR: dataDir, TANDEM_PORT: "0" } });
  renameSync(`${key}.lost`, key);
  const after = await startTandem({ dataDir, environment: QUIET });
  try {
    expect(doctor.stdout).toMatch(/^FAIL +Secret key +\S+secret\.key, the key of this database, is missing/im);
    expect([after.accountSid, after.token, after.operatorToken]).toStrictEqual([
      before.accountSid,
      before.token,
      before.operatorToken,
    ]);
    expect((await after.get("/v1/Account")).status).toBe(200);
    const repeat = await after.operator("/operator/v1/Accounts", order);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(await repeat.text()).toBe(first);
  } finally {
    await after.stop();
    forgetTandem(dataDir);
  }
});

test("while it stops, what runs is finished, new callers are refused, and it is not ready", async () => {
  const slow = await startLookupService();
  const config = slow.writeConfig(join(scratch, "drain.json"));
  // An hour: the test only passes if the stop ends with the running requests.
  const environment = { ...shared, TANDEM_CONFIG: config, TANDEM_DRAIN_SECONDS: "3600" };
  const tandem = await startTandem({ environment });
  const { Authorization } = basic(tandem.accountSid, tandem.token);
  const silent = openSocket(tandem.url);
  await new Promise((resolve) => silent.once("connect", resolve));
  const idle = await tandem.get("/v1/Account");
  await idle.text();
  const socket = openSocket(tandem.url);
  const answers = readAnswers(socket);
  // Not on the fast path, which reads nothing more before the last response.
  socket.write(`GET ${LOOKUP}/+447911123456/details HTTP/1.1\r\nHost: a\r\nAuthorization: ${Authorization}\r\n\r\n`);
  // This client would keep its connection open for the next request.
  const kept = tandem.get(`${LOOKUP}/+447911123457`);
  await slow.asked();
  await slow.asked();
  // Begun before the stop, so that it is completed on this connection after it.
  socket.write("GET /readyz HTTP/1.1\r\nHost: a\r\n");

  const stopped = tandem.stop();
  await expect.poll(() => connectionTo(tandem.url), SOON).toBe("refused");
  socket.write("\r\n");
  slow.answerAll();
  expect((await kept).status).toBe(200);
  expect((await kept).headers.get("connection")).toBe("close");
  const [finished, ready] = await answers;
  expect(finished?.status).toBe(200);
  expect(JSON.parse(finished?.text ?? "")).toMatchObject({ carrierName: "Held" });
  expect(ready?.status).toBe(503);
  expect(JSON.parse(ready?.text ?? "")).toMatchObject({ status: "not ready" });
  expect(ready?.headers.get("connection")).toBe("close");
  socket.destroy();
  expect(await stopped).toBe(0);
  silent.destroy();
  await slow.close();
});

function connectionTo(url: string): Promise<"open" | "refused"> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => {
      socket.destroy();
      resolve("open");
    });
    socket.once("error", () => resolve("refused"));
  });
}

interface TlsAnswer {
  readonly status: number;
  readonly text: string;
  readonly id: string;
  readonly cookie: string | undefined;
}

function askOverTls(url: string, { body, ...options }: RequestOptions & { body?: string }): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    httpsRequest(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      const id = String(response.headers["x-request-id"]);
      const cookie = response.headers["set-cookie"]?.[0];
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text, id, cookie }));
    })
      .once("error", reject)
      .end(body);
  });
}

describe("with a certificate", () => {
  let cert: string;
  let key: string;
  beforeAll(() => {
    cert = join(scratch, "cert.pem");
    key = join(scratch, "key.pem");
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  });

  test("the API is served over TLS, with its name and its conventions", async () => {
    const tandem = await startTandem({ environment: { ...shared, TANDEM_TLS_CERT: cert, TANDEM_TLS_KEY: key } });
    try {
      expect(tandem.url).toMatch(/^https:/);
      const ask = { ca: readFileSync(cert), headers: basic(tandem.accountSid, tandem.token) };
      const answer = await askOverTls(`${tandem.url}${LOOKUP}/+12024561414`, ask);
      expect(answer).toMatchObject({ status: 200, id: expect.stringMatching(/./) });
      expect(JSON.parse(answer.text)).toMatchObject({ carrierName: "Verizon" });
      const headers = { ...ask.headers, "Content-Type": "application/json" };
      const order = { ...ask, headers, method: "POST", body: '{"From":"nobody"}' };
      const refused = await askOverTls(`${tandem.url}/messaging/v1/OutboundMessages`, order);
      expect(refused).toMatchObject({ status: 400, id: expect.stringMatching(/./) });
      expect(JSON.parse(refused.text).errors).toHaveProperty("From");
      const page = { "Content-Type": "application/json", "X-Tandem-Session": "1" };
      const credentials = JSON.stringify({ accountSid: tandem.accountSid, token: tandem.token });
      const signIn = { ca: ask.ca, headers: page, method: "POST", body: credentials };
      const { cookie } = await askOverTls(`${tandem.url}/v1/Session`, signIn);
      expect(cookie).toMatch(/^tandem_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/);
      const plain = openSocket(tandem.url.replace("https", "http"));
      const closed = new Promise((resolve) => plain.once("close", resolve));
      plain.on("error", () => undefined).on("end", () => plain.end());
      plain.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
      await closed;
    } finally {
      await tandem.stop();
    }
  });

  test("a certificate that is none, or without its key, is a wrong setting", async () => {
    const none = join(scratch, "none.pem");
    writeFileSync(none, "not a certificate");
    for (const environment of [
      { TANDEM_TLS_CERT: none, TANDEM_TLS_KEY: key },
      { TANDEM_TLS_CERT: cert, TANDEM_TLS_KEY: cert },
      { TANDEM_TLS_CERT: cert },
      { TANDEM_TLS_CERT: cert, TANDEM_TLS_KEY: join(scratch, "missing.pem") },
    ]) {
      const start = await failToStart({ TANDEM_DATA_DIR: join(scratch, "unused"), ...environment });
      expect(start.code).toBe(78);
      expect(start.output).toContain("TANDEM_TLS_");
    }
  });
});

test("behind a trusted proxy guesses are counted by the caller the proxy names, whatever it names", async () => {
  const tandem = await startTandem({ environment: { ...shared, TANDEM_TRUST_PROXY: "127.0.0.1" } });
  try {
    const via = (address: string) => ({ url: tandem.url, headers: { "X-Forwarded-For": address } });
    expect(await guessUntilLimited(via("203.0.113.1"))).toContain(429);
    expect(await statusOf(via("203.0.113.2"), NOBODY, "guess")).toBe(401);
    // The client may send the header too; the proxy appends the address it saw, and that one counts.
    expect(await guessUntilLimited(via("203.0.113.9, 203.0.113.1"))).toContain(429);
    const noise = Array.from({ length: 600 }, (_, index) => String.fromCharCode(33 + ((index * 7919) % 90))).join("");
    for (const odd of ["unknown", "_hidden", "203.0.113.1:8080", noise.repeat(10)]) {
      expect(await statusOf(via(odd), NOBODY, "guess"), odd.slice(0, 40)).toBe(401);
    }
    expect(await statusOf(via("203.0.113.1"), tandem.accountSid, tandem.token)).toBe(200);
  } finally {
    await tandem.stop();
  }
});

describe("a start that cannot be", () => {
  test("a Node.js with a hole in its HTTP parser is refused, and which has none is said", async () => {
    const old = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.1'}})";
    const NODE_OPTIONS = `--import data:text/javascript,${old}`;
    const start = await failToStart({ TANDEM_DATA_DIR: join(scratch, "unused"), NODE_OPTIONS });
    expect(start.code).toBe(1);
    expect(start.output).toContain("Tandem does not run on Node.js 20.19.1. Install 20.19.2 or a later 20");
    const prepare = new URL("../../scripts/prepare.mjs", import.meta.url);
    const check = `import { requireNode } from ${JSON.stringify(prepare)}; requireNode();`;
    const run = (options: string) =>
      spawnSync(process.execPath, ["--input-type=module", "--eval", check], {
        env: { ...process.env, NODE_OPTIONS: options },
        encoding: "utf8",
      });
    expect(run("").status).toBe(0);
    expect(run(NODE_OPTIONS)).toMatchObject({ status: 1, stderr: expect.stringContaining("^20.19.2 || >=22") });
  });

  test("wrong settings are told all at once, each with what is allowed, and the exit code says so", async () => {
    const config = join(scratch, "wrong.json");
    writeFileSync(config, JSON.stringify({ lookup: { providers: [{ kind: "pigeon" }] }, colour: "red" }));
    const start = await failToStart({
      TANDEM_DATA_DIR: join(scratch, "unused"),
      TANDEM_PORT: "99999",
      TANDEM_HOST: "0.0.0.0",
      TANDEM_SANDBOX: "on",
      TANDEM_PUBLIC_URL: "ftp://example.com",
      TANDEM_TRUST_PROXY: "10.0.0.0/99",
      TANDEM_DATABASE_URL: "mysql://example.com",
      TANDEM_SECRET_KEY: "short",
      TANDEM_OPERATOR_TOKEN: "short",
      TANDEM_LOG_LEVEL: "loud",
      TANDEM_CONFIG: config,
      TANDEM_COLOUR: "red",
    });
    expect(start.code).toBe(78);
    for (const name of [
      "PORT",
      "SANDBOX",
      "PUBLIC_URL",
      "TRUST_PROXY",
      "DATABASE_URL",
      "SECRET_KEY",
      "OPERATOR_TOKEN",
      "LOG_LEVEL",
      "COLOUR",
    ]) {
      expect(start.output).toContain(`TANDEM_${name}: `);
    }
    expect(start.output).toContain("one of debug, info, warn, error, silent is wanted");
    expect(start.output).toContain("colour");
    expect(start.output).not.toContain("    at ");
  });

  test.each([
    ["missing", () => join(scratch, "missing.bin")],
    [
      "cut short",
      () => {
        const whole = readFileSync(fileURLToPath(new URL("../../dist/numbering.bin", import.meta.url)));
        writeFileSync(join(scratch, "short.bin"), whole.subarray(0, whole.length / 2));
        return join(scratch, "short.bin");
      },
    ],
    [
      "something else",
      () => {
        copyFileSync(fileURLToPath(import.meta.url), join(scratch, "other.bin"));
        return join(scratch, "other.bin");
      },
    ],
  ])("a numbering table that is %s ends the start with what to do", async (_what, make) => {
    const dataDir = mkdtempSync(join(scratch, "numbering-"));
    const file = make();
    const start = await failToStart({ ...shared, TANDEM_DATA_DIR: dataDir, TANDEM_NUMBERING_FILE: file });
    expect(start.code).toBe(1);
    expect(start.output).toContain(file);
    expect(start.output).toContain("npm run build:numbering");
    expect(start.output).not.toContain("    at ");
  });

  test("a port that is taken is reported with the setting to change", async () => {
    const dataDir = mkdtempSync(join(scratch, "port-"));
    const start = await failToStart({ ...shared, TANDEM_DATA_DIR: dataDir, TANDEM_PORT: new URL(one.url).port });
    expect(start.code).toBe(1);
    expect(start.output).toContain("TANDEM_PORT");
  });

  test("a database out of reach is reported in words", async () => {
    const dataDir = mkdtempSync(join(scratch, "database-"));
    const start = await failToStart({
      ...QUIET,
      TANDEM_DATA_DIR: dataDir,
      TANDEM_DATABASE_URL: "postgres://tandem:hush@127.0.0.1:1/tandem",
    });
    expect(start.code).toBe(1);
    expect(start.output).toContain("Tandem could not start");
    expect(start.output).toContain("ECONNREFUSED");
    expect(start.output).not.toContain("hush");
  });
});
