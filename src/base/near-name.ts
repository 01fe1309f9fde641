// Finds the existing name that was probably meant by an unknown one.

/** Undefined where no name is close: one letter in three may be wrong, missing, added or swapped with its neighbour. */
export function nearName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  return best && best.distance <= Math.max(1, Math.floor(given.length / 3)) ? best.name : undefined;
}

/** The Damerau-Levenshtein distance, restricted: a pair of neighbours is swapped at most once. */
function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(one.length, other.length);
}
