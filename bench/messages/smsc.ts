// The SMSC of both sides in its own process. With the argument `receipts` it sends one for every message. It answers
// requests for its counts.

import { Smsc } from "../../src/sandbox/smsc/smsc.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const receipts = process.argv.includes("receipts");
const smsc = await Smsc.listen({
  host: "127.0.0.1",
  port: 0,
  log,
  receipts,
  receiptDelayMs: 0,
  storesMessages: false,
  session: { windowMax: 1000 },
});
process.on("message", () => process.send?.(smsc.counts));
process.on("disconnect", () => process.exit(0));
process.send?.({ port: smsc.port });
