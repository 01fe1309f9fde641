// Node's options for the server, however it is started: by `npm start`, by `./tandem`, by tests and by benchmarks.

/**
 * A larger young generation: otherwise a busy server spends much of its time copying objects that live for one request,
 * and a starting one copies what it loads.
 */
export const RUNTIME_FLAGS = ["--min-semi-space-size=16", "--max-semi-space-size=32"];
