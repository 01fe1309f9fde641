// Bounds a collection in memory: a Map or Set keeps the order of insertion, so its first keys are the oldest.

export function forgetOldest<Key>(remembered: Map<Key, unknown> | Set<Key>, sizeMax: number): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= sizeMax) return;
    remembered.delete(oldest);
  }
}
