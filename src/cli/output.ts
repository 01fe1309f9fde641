// Prints results to standard output, so that they can be piped, and remarks to standard error.

import { once } from "node:events";
import { formatTable, printable } from "./table.ts";

/** Only terminals get colours and rules. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

export function print(text: string): void {
  process.stdout.write(text);
}

/** Waits for a slow reader; false when the reader has closed the pipe. */
export async function writeOutput(chunk: string | Uint8Array): Promise<boolean> {
  const { stdout } = process;
  if (!stdout.writable) return false;
  if (!stdout.write(chunk)) {
    const done = new AbortController();
    const ended = ["drain", "close", "error"].map((event) => once(stdout, event, { signal: done.signal }));
    await Promise.race(ended.map((each) => each.catch(() => undefined)));
    done.abort();
  }
  return stdout.writable;
}

export function printJson(value: unknown): void {
  print(`${JSON.stringify(value, null, 2)}\n`);
}

/** As JSON with `--json`, otherwise as text. */
export function printResult<Data>(
  data: Data,
  { json }: { readonly json?: true },
  printText: (data: Data) => void,
): void {
  if (json) printJson(data);
  else printText(data);
}

/** Reports a completed action: as JSON to standard output with `--json`, otherwise as a remark. */
export function printDone(data: unknown, { json }: { readonly json?: true }, text: string): void {
  if (json) printJson(data);
  else say(text);
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  print(formatTable({ header, rows, isTerminal: isTerminal() }));
}

/** One line for each field; a missing value is shown as a dash. */
export function printFields(fields: Readonly<Record<string, string | number | null>>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    print(`${name.padEnd(width)}  ${printable(String(value ?? "-"))}\n`);
  }
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
