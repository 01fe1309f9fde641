// Prints calls as text for people.

import type { Call } from "../../../../sdk/src/index.ts";
import { print, printFields, printTable } from "../../output.ts";
import { timelineOf } from "./follow-call.ts";

export function printCalls(calls: readonly Call[]): void {
  printTable(
    ["Created", "Sid", "Direction", "From", "To", "Status", "End", "Seconds"],
    calls.map((call) => [
      call.createdOn,
      call.sid,
      call.direction,
      call.from,
      call.to,
      call.status,
      call.endReason ?? "-",
      call.durationSeconds === null ? "-" : String(call.durationSeconds),
    ]),
  );
}

export function printCall(call: Call): void {
  printFields({
    Sid: call.sid,
    Direction: call.direction,
    From: call.from,
    To: call.to,
    "Caller id": call.callerId,
    Status: call.status,
    End: call.endReason === null ? null : `${call.endReason}, by ${call.endedBy}`,
    Seconds: call.durationSeconds,
    ...(call.recordings && {
      Recording: `${call.recordings.status}, ${call.recordings.durationSeconds} s in ${call.recordings.segments.length} segments`,
    }),
  });
  print(`\n${timelineOf(call).join("\n")}\n\n`);
  printTable(
    ["Leg", "To", "Status", "SIP", "Codec", "Packets", "Lost", "MOS"],
    call.legs.map(({ leg, to, status, sipCode, media }) => [
      leg,
      to,
      status,
      sipCode === null ? "-" : String(sipCode),
      media?.codec ?? "-",
      media === null ? "-" : String(media.packetsReceived),
      media === null ? "-" : String(media.packetsLost),
      media === null ? "-" : media.mos.toFixed(1),
    ]),
  );
}
