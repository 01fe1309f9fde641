import type { Log } from "../../src/base/log.ts";

/** For tests that do not check the log. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
