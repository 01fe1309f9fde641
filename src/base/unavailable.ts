/** Something we depend on is out of reach just now; asking again later may succeed. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
