// Speech from a program of the machine, such as espeak-ng: the text goes to its standard input, and a WAV file comes
// from its standard output.
//
// Guarantees: no shell, and no part of a text among the arguments; a program that is no longer wanted is killed
// together with its children; few run at a time.

import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { toTelephoneRate } from "../../wire/audio/resample.ts";
import { readWav } from "../../wire/audio/wav.ts";
import type { Program, ProgramOwner } from "../program.ts";
import { type JobReport, WorkerPool } from "../worker-pool.ts";
import type { SpeechEngine } from "./engine.ts";

const OUTPUT_MAX = 20_000_000;
const COMPLAINT_MAX = 500;

/** Nothing runs between two texts, so there is nothing to end. */
const IDLE_MS = 60_000;

export class CommandEngine implements SpeechEngine {
  readonly places: number;
  readonly #program: string;
  readonly #pool: WorkerPool<Uint8Array>;

  constructor(command: readonly string[], places = Math.max(1, availableParallelism() - 1)) {
    this.places = places;
    this.#program = command[0] ?? "";
    const start = (owner: ProgramOwner) => new Command(command, owner);
    this.#pool = new WorkerPool({ name: "program", start, sizeMax: places, idleMs: IDLE_MS });
  }

  async make(text: string, stop: AbortSignal): Promise<Int16Array> {
    const read = readWav(await this.#pool.run(text, { stop }));
    if (!read.ok) throw new Error(`${this.#program} made no sound that can be read: ${read.refusal}`);
    return toTelephoneRate(read.value);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Runs the program once for every text. */
class Command implements Program {
  readonly #command: readonly string[];
  readonly #owner: ProgramOwner;
  #child: ChildProcess | undefined;
  #isKilled = false;

  constructor(command: readonly string[], owner: ProgramOwner) {
    this.#command = command;
    this.#owner = owner;
  }

  /** Keeps this process alive while it runs. */
  hold(): void {}

  kill(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    if (this.#child) killGroup(this.#child.pid);
    else this.#owner.ended("it is not running");
  }

  send(text: unknown): void {
    const [program = "", ...words] = this.#command;
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#child = child;
    const parts: Buffer[] = [];
    let length = 0;
    let complaint = "";
    child.stdout.on("data", (part: Buffer) => {
      length += part.length;
      if (length > OUTPUT_MAX) killGroup(child.pid);
      else parts.push(part);
    });
    child.stderr.on("data", (part: Buffer) => {
      complaint = (complaint + part.toString()).slice(0, COMPLAINT_MAX);
    });
    // A program that stops reading is reported by its exit.
    child.stdin.on("error", () => {});
    child.on("error", (fault) => this.#report(child, { kind: "failed", reason: `${program}: ${fault.message}` }));
    child.on("close", (code, signal) => {
      const reason = `${program} ended with ${signal ?? code}${complaint && `: ${complaint.trim()}`}`;
      this.#report(child, code === 0 ? { kind: "done", value: Buffer.concat(parts) } : { kind: "failed", reason });
    });
    // Its output may stay open for longer, which does not matter any more.
    child.on("exit", () => void (this.#isKilled && this.#report(child, { kind: "failed", reason: "killed" })));
    child.stdin.end(`${text}\n`);
  }

  /** Once for each run: a program that cannot be started is closed, too. */
  #report(child: ChildProcess, report: JobReport<Uint8Array>): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#isKilled) this.#owner.ended("it was killed");
    else this.#owner.hear(report);
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
