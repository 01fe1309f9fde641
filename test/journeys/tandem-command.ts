// Runs the built `tandem` command as a person would: with its own environment, and, where the test is about the process
// (signals, pipes, concurrency), as its own process.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../dist/tandem.js", import.meta.url));
const HOST = fileURLToPath(new URL("./command-host.mjs", import.meta.url));

/** Does not exist, so that the profiles of the person who runs the tests are not used. */
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
  /** All TANDEM_… variables that it sees, and others. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its standard input; empty unless given. */
  readonly input?: string;
}

/** Runs it as its own process. */
export function startCommand(args: readonly string[], { cwd, environment, input }: CommandOrder = {}): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: environmentWith(environment),
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

/** An environment in which a program believes that its Node.js is this version. */
export function asNode(version: string): Readonly<Record<string, string>> {
  const script = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** Runs it in a process shared by commands, unless it reads standard input or sets options of Node.js. */
export function runCommand(args: readonly string[], order: CommandOrder = {}): Promise<Ended> {
  const { cwd, environment, input } = order;
  if (input !== undefined || environment?.NODE_OPTIONS) return startCommand(args, order).ended;
  host ??= startHost();
  return host({ args, environment: environmentWith(environment), cwd });
}

/** A command takes seconds; a test's timeout is 180. */
const COMMAND_MS = 150_000;

interface Waiting {
  readonly resolve: (ended: Ended) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
}

type Host = (order: object) => Promise<Ended>;
/** Shared by the files of a test process. */
let host: Host | undefined;

function startHost(): Host {
  const child = fork(HOST, [PROGRAM], {
    execArgv: [],
    env: environmentWith({}),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const waiting: Waiting[] = [];
  child.unref();
  child.on("message", (ended: Ended) => {
    const first = waiting.shift();
    clearTimeout(first?.deadline);
    first?.resolve(ended);
    if (waiting.length === 0) child.channel?.unref();
  });
  const end = (why: string) => {
    host = undefined;
    for (const { reject, deadline } of waiting.splice(0)) {
      clearTimeout(deadline);
      reject(new Error(why));
    }
  };
  child.once("exit", (code, signal) => end(`The command ended its host with ${code ?? signal}.`));
  child.once("error", ({ message }) => end(message));
  return (order) =>
    new Promise<Ended>((resolve, reject) => {
      // A command that hangs would block all later ones.
      const deadline = setTimeout(() => child.kill("SIGKILL"), COMMAND_MS);
      waiting.push({ resolve, reject, deadline });
      child.channel?.ref();
      child.send(order);
    });
}

/** Without TANDEM_… variables except those given. */
function environmentWith(environment: CommandOrder["environment"]): Readonly<Record<string, string | undefined>> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TANDEM_"));
  return { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: NO_PROFILES, ...environment };
}
