// A whole Tandem for tests: the built program as its own process, with a data directory and ports of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Tandem {
  readonly url: string;
  readonly accountSid: string;
  readonly token: string;
  readonly operatorToken: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Everything it printed so far. */
  output(): string;
  /** Stops it as Ctrl-C would; answers the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Calls the API as the demo account. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Calls the API as the operator. */
  operator(path: string, init?: RequestInit): Promise<Response>;
}

export interface TandemOrder {
  /** Kept after the stop when given; else a new one that goes with it. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const PROGRAM = fileURLToPath(new URL("../dist/tandem.js", import.meta.url));
/** As scripts/start.mjs says. */
const RUNTIME = ["--max-semi-space-size=32"];

export async function startTandem(order: TandemOrder = {}): Promise<Tandem> {
  const dataDir = order.dataDir ?? mkdtempSync(join(tmpdir(), "tandem-"));
  const child = spawn(process.execPath, [...RUNTIME, PROGRAM, "serve"], {
    env: {
      ...withoutTandem(process.env),
      TANDEM_DATA_DIR: dataDir,
      TANDEM_PORT: "0",
      TANDEM_SMSC_PORT: "0",
      TANDEM_SANDBOX: "on",
      TANDEM_ACTIVATION_SECONDS: "0",
      ...order.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  await readyOrThrow(child, (text) => {
    output += text;
    return output;
  });
  const env = Object.fromEntries(
    readFileSync(join(dataDir, "demo.env"), "utf8")
      .split("\n")
      .map((line) => line.split("=", 2)),
  );
  const url = (env.TANDEM_URL as string).replace("localhost", "127.0.0.1");
  const accountSid = env.TANDEM_ACCOUNT_SID as string;
  const token = env.TANDEM_TOKEN as string;
  const operatorToken = env.TANDEM_OPERATOR_TOKEN as string;
  const forget = () => order.dataDir ?? forgetTandem(dataDir);
  return {
    url,
    accountSid,
    token,
    operatorToken,
    dataDir,
    pid: child.pid as number,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      forget();
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    get: (path, init) => fetch(url + path, { ...init, headers: { ...basic(accountSid, token), ...init?.headers } }),
    operator: (path, init) =>
      fetch(url + path, { ...init, headers: { ...basic("operator", operatorToken), ...init?.headers } }),
  };
}

/** Removes a data directory and the database that belongs to it, which may lie elsewhere. */
export function forgetTandem(dataDir: string): void {
  rmSync(clusterOf(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** TANDEM_DATABASE_URL of the running server's own database, for a second server on it. */
export function databaseUrlOf(dataDir: string): string {
  const socketDir = readFileSync(join(clusterOf(dataDir), "postmaster.pid"), "utf8").split("\n")[4] as string;
  return `postgres://tandem@${encodeURIComponent(socketDir)}:5432/tandem`;
}

/** Where its PostgreSQL keeps its files. */
export function clusterOf(dataDir: string): string {
  const elsewhere = join(dataDir, "postgres.location");
  return existsSync(elsewhere) ? readFileSync(elsewhere, "utf8").trim() : join(dataDir, "postgres");
}

/** Runs a server that is expected not to start; answers how it ended. */
export async function failToStart(environment: Readonly<Record<string, string>>): Promise<FailedStart> {
  const child = spawn(process.execPath, [...RUNTIME, PROGRAM, "serve"], {
    env: { ...withoutTandem(process.env), TANDEM_PORT: "0", TANDEM_SMSC_PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    // It runs, against all expectation: end it, and its exit code tells.
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

/** The banner's last line comes when everything is written and ready. */
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
