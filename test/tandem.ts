// A whole Tandem for tests: the built program as its own process, with its own data directory and ports.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RUNTIME_FLAGS } from "../scripts/runtime-flags.mjs";
import { isOnStockPostgres, StockPostgres } from "./stock-postgres.ts";

/** What tests call, whether they started the server or share it. */
export interface TandemApi {
  readonly url: string;
  readonly accountSid: string;
  readonly token: string;
  readonly operatorToken: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Calls the API as the account. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Calls the API as the operator. */
  operator(path: string, init?: RequestInit): Promise<Response>;
}

/** A server process of the test's own. The account is the demo account. */
export interface Tandem extends TandemApi {
  readonly pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** Stops or resumes reading its output. */
  readOutput(isRead: boolean): void;
  /** Its exit code, once it has ended and everything that it has printed is in `output`. */
  readonly exited: Promise<number | null>;
  /** Stops it as Ctrl-C would; returns the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

export interface TandemOrder {
  /** Kept after the stop when given; else a new one that is removed then. */
  readonly dataDir?: string;
  /**
   * An existing database. Otherwise the server starts its own PostgreSQL below the data directory; on a run with
   * Debian's, one of those runs there until `forgetTandem`.
   */
  readonly databaseUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** `npm start` in this clone, with its own data directory. */
  readonly clone?: string;
  /** Runs it as `npm start` does, below a script that leads its own process group; `pid` is the script's. */
  readonly isBelowScript?: boolean;
  /** `ulimit -n`. */
  readonly openFilesMax?: number;
  /** What is run instead of the build of this clone, given the environment of the server. */
  readonly commandFor?: (environment: NodeJS.ProcessEnv) => readonly string[];
}

const SCRIPT = fileURLToPath(new URL("../scripts/run-server.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../dist/tandem.js", import.meta.url));
/**
 * For servers that live for seconds: optimising early, and collecting garbage in other threads or when idle, cost more
 * than they gain. A server that lives longer loses up to half of its speed.
 */
const SHORT_LIVED = ["--single-threaded-gc", "--no-memory-reducer", "--interrupt-budget=600000"];

/** Those that users run, also in benchmarks; more in the quick form of tests, where test-run.ts sets TEST_SERVERS. */
export function serverFlags(environment: Readonly<Record<string, unknown>> = process.env): readonly string[] {
  return environment.TEST_SERVERS === "short-lived" ? [...RUNTIME_FLAGS, ...SHORT_LIVED] : RUNTIME_FLAGS;
}

export async function startTandem(order: TandemOrder = {}): Promise<Tandem> {
  const { isBelowScript = false, clone } = order;
  const given = clone === undefined ? order.dataDir : join(clone, "data");
  const dataDir = given ?? mkdtempSync(join(tmpdir(), "tandem-"));
  const databaseUrl = order.databaseUrl ?? order.environment?.TANDEM_DATABASE_URL ?? (await stockDatabaseIn(dataDir));
  const program = isBelowScript ? [SCRIPT] : [...serverFlags(), PROGRAM, "serve"];
  const env = environmentOf(order, dataDir, databaseUrl);
  const ours = [process.execPath, ...(clone === undefined ? program : ["scripts/start.mjs"])];
  const command = order.commandFor?.(env) ?? ours;
  const limit = order.openFilesMax === undefined ? "" : `ulimit -n ${order.openFilesMax} && `;
  const child = spawn("sh", ["-c", `${limit}exec "$@"`, "sh", ...command], {
    detached: isBelowScript,
    ...(clone === undefined ? {} : { cwd: clone }),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  // When its output has been read, too: it comes after "exit" at times.
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await readyOrThrow(child, (text) => {
    output += text;
    return output;
  });
  const access = accessTo(dataDir, output, order.environment?.TANDEM_OPERATOR_TOKEN);
  const forget = () => given ?? forgetTandem(dataDir);
  return {
    ...access,
    ...callsTo(access),
    dataDir,
    databaseUrl: databaseUrl ?? databaseUrlIn(dataDir),
    pid: child.pid as number,
    output: () => output,
    readOutput(isRead) {
      for (const stream of [child.stdout, child.stderr]) {
        if (isRead) stream.resume();
        else stream.pause();
      }
    },
    exited,
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      forget();
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function environmentOf({ environment }: TandemOrder, dataDir: string, databaseUrl?: string): NodeJS.ProcessEnv {
  return {
    ...withoutTandem(process.env),
    TANDEM_DATA_DIR: dataDir,
    TANDEM_PORT: "0",
    TANDEM_SMSC_PORT: "0",
    TANDEM_SIP_PORT: "0",
    TANDEM_RTP_PORTS: "0",
    TANDEM_SANDBOX: "on",
    TANDEM_ACTIVATION_SECONDS: "0",
    ...(databaseUrl === undefined ? {} : { TANDEM_DATABASE_URL: databaseUrl }),
    ...environment,
  };
}

/** From demo.env; without a sandbox there is no account, and the rest is in the banner or was given. */
function accessTo(dataDir: string, output: string, givenToken = ""): Access {
  const file = join(dataDir, "demo.env");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const env = Object.fromEntries(lines.map((line) => line.split("=", 2)));
  const url = env.TANDEM_URL ?? /^ {2}API +(\S+)$/m.exec(output)?.[1] ?? "";
  return {
    url: url.replace("localhost", "127.0.0.1"),
    accountSid: env.TANDEM_ACCOUNT_SID ?? "",
    token: env.TANDEM_TOKEN ?? "",
    operatorToken: env.TANDEM_OPERATOR_TOKEN ?? / operator:(\S+)/.exec(output)?.[1] ?? givenToken,
  };
}

type Access = Pick<TandemApi, "url" | "accountSid" | "token" | "operatorToken">;

export function callsTo({ url, accountSid, token, operatorToken }: Access): Pick<TandemApi, "get" | "operator"> {
  const callAs =
    (name: string, secret: string): TandemApi["get"] =>
    (path, init) =>
      fetch(url + path, { ...init, headers: { ...basic(name, secret), ...init?.headers } });
  return { get: callAs(accountSid, token), operator: callAs("operator", operatorToken) };
}

/** Removes a data directory and its database, which may be elsewhere. */
export function forgetTandem(dataDir: string): void {
  StockPostgres.runningIn(stockIn(dataDir))?.close();
  // PostgreSQL may still write for a moment after it was asked to stop.
  const order = { recursive: true, force: true, maxRetries: 10 };
  rmSync(clusterOf(dataDir), order);
  rmSync(dataDir, order);
}

/** TANDEM_DATABASE_URL of a PostgreSQL that listens below this directory. */
export function socketUrl(directory: string, database: string): string {
  return `postgres://tandem@${encodeURIComponent(directory)}:5432/${database}`;
}

/** Beside the data directory, which only the server's user may enter: this PostgreSQL runs as its own user. */
const stockIn = (dataDir: string) => `${dataDir}-postgres`;

async function stockDatabaseIn(dataDir: string): Promise<string | undefined> {
  if (!isOnStockPostgres()) return undefined;
  const { host, database } = (await StockPostgres.startIn(stockIn(dataDir))).connection;
  return socketUrl(host, database);
}

/** The running server's own database. */
function databaseUrlIn(dataDir: string): string {
  return socketUrl(readFileSync(join(clusterOf(dataDir), "postmaster.pid"), "utf8").split("\n")[4] as string, "tandem");
}

/** Where its PostgreSQL keeps its files. */
export function clusterOf(dataDir: string): string {
  if (StockPostgres.runningIn(stockIn(dataDir))) return stockIn(dataDir);
  const elsewhere = join(dataDir, "postgres.location");
  return existsSync(elsewhere) ? readFileSync(elsewhere, "utf8").trim() : join(dataDir, "postgres");
}

/** Runs a server that is expected not to start; returns how it ended. */
export async function failToStart(environment: Readonly<Record<string, string>>): Promise<FailedStart> {
  const child = spawn(process.execPath, [...serverFlags(), PROGRAM, "serve"], {
    env: {
      ...withoutTandem(process.env),
      TANDEM_PORT: "0",
      TANDEM_SMSC_PORT: "0",
      TANDEM_SIP_PORT: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    // It runs unexpectedly: stop it, and its exit code shows that.
    if (output.includes("Ctrl-C stops it.")) child.kill("SIGTERM");
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

export interface FailedStart {
  readonly code: number | null;
  readonly output: string;
}

export function basic(name: string, token: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${name}:${token}`).toString("base64")}` };
}

export function json(method: string, body: unknown): RequestInit {
  return { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** The banner's last line is printed when everything is written and ready. */
function readyOrThrow(child: ChildProcess, add: (text: string) => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      if (add(chunk.toString()).includes("Ctrl-C stops it.")) resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => reject(new Error(`Tandem ended with ${code} before it was ready:\n${add("")}`)));
  });
}

function withoutTandem(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("TANDEM_")));
}
