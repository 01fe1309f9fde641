// Finds lines in a JSON text, so that people can find faults in it. Lines are counted from 1.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** Where a text stops being JSON; its last line when it is cut short. */
export function faultLine(text: string): number {
  let good = 0;
  for (let bad = text.length + 1; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return lineAt(text, good);
}

/** Whether something could follow that makes it JSON. */
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

/** Where a member or item of a JSON text begins, or what it should be in when there is none. */
export function memberLine(text: string, path: readonly PropertyKey[]): number {
  // The path of the value that comes next; undefined where a name comes next.
  const here: (string | number | undefined)[] = [];
  let found = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const inmost = here.at(-1);
    if (token === "}" || token === "]") here.pop();
    else if (token === ",") here[here.length - 1] = typeof inmost === "number" ? inmost + 1 : undefined;
    else if (token !== ":") {
      const isName = token.startsWith('"') && here.length > 0 && inmost === undefined;
      if (isName) here[here.length - 1] = JSON.parse(token) as string;
      if (here.every((step, at) => String(step) === String(path[at]))) found = index;
      if (token === "{" || token === "[") here.push(token === "[" ? 0 : undefined);
    }
  }
  return lineAt(text, found);
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}
