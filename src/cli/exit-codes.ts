// How every command ends, for scripts.

export const EXIT = {
  fine: 0,
  /** The server refused, or the work could not be finished. */
  refused: 1,
  /** The command line or the files it names are wrong; nothing was asked of the server. */
  usage: 2,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;

/** Thrown where the person at the keyboard can put it right; shown without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for cannot be done as things stand; shown without a stack. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}
