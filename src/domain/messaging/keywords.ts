// The keywords by which subscribers opt out, opt in or ask for help. The whole message must be the keyword; case,
// punctuation anywhere and spaces around it are ignored. A MessagingConfig may have further ones; none of them changes
// what the usual ones mean.

export interface Keyword {
  readonly kind: "optOut" | "optIn" | "help";
  readonly word: string;
}

/** As `bareWord` makes them. */
export type FurtherKeywords = Readonly<Record<Keyword["kind"], readonly string[]>>;

const KINDS = ["optOut", "optIn", "help"] as const satisfies readonly Keyword["kind"][];

const USUAL: Readonly<Record<Keyword["kind"], ReadonlySet<string>>> = {
  optOut: new Set([
    ...["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"],
    ...["ARRET", "ARRÊT", "ALTO", "PARAR", "BAJA"],
  ]),
  optIn: new Set(["START", "UNSTOP"]),
  help: new Set(["HELP", "INFO", "AIDE", "AYUDA"]),
};
/** More than the longest keyword with punctuation. */
const LENGTH_MAX = 64;

/** Upper case, without punctuation, one space between words; empty when nothing is left. */
export function bareWord(text: string): string {
  const bare = text.normalize("NFKC").replace(/[\p{P}\p{S}\p{Cf}\p{Cc}]/gu, "");
  const joined = bare.trim().toUpperCase().split(/\s+/).join(" ");
  return joined === "OPT OUT" ? "OPTOUT" : joined === "STOP ALL" ? "STOPALL" : joined;
}

/** What a word means in every config. */
export function usualKind(word: string): Keyword["kind"] | undefined {
  return KINDS.find((kind) => USUAL[kind].has(word));
}

/** `YES` is a keyword only for a subscriber who has opted out. */
export function keywordOf(text: string, isOptedOut: boolean, further: FurtherKeywords): Keyword | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const word = bareWord(text);
  if (word === "YES" && isOptedOut) return { kind: "optIn", word };
  const kind = usualKind(word) ?? KINDS.find((kind) => further[kind].includes(word));
  return kind && { kind, word };
}

/** Used when the config has no text of its own. */
export const DEFAULT_REPLIES = {
  optOut: "You have been unsubscribed and will get no more messages from this number. Reply START to get them again.",
  optIn: "You are subscribed again. Reply STOP to unsubscribe, HELP for help.",
  help: "Reply STOP to unsubscribe. Message and data rates may apply.",
} as const;
