// Syntax colours for code, by a few patterns per language. Total: text that matches no pattern is plain.

export type Language = "sh" | "ts" | "json" | "http" | "plain";

export interface Token {
  readonly text: string;
  /** `k` key or option, `s` text, `n` number, `w` word of the language, `c` comment, `h` head. */
  readonly kind?: "k" | "s" | "n" | "w" | "c" | "h";
}

type Kind = NonNullable<Token["kind"]>;

const WORDS = "import|from|const|await|async|new|for|of|if|return|export|type|let|function|process|true|false|null";

/** In order of precedence. */
const PATTERNS: Record<Language, readonly (readonly [Kind, RegExp])[]> = {
  plain: [],
  json: [
    ["k", /"(?:[^"\\]|\\.)*"(?=\s*:)/y],
    ["s", /"(?:[^"\\]|\\.)*"/y],
    ["n", /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y],
  ],
  sh: [
    ["c", /(?<=^|\n)#[^\n]*/y],
    ["h", /(?<=^|\n|\|\s)(?:curl|tandem|npm|npx|node|export|set|read|cd)\b/y],
    ["s", /'[^']*'|"(?:[^"\\]|\\.)*"/y],
    ["k", /(?<=\s)--?[A-Za-z][\w-]*/y],
  ],
  ts: [
    ["c", /\/\/[^\n]*/y],
    ["s", /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/y],
    ["w", new RegExp(`\\b(?:${WORDS})\\b`, "y")],
    ["k", /\b[A-Za-z_]\w*(?=:)/y],
    ["n", /\b\d[\d_.]*\b/y],
  ],
  http: [
    ["h", /(?<=^)[^\n]+/y],
    ["k", /(?<=\n)[A-Za-z][\w.-]*(?=:)/y],
  ],
};

const TEXT_MAX = 100_000;

export function tokensOf(text: string, language: Language): readonly Token[] {
  const patterns = PATTERNS[language];
  if (patterns.length === 0 || text.length > TEXT_MAX) return [{ text }];
  const tokens: Token[] = [];
  let plainFrom = 0;
  let at = 0;
  while (at < text.length) {
    const found = match(patterns, text, at);
    if (!found) {
      at += 1;
      continue;
    }
    if (plainFrom < at) tokens.push({ text: text.slice(plainFrom, at) });
    tokens.push(found);
    at += found.text.length;
    plainFrom = at;
  }
  if (plainFrom < text.length) tokens.push({ text: text.slice(plainFrom) });
  return tokens;
}

function match(patterns: readonly (readonly [Kind, RegExp])[], text: string, at: number): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return { text: found, kind };
  }
  return undefined;
}

/** Formats JSON; anything else stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
