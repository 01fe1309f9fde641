// Which element of the page shows which row, where the cells of a list hold no state: changing the text of an element
// costs less than creating an element.
//
// Guarantees: while most visible rows stay, each keeps its element and only new rows get new ones; when most of them
// are new, the rows take the existing elements in their order, so that none is moved. While an element is held (it has
// the focus, or the mouse is pressed on it), no element changes to another row.

/** In the order of the rows: the element number of each. */
export type RowElements = ReadonlyMap<string, number>;

export function elementsFor(ids: readonly string[], before: RowElements, isHeld: boolean): RowElements {
  const kept = ids.filter((id) => before.has(id)).length;
  const free = kept * 2 < ids.length && !isHeld ? [...before.values()] : [];
  let next = Math.max(-1, ...before.values()) + 1;
  const isReused = free.length > 0;
  return new Map(ids.map((id, at) => [id, (isReused ? free[at] : before.get(id)) ?? next++]));
}
