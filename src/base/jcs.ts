// JSON Canonicalization Scheme (RFC 8785): one text for a JSON value, so that two parties can sign the same parsed
// value. Takes what JSON.parse returns. Returns undefined for a value without a canonical text: a lone surrogate
// (3.2.2.2), a number that is not finite (3.2.2.3), a value that is not JSON, and nesting deeper than DEPTH_MAX.

const DEPTH_MAX = 32;

export function canonicalJson(value: unknown): string | undefined {
  return canonicalAt(value, 0);
}

function canonicalAt(value: unknown, depth: number): string | undefined {
  if (depth > DEPTH_MAX) return undefined;
  switch (typeof value) {
    case "string":
      // 3.2.2.2: strings are written as ECMAScript writes them.
      return value.isWellFormed() ? JSON.stringify(value) : undefined;
    case "number":
      // 3.2.2.3: numbers too; minus zero is "0".
      return Number.isFinite(value) ? JSON.stringify(value) : undefined;
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? canonicalArray(value, depth) : canonicalObject(value, depth);
    default:
      return undefined;
  }
}

function canonicalArray(values: readonly unknown[], depth: number): string | undefined {
  const texts: string[] = [];
  for (const value of values) {
    const text = canonicalAt(value, depth + 1);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return `[${texts.join(",")}]`;
}

function canonicalObject(object: object, depth: number): string | undefined {
  const texts: string[] = [];
  // 3.2.3: members in the order of their names' UTF-16 code units, which is how sort() compares.
  for (const name of Object.keys(object).sort()) {
    const nameText = canonicalAt(name, depth);
    const text = canonicalAt((object as Readonly<Record<string, unknown>>)[name], depth + 1);
    if (nameText === undefined || text === undefined) return undefined;
    texts.push(`${nameText}:${text}`);
  }
  return `{${texts.join(",")}}`;
}
