// Loaded into a server before its own code: shifts its date, as when the machine's clock is wrong, and can shift it
// while it runs, as when an administrator sets the clock. The shift in milliseconds is read from the file
// SHIFTED_CLOCK, which may be missing, at the start and at SIGUSR2. Timers, the monotonic clock and the database are
// unchanged.

import { existsSync, readFileSync } from "node:fs";

const RealDate = Date;
const readShift = () =>
  existsSync(process.env.SHIFTED_CLOCK) ? Number(readFileSync(process.env.SHIFTED_CLOCK, "utf8")) : 0;
let shiftMs = readShift();

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
  shiftMs = readShift();
});
