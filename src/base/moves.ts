// State tables: from → move → to. A move that is not in a status's row changes nothing.

export type Moves<From extends string, Move extends string, To extends string = From> = Readonly<
  Record<From, Readonly<Partial<Record<Move, To>>>>
>;

/** The statuses from which each of these moves may be made. */
export function sourcesOf<From extends string, Move extends string>(
  table: Moves<From, Move, string>,
  moves: readonly Move[],
): readonly From[] {
  return (Object.keys(table) as From[]).filter((from) => moves.every((move) => table[from][move] !== undefined));
}
