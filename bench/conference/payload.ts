// The codec of each leg of the conference benchmark.

/** RFC 3551: 0 is PCMU, 8 is PCMA. Half of the legs have PCMA, and both of a call have the same. */
export function payloadOf(leg: number): 0 | 8 {
  return leg % 4 < 2 ? 0 : 8;
}
