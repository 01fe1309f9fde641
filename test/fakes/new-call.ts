// Calls for tests of the store and of the call desk.

import type { Call } from "../../src/domain/voice/index.ts";

export function newCall(changes: Partial<Call> & Pick<Call, "sid" | "accountSid">): Call {
  const createdOn = changes.createdOn ?? new Date();
  return {
    direction: "Inbound",
    from: "+14155550101",
    to: "+14155550100",
    callerId: "+14155550101",
    status: "Ringing",
    endReason: null,
    endedBy: null,
    createdOn,
    answeredOn: null,
    completedOn: null,
    legs: [
      {
        sid: `LG${changes.sid.slice(2)}`,
        leg: "First",
        direction: "Inbound",
        from: "+14155550101",
        to: "+14155550100",
        status: "Ringing",
        rangOn: createdOn,
        answeredOn: null,
        completedOn: null,
        endReason: null,
        sipCode: null,
        media: null,
      },
    ],
    recording: null,
    programRecordings: [],
    ...changes,
  };
}
