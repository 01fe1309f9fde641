// Splits a text into the parts that are spoken one by one, so that the first is heard while the next is made: whole
// sentences, short ones together, a long one at a comma or else at a space.

const PART_MAX = 240;
/** Shorter sentences are joined with the next, so that a part plays for long enough to make the next one. */
const PART_MIN = 60;

/** Ends a sentence if a space or nothing follows. That is checked apart, so that each character is examined once. */
const END = /[.!?…。！？]+["'”’)\]]*/gu;

export function sentencesOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (const piece of piecesOf(text).flatMap((sentence) => cut(sentence.trim()))) {
    const last = parts.at(-1);
    if (last !== undefined && last.length < PART_MIN && last.length + piece.length < PART_MAX) {
      parts[parts.length - 1] = `${last} ${piece}`;
    } else parts.push(piece);
  }
  return parts;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(END)) {
    const end = index + found.length;
    if (end < text.length && !/\s/.test(text.charAt(end))) continue;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}

function cut(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > PART_MAX) {
    const head = rest.slice(0, PART_MAX);
    const comma = Math.max(head.lastIndexOf(", "), head.lastIndexOf("; "), head.lastIndexOf(": ")) + 1;
    const space = head.lastIndexOf(" ");
    const end = comma > PART_MIN ? comma : space > 0 ? space : wholeCharacters(head);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  if (rest !== "") parts.push(rest);
  return parts;
}

/** The length at which a cut does not split a surrogate pair. */
function wholeCharacters(head: string): number {
  return /[\ud800-\udbff]$/.test(head) ? head.length - 1 : head.length;
}
