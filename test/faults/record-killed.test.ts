// kill -9 of the server while a program records a caller: the recording is finished by the next server, has lost a
// second at most, and has one event.

import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, take, WIDE } from "../contract/numbers.ts";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

/** Answers at once, and sounds a tone until it is hung up. */
const SPEAKS = "+14155550111";
const ROUNDS = roundsOf({ quick: 1, long: 20 });
const UNTIL = { timeout: 120_000, interval: 50 };
const OCTETS_PER_SECOND = 16_000;

interface Recorded {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly programRecordings?: readonly {
    readonly sid: string;
    readonly status: string;
    readonly durationSeconds: number;
  }[];
}

interface Event {
  readonly payload: { readonly RecordingSid: string };
}

test(
  "a recording that a program makes is finished when the server was killed meanwhile",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-record-killed-"));
    let tandem: Tandem = await startTandem({ dataDir });
    try {
      const account = await newAccount(tandem, {
        features: ["voice"],
        limits: { read: WIDE, write: WIDE, call: WIDE },
      });
      await take(account, await newNumber(tandem));
      const headers = basic(account.sid, account.token);
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(tandem.url + path, { ...init, headers: { ...headers, ...init.headers } });
      const told: string[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const script = `<Response><Record PlayBeep="${round % 2 === 0}" Timeout="0" Action="https://example.com/done"/></Response>`;
        const order = json("POST", { to: SPEAKS, script });
        const { sid } = await answerOf<Recorded>(await ask("/v1/Voice/Calls", order), 201);
        const raw = join(dataDir, "recordings", "raw");
        const written = () =>
          Math.max(
            0,
            ...readdirSync(raw).map((name) => statSync(join(raw, name), { throwIfNoEntry: false })?.size ?? 0),
          );
        await expect.poll(written, UNTIL).toBeGreaterThan(2 * OCTETS_PER_SECOND);
        const least = Math.round((written() * 1000) / OCTETS_PER_SECOND) / 1000;
        await tandem.kill();
        tandem = await startTandem({ dataDir });
        const callOf = async () => answerOf<Recorded>(await ask(`/v1/Voice/Calls/${sid}`), 200);
        const statusOf = async () => (await callOf()).programRecordings?.[0]?.status;
        await expect.poll(statusOf, UNTIL).toBe("Completed");
        const { endReason, programRecordings = [] } = await callOf();
        const [recording] = programRecordings;
        expect([endReason, programRecordings.length]).toEqual(["Failed", 1]);
        expect(recording?.durationSeconds).toBeGreaterThanOrEqual(least);
        const audio = await ask(`/v1/Voice/Calls/${sid}/recordings/${recording?.sid}`);
        expect(audio.headers.get("Content-Type")).toBe("audio/mpeg");
        told.push(recording?.sid ?? "");
        const listed = async () => {
          const answer = await ask("/v1/Events?Type=CallRecordingCompleted&PageSize=100");
          const { items } = await answerOf<List<Event>>(answer, 200);
          return items.map(({ payload }) => payload.RecordingSid).toSorted();
        };
        await expect.poll(listed, UNTIL).toEqual(told.toSorted());
        await expect.poll(() => readdirSync(raw), UNTIL).toEqual([]);
      }
    } finally {
      await tandem.stop();
      forgetTandem(dataDir);
    }
  },
  LONG_TIMEOUT_MS,
);
