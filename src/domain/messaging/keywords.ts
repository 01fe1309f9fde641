// Words that subscribers send to stop, start or understand. The whole message must be the word; case, spaces and punctuation around
// and inside it do not count.

export type Keyword =
  | { readonly kind: "optOut"; readonly word: string }
  | { readonly kind: "optIn"; readonly word: string }
  | { readonly kind: "help"; readonly word: string };

const OPT_OUT = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const OPT_IN = new Set(["START", "UNSTOP"]);
const HELP = new Set(["HELP", "INFO"]);
/** The longest word, with room for punctuation. */
const LENGTH_MAX = 64;

/** `isOptedOut` matters for `YES`, which means nothing to somebody who gets messages already. */
export function keywordOf(text: string, isOptedOut: boolean): Keyword | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const bare = text.normalize("NFKC").replace(/[\p{P}\p{S}\p{Cf}\p{Cc}]/gu, "");
  const words = bare.trim().toUpperCase().split(/\s+/);
  const joined = words.join(" ");
  const word = joined === "OPT OUT" ? "OPTOUT" : joined === "STOP ALL" ? "STOPALL" : joined;
  if (OPT_OUT.has(word)) return { kind: "optOut", word };
  if (OPT_IN.has(word) || (word === "YES" && isOptedOut)) return { kind: "optIn", word };
  if (HELP.has(word)) return { kind: "help", word };
  return undefined;
}

/** Sent when the config has no text of its own. */
export const DEFAULT_REPLIES = {
  optOut: "You have been unsubscribed and will get no more messages from this number. Reply START to get them again.",
  optIn: "You are subscribed again. Reply STOP to unsubscribe, HELP for help.",
  help: "Reply STOP to unsubscribe. Message and data rates may apply.",
} as const;
