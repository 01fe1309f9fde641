// A log that prints only warnings and errors, to standard error.

import type { Log } from "../../src/base/log.ts";

const say = (fields: unknown, fact: string) => console.error(fact, fields);

export const silentLog: Log = { debug() {}, info() {}, warn: say, error: say };
