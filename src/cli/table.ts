// Formats rows as aligned columns; on a terminal with a bold header and a rule.

export interface TableOrder {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isTerminal: boolean;
}

const BOLD = "\u001b[1m";
const PLAIN = "\u001b[0m";
const GAP = "  ";

export function formatTable({ header, rows, isTerminal }: TableOrder): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = header.map((title, at) => Math.max(title.length, ...shown.map((row) => widthOf(row[at] ?? ""))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell))))
      .join(GAP)
      .trimEnd();
  const top = isTerminal
    ? [`${BOLD}${line(header)}${PLAIN}`, widths.map((width) => "─".repeat(width)).join(GAP)]
    : [line(header)];
  return `${[...top, ...shown.map(line)].join("\n")}\n`;
}

/** Replaces control characters, so that untrusted text cannot control the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** East Asian characters take two columns, combining characters none. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{Mark}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
