/** A dependency is temporarily unreachable; a retry may succeed. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** It is certain that what was asked for was not done and will not be; otherwise nobody knows. */
  readonly isUndone: boolean;

  constructor(reason: string, { isUndone = false, ...options }: ErrorOptions & { readonly isUndone?: boolean } = {}) {
    super(reason, options);
    this.isUndone = isUndone;
  }
}
