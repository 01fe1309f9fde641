// Runs the built `tandem` command as a person would: its own process, its own environment.

import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../dist/tandem.js", import.meta.url));

/** Not there: profiles of whoever runs the tests are not used. */
const NO_PROFILES = join(tmpdir(), "tandem-no-profiles");

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface CommandOrder {
  /** All of TANDEM_… that it sees, and others. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What it reads from standard input; nothing unless given. */
  readonly input?: string;
}

export function startCommand(args: readonly string[], { cwd, environment, input }: CommandOrder = {}): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: NO_PROFILES, ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin?.end(input);
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, ended };
}

/** The environment of a program that takes its Node.js for this release. */
export function asNode(version: string): Readonly<Record<string, string>> {
  const script = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

export function runCommand(args: readonly string[], order?: CommandOrder): Promise<Ended> {
  return startCommand(args, order).ended;
}
