/** A dependency is temporarily unreachable; a retry may succeed. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** True: the request was certainly not carried out, and will not be. False: the outcome is unknown. */
  readonly isUndone: boolean;

  constructor(reason: string, { isUndone = false, ...options }: ErrorOptions & { readonly isUndone?: boolean } = {}) {
    super(reason, options);
    this.isUndone = isUndone;
  }
}
