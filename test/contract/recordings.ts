// Recordings as the API and its events show them, and one that failed after all attempts.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { rawTones } from "../fakes/raw-segment.ts";
import { json } from "../tandem.ts";
import type { UsedTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { answerOf, SOON } from "./numbers.ts";

export interface RecordedCall {
  readonly sid: string;
  readonly status: string;
  readonly recordings: {
    readonly sid: string;
    readonly status: string;
    readonly durationSeconds: number;
    readonly segments: readonly {
      readonly index: number;
      readonly durationSeconds: number | null;
      readonly sizeBytes: number | null;
      readonly sha256: string | null;
      readonly url: string | null;
    }[];
  };
}

export interface RecordingEvent {
  readonly CallSid: string;
  readonly RecordingSid: string;
  readonly DurationSeconds: number;
  readonly Segments: readonly {
    readonly Index: number;
    readonly DurationSeconds: number;
    readonly SizeBytes: number;
    readonly Sha256: string;
    readonly Url: string;
  }[];
}

/** A call that has ended and whose recording failed after all attempts; its raw audio was kept. */
export async function failedRecording(
  tandem: UsedTandem,
  account: Pick<TestAccount, "sid" | "call">,
  reason: string,
): Promise<{ readonly callSid: string; readonly sid: string }> {
  const order = { from: "+14155550111", to: "+14155550101" };
  const placed = await account.call("/v1/Voice/Calls", json("POST", order));
  const { sid: callSid } = await answerOf<RecordedCall>(placed, 201);
  const statusOf = async () =>
    (await answerOf<RecordedCall>(await account.call(`/v1/Voice/Calls/${callSid}`), 200)).status;
  await expect.poll(statusOf, SOON).toBe("Completed");
  const sid = callSid.replace("CA", "RE");
  const folder = join(tandem.dataDir, "recordings");
  mkdirSync(join(folder, "raw"), { recursive: true });
  writeFileSync(join(folder, "raw", `${sid}-1.ulaw2`), rawTones(8_000, 440, 1_000));
  await tandem.database.query(
    `with recording as (
       insert into call_recordings (sid, call_sid, account_sid, status, fault) values ($1, $2, $3, 'Failed', $4) returning sid)
     insert into recording_segments (recording_sid, account_sid, index, started_at, raw_file, raw_host, samples, state, attempts, fault)
     select sid, $3, 1, now(), sid || '-1.ulaw2', $5, 8000, 'Failed', 5, $4 from recording`,
    [sid, callSid, account.sid, reason, readFileSync(join(folder, "host"), "utf8").trim()],
  );
  return { callSid, sid };
}
