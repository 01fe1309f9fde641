/** How a thing's status may move: from → why → to. A move that a status does not name changes nothing. */
export type Moves<From extends string, Move extends string, To extends string = From> = Readonly<
  Record<From, Readonly<Partial<Record<Move, To>>>>
>;
