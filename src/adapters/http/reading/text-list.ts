// Reads a list as forms write it: a repeated field, `[a,b]`, a JSON array, or a single item. Blank fields are no items.

/** A comma may be part of a URL, so only a comma before another scheme separates URLs. */
const BETWEEN_URLS = /,(?=\s*["']?[a-z][a-z0-9+.-]*:\/\/)/i;
const BEGINS_AS_URL = /^["']?[a-z][a-z0-9+.-]*:\/\//i;

export function splitList(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given.flatMap(splitOne) : splitOne(given);
}

/** A value that is not text is an item itself. */
function splitOne(given: unknown): readonly unknown[] {
  if (typeof given !== "string") return [given];
  const text = given.trim();
  if (text === "") return [];
  if (!text.startsWith("[") || !text.endsWith("]")) return [text];
  const json = jsonList(text);
  if (json) return json;
  const inside = text.slice(1, -1).trim();
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
