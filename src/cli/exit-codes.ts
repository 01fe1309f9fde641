// The exit codes of every command, for scripts.

export const EXIT = {
  fine: 0,
  /** The server refused, or the work could not be finished. */
  refused: 1,
  /** The command line or the files it names are wrong; no request was sent. */
  usage: 2,
  /** Ctrl-C, by the convention of shells. */
  interrupted: 130,
} as const;

/** A mistake that the user can correct; shown without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command cannot be carried out in the current state; shown without a stack. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}
