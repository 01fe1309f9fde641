// The process of a recorded call is stopped when the API asks it to pause the recording, and continues at about the
// moment when the API gives up. Either the pause is done and answered by 200, or it is answered by 503 and not done
// later; never both, never neither. The call's trail shows what was done.

import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { newAccount } from "../contract/account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { Chance } from "../fakes/chance.ts";
import { basic, json } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { startOnShared } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
/** The API's timeout. */
const GIVEN_UP_MS = 5_000;
const PARTY = "+14155550111";

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly recordings: { readonly status: string; readonly segments: readonly unknown[] };
}

interface Trail {
  readonly steps: readonly { readonly step: string; readonly details: { readonly action?: string } }[];
}

test(
  "a pause is done or withdrawn, and not both, whenever the process that has the call comes back",
  async () => {
    const chance = new Chance(SEED);
    const worker = await startOnShared({ environment: { TANDEM_LOG_LEVEL: "error" } });
    const api = await startBeside(worker, { TANDEM_LOG_LEVEL: "error", TANDEM_ROLES: "api" });
    onTestFinished(async () => {
      process.kill(worker.pid, "SIGCONT");
      await api.stop();
      await worker.stop();
    });
    const account = await newAccount(worker, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
    await take(account, await newNumber(worker));
    const ask = (path: string, init?: RequestInit) =>
      fetch(`${api.url}/v1/Voice/Calls${path}`, {
        ...init,
        headers: { ...basic(account.sid, account.token), ...init?.headers },
      });
    const callOf = async (sid: string) => answerOf<CallBody>(await ask(`/${sid}`), 200);
    const control = (sid: string, action: string) => ask(`/${sid}/recording-control`, json("POST", { action }));
    const recordedCall = async () => {
      const order = json("POST", { from: PARTY, to: PARTY, record: true });
      const { sid } = await answerOf<CallBody>(await account.call("/v1/Voice/Calls", order), 201);
      await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Answered");
      return sid;
    };
    const doneOf = async (sid: string) => {
      const { steps } = await answerOf<Trail>(await ask(`/${sid}/why`), 200);
      return steps.flatMap(({ step, details }) => (step === "recording" ? [details.action] : []));
    };
    /** Pauses the recording while the worker is stopped until `comeBack` resolves. */
    const pauseFrozen = async (sid: string, comeBack: (answered: Promise<unknown>) => Promise<unknown>) => {
      process.kill(worker.pid, "SIGSTOP");
      const answered = control(sid, "Pause");
      await comeBack(answered);
      process.kill(worker.pid, "SIGCONT");
      const answer = await answered;
      expect([200, 503]).toContain(answer.status);
      const isDone = answer.status === 200;
      if (!isDone) {
        expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
        expect(await answer.json()).toMatchObject({ code: "call-not-reached" });
      }
      return isDone;
    };
    const outcomes: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const waitMs = GIVEN_UP_MS + chance.integer(-100, 100);
      for (const comeBack of [(answered: Promise<unknown>) => answered, () => delay(waitMs)]) {
        const [sid, other] = [await recordedCall(), await recordedCall()];
        const isDone = await pauseFrozen(sid, comeBack);
        // Once the worker has paused the other recording, it has processed every pending request.
        await answerOf(await control(other, "Pause"), 200);
        const { recordings } = await callOf(sid);
        expect(recordings.segments).toHaveLength(1);
        expect(recordings.status).toBe(isDone ? "Paused" : "Recording");
        expect(await doneOf(sid)).toEqual(isDone ? ["Pause"] : []);
        // A withdrawn request does not count: the next one is a pause again.
        expect(await answerOf(await control(sid, "Pause"), 200)).toMatchObject({ status: "Paused" });
        expect(await answerOf(await control(sid, "Resume"), 200)).toMatchObject({ status: "Recording" });
        expect(await doneOf(sid)).toEqual(["Pause", "Resume"]);
        expect((await callOf(sid)).recordings.segments).toHaveLength(2);
        for (const one of [sid, other]) await answerOf(await ask(`/${one}/hangup`, { method: "POST" }), 200);
        outcomes.push(isDone ? "done" : "withdrawn");
      }
    }
    expect(outcomes).toContain("withdrawn");
    const done = outcomes.filter((one) => one === "done").length;
    console.log(`seed ${SEED}: ${done} of ${outcomes.length} pauses were done, the others withdrawn`);
  },
  LONG_TIMEOUT_MS,
);
