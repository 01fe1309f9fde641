import type { Log } from "../../src/base/log.ts";

/** For tests that do not look at what is logged. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
