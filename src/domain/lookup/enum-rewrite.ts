// The substitution of a NAPTR record (RFC 3402 3.2: `!ere!replacement!flags`), applied to a number.
//
// Guarantees: any text gives a value or `undefined`, in time bounded by (length of the rule) × (length of the number)².
// The rule comes from a name server that we do not trust, so it is not run by JavaScript's regular expressions, which
// can backtrack without bound. Not supported: alternation and quantified groups. Real rules do without them, and a rule
// we cannot parse is skipped, as RFC 6116 asks of rules that do not match.

const RULE_LENGTH_MAX = 255; // RFC 1035 3.3: a character-string is at most 255 octets.
const GROUPS_MAX = 9;

type Token =
  | { readonly kind: "start" | "end" }
  | { readonly kind: "open" | "close"; readonly group: number }
  | { readonly kind: "atom"; readonly matches: Matches; readonly min: number; readonly max: number };

type Matches = (character: string) => boolean;

/** The rewritten number; `undefined` when the rule does not match or is not supported. */
export function rewriteNumber(rule: string, number: string): string | undefined {
  if (rule.length > RULE_LENGTH_MAX) return undefined;
  const parts = splitRule(rule);
  if (!parts) return undefined;
  const tokens = parseEre(parts.ere);
  if (!tokens) return undefined;
  const groups = findMatch(tokens, number);
  return groups && expand(parts.replacement, groups);
}

function splitRule(rule: string): { ere: string; replacement: string } | undefined {
  const delimiter = rule[0];
  if (delimiter === undefined || /[\di\\]/i.test(delimiter)) return undefined;
  const parts = [""];
  for (let i = 1; i < rule.length; i++) {
    const character = rule.charAt(i);
    if (character === delimiter) parts.push("");
    else parts[parts.length - 1] += character === "\\" ? character + rule.charAt(++i) : character;
  }
  const [ere, replacement, flags, ...more] = parts;
  if (ere === undefined || replacement === undefined || flags === undefined || more.length > 0) return undefined;
  // The only flag is `i`, and a number has no case.
  return flags === "" || flags === "i" ? { ere, replacement } : undefined;
}

function parseEre(ere: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const open: number[] = [];
  let groups = 0;
  for (let at = 0; at < ere.length; ) {
    const character = ere.charAt(at);
    if (character === "^" || character === "$") {
      tokens.push({ kind: character === "^" ? "start" : "end" });
      at += 1;
    } else if (character === "(") {
      groups += 1;
      if (groups > GROUPS_MAX) return undefined;
      open.push(groups);
      tokens.push({ kind: "open", group: groups });
      at += 1;
    } else if (character === ")") {
      const group = open.pop();
      if (group === undefined) return undefined;
      tokens.push({ kind: "close", group });
      at += 1;
    } else {
      // A quantifier here stands behind a group, an anchor or another quantifier: readAtom refuses it.
      const atom = readAtom(ere, at);
      const times = atom && readQuantifier(ere, atom.end);
      if (!atom || !times) return undefined;
      tokens.push({ kind: "atom", matches: atom.matches, min: times.min, max: times.max });
      at = times.end;
    }
  }
  return open.length === 0 ? tokens : undefined;
}

function readAtom(ere: string, at: number): { matches: Matches; end: number } | undefined {
  const character = ere.charAt(at);
  if ("|*+?{}".includes(character)) return undefined;
  if (character === ".") return { matches: () => true, end: at + 1 };
  if (character === "[") return readBracket(ere, at + 1);
  if (character !== "\\") return { matches: (other) => other === character, end: at + 1 };
  const escaped = ere.charAt(at + 1);
  if (escaped === "d") return { matches: isDigit, end: at + 2 };
  if (escaped === "" || /[a-z\d]/i.test(escaped)) return undefined;
  return { matches: (other) => other === escaped, end: at + 2 };
}

function readBracket(ere: string, from: number): { matches: Matches; end: number } | undefined {
  const negated = ere.charAt(from) === "^";
  const first = negated ? from + 1 : from;
  const members: Matches[] = [];
  for (let at = first; at < ere.length; ) {
    // POSIX: a closing bracket that comes first stands for itself.
    if (ere.charAt(at) === "]" && at > first) {
      return { matches: (character) => members.some((matches) => matches(character)) !== negated, end: at + 1 };
    }
    if (ere.startsWith("[:digit:]", at)) {
      members.push(isDigit);
      at += "[:digit:]".length;
      continue;
    }
    const low = ere.charAt(at);
    if (low === "[" && /[:.=]/.test(ere.charAt(at + 1))) return undefined;
    const isRange = ere.charAt(at + 1) === "-" && at + 2 < ere.length && ere.charAt(at + 2) !== "]";
    const high = isRange ? ere.charAt(at + 2) : low;
    members.push((character) => low <= character && character <= high);
    at += isRange ? 3 : 1;
  }
  return undefined;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function readQuantifier(ere: string, at: number): { min: number; max: number; end: number } | undefined {
  const character = ere.charAt(at);
  if (character === "*") return { min: 0, max: Number.POSITIVE_INFINITY, end: at + 1 };
  if (character === "+") return { min: 1, max: Number.POSITIVE_INFINITY, end: at + 1 };
  if (character === "?") return { min: 0, max: 1, end: at + 1 };
  if (character !== "{") return { min: 1, max: 1, end: at };
  const [text, min, comma, max] = /^\{(\d{1,3})(,?)(\d{0,3})\}/.exec(ere.slice(at, at + 10)) ?? [];
  if (text === undefined || (comma === "" && max !== "")) return undefined;
  const end = at + text.length;
  if (comma === "") return { min: Number(min), max: Number(min), end };
  return { min: Number(min), max: max === "" ? Number.POSITIVE_INFINITY : Number(max), end };
}

/** The groups of the leftmost match. Atoms are greedy. To bound the work, a position that failed is not tried again. */
function findMatch(tokens: readonly Token[], subject: string): ReadonlyMap<number, string> | undefined {
  const opened = new Map<number, number>();
  const groups = new Map<number, string>();
  const failed = new Set<number>();

  const matchFrom = (index: number, at: number): boolean => {
    const token = tokens[index];
    if (!token) return true;
    const place = index * (subject.length + 1) + at;
    if (failed.has(place)) return false;
    const matched = matchToken(token, index, at);
    if (!matched) failed.add(place);
    return matched;
  };

  const matchToken = (token: Token, index: number, at: number): boolean => {
    switch (token.kind) {
      case "start":
        return at === 0 && matchFrom(index + 1, at);
      case "end":
        return at === subject.length && matchFrom(index + 1, at);
      case "open":
        opened.set(token.group, at);
        return matchFrom(index + 1, at);
      case "close": {
        const from = opened.get(token.group) ?? at;
        if (!matchFrom(index + 1, at)) return false;
        groups.set(token.group, subject.slice(from, at));
        return true;
      }
      case "atom": {
        let end = at;
        while (end < subject.length && end - at < token.max && token.matches(subject.charAt(end))) end += 1;
        for (; end - at >= token.min; end--) if (matchFrom(index + 1, end)) return true;
        return false;
      }
    }
  };

  for (let start = 0; start <= subject.length; start++) if (matchFrom(0, start)) return groups;
  return undefined;
}

function expand(replacement: string, groups: ReadonlyMap<number, string>): string | undefined {
  let text = "";
  for (let i = 0; i < replacement.length; i++) {
    const character = replacement.charAt(i);
    if (character !== "\\") {
      text += character;
      continue;
    }
    const escaped = replacement.charAt(++i);
    if (!isDigit(escaped)) {
      text += escaped;
      continue;
    }
    const group = groups.get(Number(escaped));
    if (group === undefined) return undefined;
    text += group;
  }
  return text;
}
