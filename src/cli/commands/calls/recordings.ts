// `tandem calls recordings download`: waits for the recording while it is being prepared.

import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { Call, TandemClient } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { parseCount } from "../../arguments.ts";
import { RefusedError } from "../../exit-codes.ts";
import { writeNew } from "../../whole-files.ts";

const POLL_MS = 500;

interface RecordingFlags extends AccountFlags {
  readonly out?: string;
}

export function addDownloadCommand(recordings: Command): void {
  const command = recordings
    .command("download")
    .description("Download the recording of a call as MP3. Waits while it is being prepared.")
    .argument("<sid>", "the call")
    .argument("[index]", "which segment, where the recording was paused; from 1", parseCount)
    .option("-o, --out <file>", "where to; - is standard output, SID-INDEX.mp3 by default")
    .option("--json", "print what was downloaded as JSON");
  addAccountOptions(command).action(async (sid: string, index: number | undefined, flags: RecordingFlags) => {
    const client = clientOf(flags);
    const segment = segmentOf(await prepared(client, sid), index);
    const { data: bytes } = await client.calls.recording(sid, segment.index);
    const path = flags.out ?? `${sid}-${segment.index}.mp3`;
    const text = `: ${segment.durationSeconds} s, ${bytes.length} octets`;
    await writeNew({ path, bytes, about: segment, text }, flags);
  });
}

async function prepared(client: TandemClient, sid: string): Promise<Call> {
  for (;;) {
    const { data: call } = await client.calls.get(sid);
    if (call.recordings?.status !== "Processing") return call;
    await delay(POLL_MS);
  }
}

type Segment = NonNullable<Call["recordings"]>["segments"][number];

function segmentOf({ recordings }: Call, index: number | undefined): Segment {
  if (!recordings) throw new RefusedError("The call was not recorded.");
  const { status, segments } = recordings;
  if (segments.length === 0) throw new RefusedError(`Nothing was recorded (${status}).`);
  if (index === undefined && segments.length > 1) {
    throw new RefusedError(`There are ${segments.length} segments: name one of them, from 1.`);
  }
  const found = segments.find((segment) => segment.index === (index ?? 1));
  if (!found) throw new RefusedError(`There is no segment ${index}; the last is ${segments.length}.`);
  if (found.sha256 === null) throw new RefusedError(`Segment ${found.index} has no file (${status}).`);
  return found;
}
