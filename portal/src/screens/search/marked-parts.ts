// The words of a search inside a text. The server compares without accents; what is marked is spelled as in the query.

export interface MarkedPart {
  readonly part: string;
  readonly isMarked: boolean;
  /** Where it begins in the text. */
  readonly at: number;
}

export function markedParts(text: string, query: string): readonly MarkedPart[] {
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [{ part: text, isMarked: false, at: 0 }];
  let at = 0;
  return text.split(new RegExp(`(${words.join("|")})`, "giu")).map((part, place) => {
    const begin = at;
    at += part.length;
    return { part, isMarked: place % 2 === 1, at: begin };
  });
}
