// Finds the line and column of a fault in a JSON text. Lines and columns are counted from 1.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Where a text stops being JSON, and the character there; undefined when the text is cut short. */
export function faultPlace(text: string): TextPlace & { readonly character: string | undefined } {
  let good = 0;
  for (let bad = text.length + 1; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return { ...placeAt(text, good), character: text[good] };
}

/** Whether the text could be continued to valid JSON. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, place] = /at position (\d+)/.exec(message) ?? [];
    return place === undefined ? message.includes("end of JSON input") : Number(place) >= text.length;
  }
}

/** The line where a member or item of a JSON text begins, or where its innermost existing parent does. */
export function memberLine(text: string, path: readonly PropertyKey[]): number {
  let found = 0;
  for (const { path: here, index } of membersOf(text)) {
    if (here.every((step, at) => String(step) === String(path[at]))) found = index;
  }
  return placeAt(text, found).line;
}

interface RepeatedMember {
  readonly path: readonly PropertyKey[];
  readonly line: number;
}

/** Members whose object has an earlier member of the same name. */
export function repeatedMembers(text: string): readonly RepeatedMember[] {
  const seen = new Set<string>();
  const repeated: RepeatedMember[] = [];
  for (const { path, index, isName } of membersOf(text)) {
    const isBelow = repeated.some(
      ({ path: above }) => above.length < path.length && above.every((step, at) => step === path[at]),
    );
    if (!isName || isBelow) continue;
    const key = JSON.stringify(path);
    if (seen.has(key)) repeated.push({ path, line: placeAt(text, index).line });
    seen.add(key);
  }
  return repeated;
}

interface Member {
  readonly path: readonly (string | number)[];
  readonly index: number;
  /** Whether this is the name of a member, whose value comes next. */
  readonly isName: boolean;
}

/** All names, values and items, in the order of the text. */
function* membersOf(text: string): Generator<Member> {
  // The path of the value that comes next; undefined where a name comes next.
  const here: (string | number | undefined)[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const inmost = here.at(-1);
    if (token === "}" || token === "]") here.pop();
    else if (token === ",") here[here.length - 1] = typeof inmost === "number" ? inmost + 1 : undefined;
    else if (token !== ":") {
      const isName = token.startsWith('"') && here.length > 0 && inmost === undefined;
      if (isName) here[here.length - 1] = JSON.parse(token) as string;
      yield { path: [...here] as (string | number)[], index, isName };
      if (token === "{" || token === "[") here.push(token === "[" ? 0 : undefined);
    }
  }
}

function placeAt(text: string, place: number): TextPlace {
  const lines = text.slice(0, place).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
