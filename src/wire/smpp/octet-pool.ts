// For speed alone (`bench -- smpp` would notice): allocates small octet arrays from shared slabs. In V8 a separate
// array of more than 64 octets costs over a microsecond, more than all other work of coding a PDU. The price: a small
// array keeps its slab alive, so code that keeps octets for long copies them.

const ON_HEAP_MAX = 64;
const SLAB_SIZE = 8192;
const POOLED_MAX = SLAB_SIZE / 8;

let slab = new ArrayBuffer(SLAB_SIZE);
let used = 0;

/** Zeroed, and overlapping no other array. */
export function allocateOctets(length: number): Uint8Array {
  if (length <= ON_HEAP_MAX || length > POOLED_MAX) return new Uint8Array(length);
  if (used + length > SLAB_SIZE) {
    slab = new ArrayBuffer(SLAB_SIZE);
    used = 0;
  }
  used += length;
  return new Uint8Array(slab, used - length, length);
}
