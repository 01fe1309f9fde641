// Where results and remarks go: results to standard output, so that they can be piped on; remarks to standard error.

import { formatTable, printable } from "./table.ts";

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

/** One thing with all that is known of it, a line each; nothing at all is shown as a dash. */
export function printFields(fields: Readonly<Record<string, string | number | null>>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    print(`${name.padEnd(width)}  ${printable(String(value ?? "-"))}\n`);
  }
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
