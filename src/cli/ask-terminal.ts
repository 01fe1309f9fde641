// Asks the person at the terminal. Questions go to standard error, so that standard output can be piped.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
}

export const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

export interface Question {
  readonly prompt: string;
  /** The answer is not shown while it is typed. */
  readonly isSecret?: boolean;
}

/** The answer without surrounding spaces; undefined after Ctrl-C or Ctrl-D. */
export async function askTerminal({ input, output }: Terminal, question: Question): Promise<string | undefined> {
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  // In terminal mode readline echoes to its own output and turns the terminal's echo off. The prompt for a secret is
  // written only after that, so that a secret pasted immediately is not shown either.
  const lines = createInterface({ input, output: question.isSecret ? mute : output, terminal: true });
  if (question.isSecret) output.write(question.prompt);
  try {
    const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
    return (await Promise.race([lines.question(question.isSecret ? "" : question.prompt), ended]))?.trim();
  } finally {
    lines.close();
    if (question.isSecret) output.write("\n");
  }
}
