// A path to one value inside a JSON answer: `carrier.name`, `results[0].type`, `[0].lrn`. Reads own members only, never
// inherited ones such as `constructor`.

export type JsonPath = readonly (string | number)[];

const STEP = /(?:^|\.)([^.[\]]+)|\[(\d{1,4})\]/y;

export function parseJsonPath(text: string): JsonPath | undefined {
  if (text.startsWith(".")) return undefined;
  const path: (string | number)[] = [];
  for (let at = 0; at < text.length; ) {
    STEP.lastIndex = at;
    const [step, name, index] = STEP.exec(text) ?? [];
    if (step === undefined) return undefined;
    path.push(name ?? Number(index));
    at += step.length;
  }
  return path.length > 0 ? path : undefined;
}

/** The value at the path; `undefined` when there is none. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    // A name never reads an array's own `length`.
    if (Array.isArray(value) && !/^\d+$/.test(String(step))) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
