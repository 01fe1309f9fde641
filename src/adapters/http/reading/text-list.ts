// Reads a list as forms write it: a repeated field, `[a,b]`, `a,b`, a JSON array, or a single item. Blank fields are
// skipped.

/** A comma may be part of a URL, so only a comma before another scheme separates URLs. */
const BETWEEN_URLS = /,(?=\s*["']?[a-z][a-z0-9+.-]*:\/\/)/i;
const BEGINS_AS_URL = /^["']?[a-z][a-z0-9+.-]*:\/\//i;

export function splitList(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given.flatMap((item) => splitOne(item, false)) : splitOne(given, true);
}

/** A value that is not text is an item itself. In a list, commas separate only within brackets. */
function splitOne(given: unknown, isAlone: boolean): readonly unknown[] {
  if (typeof given !== "string") return [given];
  const text = given.trim();
  if (text === "") return [];
  const isBracketed = text.startsWith("[") && text.endsWith("]");
  if (!isBracketed && !isAlone) return [text];
  const json = isBracketed ? jsonList(text) : undefined;
  if (json) return json;
  const inside = isBracketed ? text.slice(1, -1).trim() : text;
  if (inside === "") return [];
  const items = inside.split(BEGINS_AS_URL.test(inside) ? BETWEEN_URLS : ",");
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

function jsonList(text: string): readonly string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === "string") ? parsed : undefined;
  } catch {
    return undefined;
  }
}
