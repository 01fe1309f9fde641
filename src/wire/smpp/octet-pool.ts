// Small octet arrays cut from slabs. An array of its own costs V8 over a microsecond once it is longer than 64 octets, which is more than all
// the rest of coding a PDU. The price: a small array keeps its slab alive, so what is kept for long is copied.

const ON_HEAP_MAX = 64;
const SLAB_SIZE = 8192;
const POOLED_MAX = SLAB_SIZE / 8;

let slab = new ArrayBuffer(SLAB_SIZE);
let used = 0;

/** Zeroed, and shared with nobody. */
export function allocateOctets(length: number): Uint8Array {
  if (length <= ON_HEAP_MAX || length > POOLED_MAX) return new Uint8Array(length);
  if (used + length > SLAB_SIZE) {
    slab = new ArrayBuffer(SLAB_SIZE);
    used = 0;
  }
  used += length;
  return new Uint8Array(slab, used - length, length);
}
