// Finds where a text may be split without splitting a grapheme cluster (what a reader sees as one character).
//
// Extended grapheme clusters of UAX #29 as of Unicode 10, with the departures of the splitter that Twilio's segment
// calculator uses, because our counts must agree with it. Each departure is marked. Linear in the length of any text.

import { GRAPHEME_BREAK } from "./grapheme-table.ts";

const OTHER = 0;
const CONTROL = 1;
const EXTEND = 2;
const SPACING_MARK = 3;
const PREPEND = 4;
const HANGUL_L = 5;
const HANGUL_V = 6;
const HANGUL_T = 7;
const HANGUL_LV = 8;
const HANGUL_LVT = 9;
const EMOJI_BASE = 10;
const EMOJI_BASE_GLUE = 11;
const EMOJI_MODIFIER = 12;
const GLUE_AFTER_JOINER = 13;
const REGIONAL = 14;
const JOINER = 15;

const CLASS_OF: Readonly<Record<keyof typeof GRAPHEME_BREAK, number>> = {
  control: CONTROL,
  extend: EXTEND,
  spacingMark: SPACING_MARK,
  prepend: PREPEND,
  hangulL: HANGUL_L,
  hangulV: HANGUL_V,
  hangulT: HANGUL_T,
  emojiBase: EMOJI_BASE,
  emojiBaseGlue: EMOJI_BASE_GLUE,
  emojiModifier: EMOJI_MODIFIER,
  glueAfterJoiner: GLUE_AFTER_JOINER,
  regionalIndicator: REGIONAL,
  joiner: JOINER,
};

/** Below this code point only CR LF would form a cluster, and here those two count separately. */
const FIRST_COMBINING = 0x300;

const RANGES = Object.entries(GRAPHEME_BREAK)
  .flatMap(([name, list]) => list.split(" ").map((range) => readRange(CLASS_OF[name as keyof typeof CLASS_OF], range)))
  .sort((one, other) => one.first - other.first);
const FIRSTS = Uint32Array.from(RANGES, ({ first }) => first);
const LASTS = Uint32Array.from(RANGES, ({ last }) => last);
const CLASSES = Uint8Array.from(RANGES, ({ breakClass }) => breakClass);

function readRange(breakClass: number, range: string) {
  const [first = "", last = first] = range.split("-");
  return { breakClass, first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
}

function classOf(codePoint: number): number {
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return (codePoint - 0xac00) % 28 === 0 ? HANGUL_LV : HANGUL_LVT;
  let low = 0;
  let high = FIRSTS.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < (FIRSTS[middle] as number)) high = middle - 1;
    else if (codePoint > (LASTS[middle] as number)) low = middle + 1;
    else return CLASSES[middle] as number;
  }
  return OTHER;
}

/** The index after the cluster that begins at `start`. */
export function clusterEnd(text: string, start: number): number {
  let at = start + unitsAt(text, start);
  if (at >= text.length) return text.length;
  if (text.charCodeAt(start) < FIRST_COMBINING && text.charCodeAt(at) < FIRST_COMBINING) return at;

  let previous = classOf(text.codePointAt(start) as number);
  let beforeLastExtend = OTHER;
  let hasExtend = previous === EXTEND;
  let count = 1;
  let regionals = 0; // after the first character
  let onlyRegionals = true; // from the second character up to the last regional indicator
  while (at < text.length) {
    const next = classOf(text.codePointAt(at) as number);
    // Departure: a flag is followed by at most one combining mark.
    const isFlagOver = regionals > 0 && onlyRegionals && previous !== PREPEND && previous !== REGIONAL;
    if (isFlagOver || !sticks(previous, next, hasExtend, beforeLastExtend, regionals)) return at;
    if (next === EXTEND) {
      hasExtend = true;
      beforeLastExtend = previous;
    } else if (next === REGIONAL) {
      if (regionals !== count - 1) onlyRegionals = false;
      regionals++;
    }
    previous = next;
    count++;
    at += unitsAt(text, at);
  }
  return at;
}

function sticks(previous: number, next: number, hasExtend: boolean, beforeLastExtend: number, regionals: number) {
  if (previous === CONTROL || next === CONTROL) return false; // GB4, GB5. Departure from GB3: CR LF is split.
  switch (next) {
    case EXTEND: // GB9
    case JOINER:
    case SPACING_MARK: // GB9a
      return true;
    case HANGUL_L: // GB6
    case HANGUL_LV:
    case HANGUL_LVT:
      if (previous === HANGUL_L) return true;
      break;
    case HANGUL_V: // GB6, GB7
      if (previous === HANGUL_L || previous === HANGUL_LV || previous === HANGUL_V) return true;
      break;
    case HANGUL_T: // GB7, GB8
      if (previous >= HANGUL_V && previous <= HANGUL_LVT) return true;
      break;
  }
  if (previous === PREPEND) return true; // GB9b
  if (next === EMOJI_MODIFIER) {
    // GB10. Departure: at most one mark may stand between base and modifier, and any earlier mark counts as that one.
    const base = hasExtend ? (previous === EXTEND ? beforeLastExtend : OTHER) : previous;
    return base === EMOJI_BASE || base === EMOJI_BASE_GLUE;
  }
  if (next === GLUE_AFTER_JOINER || next === EMOJI_BASE_GLUE) return previous === JOINER; // GB11
  // GB12, GB13. Departure: indicators after a prepended mark are not paired.
  return next === REGIONAL && previous === REGIONAL && regionals === 0;
}

/** 2 for a surrogate pair, 1 for anything else, including a lone surrogate. */
function unitsAt(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}
