// The keywords by which subscribers opt out, opt in or ask for help. The whole message must be the keyword; case,
// punctuation anywhere and spaces around it are ignored.

export type Keyword =
  | { readonly kind: "optOut"; readonly word: string }
  | { readonly kind: "optIn"; readonly word: string }
  | { readonly kind: "help"; readonly word: string };

const OPT_OUT = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const OPT_IN = new Set(["START", "UNSTOP"]);
const HELP = new Set(["HELP", "INFO"]);
/** More than the longest keyword with punctuation. */
const LENGTH_MAX = 64;

/** `YES` is a keyword only for a subscriber who has opted out. */
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

/** Used when the config has no text of its own. */
export const DEFAULT_REPLIES = {
  optOut: "You have been unsubscribed and will get no more messages from this number. Reply START to get them again.",
  optIn: "You are subscribed again. Reply STOP to unsubscribe, HELP for help.",
  help: "Reply STOP to unsubscribe. Message and data rates may apply.",
} as const;
