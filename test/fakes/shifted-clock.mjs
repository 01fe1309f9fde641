// Loaded into a server before its own code: its date can be shifted while it runs, as when somebody sets the machine's
// clock. By how many milliseconds is read from the file SHIFTED_CLOCK at SIGUSR2. Timers, the monotonic clock and the
// database stay as they are.

import { readFileSync } from "node:fs";

const RealDate = Date;
let shiftMs = 0;

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};

process.on("SIGUSR2", () => {
  shiftMs = Number(readFileSync(process.env.SHIFTED_CLOCK, "utf8"));
});
