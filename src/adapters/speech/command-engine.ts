// Speech from a program of the machine, such as espeak-ng: the text goes to its standard input, and a WAV file comes
// from its standard output.
//
// Guarantees: no shell, and no part of a text among the arguments; a program that is no longer wanted is killed
// together with its children; few run at a time.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { toTelephoneRate } from "../../wire/audio/resample.ts";
import { readWav } from "../../wire/audio/wav.ts";
import type { SpeechEngine } from "./engine.ts";

const OUTPUT_MAX = 20_000_000;
const COMPLAINT_MAX = 500;

export class CommandEngine implements SpeechEngine {
  readonly #command: readonly string[];
  readonly #places: Places;

  constructor(command: readonly string[], runningMax = Math.max(1, availableParallelism() - 1)) {
    this.#command = command;
    this.#places = new Places(runningMax);
  }

  async make(text: string, stop: AbortSignal): Promise<Int16Array> {
    await this.#places.take(stop);
    try {
      stop.throwIfAborted();
      const read = readWav(await this.#run(text, stop));
      if (!read.ok) throw new Error(`${this.#command[0]} made no sound that can be read: ${read.refusal}`);
      return toTelephoneRate(read.value);
    } finally {
      this.#places.giveBack();
    }
  }

  async close(): Promise<void> {}

  #run(text: string, stop: AbortSignal): Promise<Uint8Array> {
    const [program = "", ...words] = this.#command;
    return new Promise((resolve, reject) => {
      const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], detached: true });
      const kill = () => killGroup(child.pid);
      const abort = () => {
        kill();
        reject(new Error("it is no longer wanted"));
      };
      stop.addEventListener("abort", abort, { once: true });
      const parts: Buffer[] = [];
      let length = 0;
      let complaint = "";
      child.stdout.on("data", (part: Buffer) => {
        length += part.length;
        if (length > OUTPUT_MAX) kill();
        else parts.push(part);
      });
      child.stderr.on("data", (part: Buffer) => {
        complaint = (complaint + part.toString()).slice(0, COMPLAINT_MAX);
      });
      // A program that stops reading is reported by its exit.
      child.stdin.on("error", () => {});
      child.on("error", (fault) => reject(new Error(`${program}: ${fault.message}`)));
      child.on("close", (code, signal) => {
        stop.removeEventListener("abort", abort);
        if (code === 0) resolve(Buffer.concat(parts));
        else reject(new Error(`${program} ended with ${signal ?? code}${complaint && `: ${complaint.trim()}`}`));
      });
      child.stdin.end(`${text}\n`);
    });
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** A semaphore that serves waiters in order. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async take(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(new Error("it is no longer wanted"));
      };
      const enter = () => {
        stop.removeEventListener("abort", abort);
        resolve();
      };
      stop.addEventListener("abort", abort);
      this.#waiting.push(enter);
    });
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
