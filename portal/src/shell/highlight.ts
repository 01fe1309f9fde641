// Which choice of the palette is highlighted, the one that Enter opens.
//
// Guarantees: it stays the same one when others are put before it, as what the server finds is, until the text changes
// or an arrow key moves it. A new text highlights its first choice; so does the end of the highlighted one.

export interface Highlight {
  /** What was typed when this choice was highlighted. */
  readonly text: string;
  /** Undefined while there are no choices. */
  readonly id: string | undefined;
}

/** Returns the same value when nothing changes. */
export function highlightIn(before: Highlight, text: string, ids: readonly string[]): Highlight {
  const isKept = before.text === text && before.id !== undefined && ids.includes(before.id);
  const id = isKept ? before.id : ids[0];
  return before.text === text && before.id === id ? before : { text, id };
}

/** By 1 or -1; from the last choice to the first, and back. */
export function movedBy(step: number, { text, id }: Highlight, ids: readonly string[]): Highlight {
  const at = id === undefined ? -1 : ids.indexOf(id);
  return { text, id: ids[(at + step + ids.length) % Math.max(1, ids.length)] };
}
