// kill -9 of the server, and its stop, while calls are in a conference: every call ends, the conference ends, its
// events are complete and in order, and its recording is finished. In the long form the next round uses its name again.

import { mkdtempSync, statSync } from "node:fs";
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
const PARTIES = 3;

interface Conference {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly participants: readonly object[];
  readonly recordings: readonly {
    readonly sid: string;
    readonly status: string;
    readonly durationSeconds: number;
    readonly segments: readonly { readonly url: string }[];
  }[];
}

interface Call {
  readonly sid: string;
  readonly status: string;
}

interface Event {
  readonly payload: { readonly ConferenceSid: string; readonly Event: string };
}

test.each(["killed", "stopped"] as const)(
  "a conference ends when the server is %s meanwhile",
  async (how) => {
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-conference-killed-"));
    const environment = { TANDEM_DRAIN_SECONDS: "1" };
    let tandem: Tandem = await startTandem({ dataDir, environment });
    try {
      const limits = { read: WIDE, write: WIDE, call: WIDE };
      const account = await newAccount(tandem, { features: ["voice"], limits });
      await take(account, await newNumber(tandem));
      const headers = basic(account.sid, account.token);
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(tandem.url + path, { ...init, headers: { ...headers, ...init.headers } });
      const listOf = async <Item>(path: string) => (await answerOf<List<Item>>(await ask(path), 200)).items;
      const newest = async () => (await listOf<Conference>("/v1/Voice/Conferences"))[0];
      const script = "<Response><Dial><Conference Record='true'>Team</Conference></Dial></Response>";
      for (let round = 1; round <= ROUNDS; round++) {
        for (let party = 0; party < PARTIES; party++)
          await answerOf(await ask("/v1/Voice/Calls", json("POST", { to: SPEAKS, script })), 201);
        const areAllIn = async () => {
          const { status, participants } = (await newest()) ?? {};
          return status === "InProgress" && participants?.length === PARTIES;
        };
        await expect.poll(areAllIn, UNTIL).toBe(true);
        const { sid = "", recordings = [] } = (await newest()) ?? {};
        await isWritten(join(dataDir, "recordings", "raw", `${recordings[0]?.sid}-1.ulaw2`));
        if (how === "killed") await tandem.kill();
        else await tandem.stop();
        tandem = await startTandem({ dataDir, environment });
        await expect.poll(async () => (await newest())?.status, UNTIL).toBe("Completed");
        const endReason = how === "killed" ? "Failed" : "LastParticipantLeft";
        expect(await newest()).toMatchObject({ sid, endReason, participants: [] });
        const underWay = async () =>
          (await listOf<Call>("/v1/Voice/Calls?PageSize=100")).filter(({ status }) => status !== "Completed");
        await expect.poll(underWay, UNTIL).toEqual([]);
        const recorded = async () => (await newest())?.recordings[0];
        await expect.poll(async () => (await recorded())?.status, UNTIL).toBe("Completed");
        const { durationSeconds = 0, segments = [] } = (await recorded()) ?? {};
        expect([durationSeconds > 0, segments.length]).toEqual([true, 1]);
        expect((await fetch(segments[0]?.url ?? "")).status).toBe(200);
        const inOrder = "/v1/Events?Type=ConferenceChanged&OrderByDirection=Ascending&PageSize=1000";
        const events = (await listOf<Event>(inOrder)).filter(({ payload }) => payload.ConferenceSid === sid);
        const each = (event: string) => Array.from({ length: PARTIES }, () => event);
        expect(events.map(({ payload }) => payload.Event)).toEqual([
          ...["ParticipantJoined", "ParticipantJoined", "Started", "ParticipantJoined"],
          ...each("ParticipantLeft"),
          "Ended",
        ]);
      }
    } finally {
      await tandem.stop();
      forgetTandem(dataDir);
    }
  },
  LONG_TIMEOUT_MS,
);

/** Resolves when some of the file has been written. */
async function isWritten(file: string): Promise<void> {
  await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size ?? 0, UNTIL).toBeGreaterThan(0);
}
