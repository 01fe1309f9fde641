// Recordings. The small account's are of calls of three seconds; the greedy account has eight of four hours each, which
// are put into the queue of the encoders as if their calls had just ended.

import { closeSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { databaseOf } from "../../test/tandem-database.ts";
import { conversation } from "../recordings/conversation.ts";
import { Ear } from "./ear.ts";
import type { Part } from "./part.ts";
import { sleep } from "./repeat.ts";
import { startTenants, type Tenant } from "./tenants.ts";

/** Telephones of the sandbox. */
const ANSWERS_AT_ONCE = "+14155550111";
const HANGS_UP = "+14155550107";
const BUSY = "+14155550101";

const GREEDY_RECORDINGS = 8;
const SAMPLES_PER_SECOND = 8_000;
const PIECE_SECONDS = 300;
const HOURS = 4;
const LOOK_MS = 200;

interface Placed {
  readonly sid: string;
  readonly status: string;
}

export async function startRecordings(): Promise<Part> {
  const { tandem, small, greedy, close } = await startTenants();
  const database = databaseOf(tandem);
  const ear = await Ear.open(small);
  const folder = join(tandem.dataDir, "recordings");
  const audio = join(tandem.dataDir, "four-hours.ulaw2");
  writeAudio(audio);
  mkdirSync(join(folder, "raw"), { recursive: true });
  let calls: readonly string[] = [];

  /** A call that has ended. */
  const endedCall = async () => {
    const { sid } = await greedy.post<Placed>("/v1/Voice/Calls", { from: ANSWERS_AT_ONCE, to: BUSY });
    while ((await greedy.call<Placed>(`/v1/Voice/Calls/${sid}`)).status !== "Completed") await sleep(LOOK_MS);
    return sid;
  };
  const recordAs = async (callSid: string) => {
    const sid = callSid.replace("CA", "RE");
    linkSync(audio, join(folder, "raw", `${sid}-1.ulaw2`));
    await database.query(
      `with recording as (
         insert into call_recordings (sid, call_sid, account_sid, status) values ($1, $2, $3, 'Processing') returning sid)
       insert into recording_segments (recording_sid, account_sid, index, started_at, raw_file, raw_host, samples, state, due_at)
       select sid, $3, 1, now(), sid || '-1.ulaw2', $4, $5, 'Waiting', now() from recording`,
      [sid, callSid, greedy.sid, readFileSync(join(folder, "host"), "utf8").trim(), HOURS * 3_600 * SAMPLES_PER_SECOND],
    );
  };

  return {
    everyMs: 1_000,
    async ask() {
      const sid = await recordedCall(small);
      await ear.event(({ payload: { CallSid, Status } }) => CallSid === sid && Status === "Completed");
      return [ear.event(({ type, payload }) => type === "CallRecordingCompleted" && payload.CallSid === sid)];
    },
    async crowd() {
      calls = await Promise.all(Array.from({ length: GREEDY_RECORDINGS }, endedCall));
      for (const callSid of calls) await recordAs(callSid);
      while (encodersOf(tandem.pid).length === 0) await sleep(LOOK_MS);
    },
    async calm() {
      for (const sid of calls) await greedy.call(`/v1/Voice/Calls/${sid}`, { method: "DELETE" });
      // An encoder would work on for minutes on a recording that is gone.
      for (const pid of encodersOf(tandem.pid)) process.kill(pid, "SIGKILL");
    },
    async close() {
      ear.close();
      await database.close();
      await close();
    },
  };
}

const recordedCall = async (tenant: Tenant) =>
  (await tenant.post<Placed>("/v1/Voice/Calls", { from: ANSWERS_AT_ONCE, to: HANGS_UP, record: true })).sid;

function writeAudio(file: string): void {
  const piece = conversation(PIECE_SECONDS);
  const handle = openSync(file, "w");
  for (let seconds = 0; seconds < HOURS * 3_600; seconds += PIECE_SECONDS) writeSync(handle, piece);
  closeSync(handle);
}

/** The encoders that this server has started. */
function encodersOf(server: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
        return parent === server && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("mp3-encoder");
      } catch {
        return false;
      }
    });
}
