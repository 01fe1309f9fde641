// The types of runtime-flags.mjs, for tests and benchmarks.

export const RUNTIME_FLAGS: readonly string[];
