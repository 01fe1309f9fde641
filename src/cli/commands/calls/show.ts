// `tandem calls show`: a call, its legs and the reasons for its outcome, for an account and for operators who read one.

import type { Command } from "commander";
import type { Call } from "../../../../sdk/src/index.ts";
import type { AccountFlags, Reader } from "../../account-options.ts";
import { print, printFields, printJson, printTable, say } from "../../output.ts";
import { timelineOf } from "./follow-call.ts";

export function addShowCommand(calls: Command, { addOptions, viewOf }: Reader): void {
  const command = calls
    .command("show")
    .description("Show a call with its legs, and why it went as it did.")
    .argument("<sid>", "the call")
    .option("--json", "print JSON");
  addOptions(command).action(async (sid: string, flags: AccountFlags) => {
    const { calls: reading } = viewOf(flags);
    const { data: call } = await reading.get(sid);
    if (flags.json) {
      printJson(call);
      return;
    }
    const { data: trail } = await reading.why(sid);
    printCall(call);
    print(`\n${trail.summary.what} ${trail.summary.why}\n`);
    if (trail.summary.advice !== null) say(`→ ${trail.summary.advice}`);
  });
}

function printCall(call: Call): void {
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
