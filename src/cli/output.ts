// Where results and remarks go: results to standard output, so that they can be piped on; remarks to standard error.

import { formatTable } from "./table.ts";

/** Colours and rules are for people. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

export function print(text: string): void {
  process.stdout.write(text);
}

export function printJson(value: unknown): void {
  print(`${JSON.stringify(value, null, 2)}\n`);
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  print(formatTable({ header, rows, isTerminal: isTerminal() }));
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
