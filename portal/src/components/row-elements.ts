// Which element of the page shows which row, where the cells of a list hold no state of their own: to change the words
// of an element costs less than to make one anew.
//
// Guarantees: while most rows in sight stay, each keeps its element and only new rows get new ones; where most of them
// are new, the rows take the elements that are there in their order, so that none of them is moved. While an element is
// held (it has the focus, or the mouse is pressed on it), none becomes that of another row.

/** In the order of the rows: the number of the element of each. */
export type RowElements = ReadonlyMap<string, number>;

export function elementsFor(ids: readonly string[], before: RowElements, isHeld: boolean): RowElements {
  const kept = ids.filter((id) => before.has(id)).length;
  const free = kept * 2 < ids.length && !isHeld ? [...before.values()] : [];
  let next = Math.max(-1, ...before.values()) + 1;
  const isReused = free.length > 0;
  return new Map(ids.map((id, at) => [id, (isReused ? free[at] : before.get(id)) ?? next++]));
}
