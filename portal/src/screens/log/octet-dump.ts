// Octets as `xxd` shows them.

const LINE_OCTETS = 16;

/** Offset, octets, characters. */
export function dumpOf(hex: string): string {
  const pairs = hex.match(/[\da-f]{2}/gi) ?? [];
  return Array.from({ length: Math.ceil(pairs.length / LINE_OCTETS) }, (_, line) => {
    const part = pairs.slice(line * LINE_OCTETS, (line + 1) * LINE_OCTETS);
    const place = (line * LINE_OCTETS).toString(16).padStart(4, "0");
    const signs = String.fromCharCode(...part.map((pair) => Number.parseInt(pair, 16))).replace(/[^\x20-\x7e]/g, ".");
    return `${place}  ${part.join(" ").padEnd(LINE_OCTETS * 3 - 1)}  ${signs}`;
  }).join("\n");
}
