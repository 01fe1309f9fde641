/** A dependency is temporarily unreachable; a retry may succeed. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
