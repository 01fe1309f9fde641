// Numbers that forward to each other, behind a carrier that drops Diversion and resets Max-Forwards on every call: a
// loop is stopped, whichever process a call returns to, and no unrelated call is.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { json, startTandem, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { ReflectingCarrier } from "./reflecting-carrier.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
const CALLER = "<sip:+14155550142@127.0.0.1>";
const FAR = "+14155550199";
const CALLS = 20;

interface CallBody {
  readonly sid: string;
  readonly status: string;
}

let tandem: Tandem;
let beside: Tandem;
let carrier: ReflectingCarrier;
let account: TestAccount;
let numbers: readonly string[];

beforeAll(async () => {
  const [carrierPort, onePort, twoPort] = [await ownPort(), await ownPort(), await ownPort()];
  const trunk = { name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 };
  const environmentOf = (sourceAddresses: readonly string[], port: number) => {
    const file = join(mkdtempSync(join(tmpdir(), "tandem-loop-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses, trunks: [trunk] } }));
    return { TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(port), TANDEM_DRAIN_SECONDS: "1" };
  };
  tandem = await startTandem({ environment: environmentOf(["127.0.0.2", "127.0.0.3"], onePort) });
  beside = await startBeside(tandem, environmentOf(["127.0.0.4", "127.0.0.5"], twoPort));
  carrier = await ReflectingCarrier.open(carrierPort, [
    { address: "127.0.0.2", port: onePort },
    { address: "127.0.0.4", port: twoPort },
  ]);
  const limits = { read: WIDE, write: WIDE, concurrentCalls: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
  numbers = [await newNumber(tandem), await newNumber(tandem)];
  for (const number of numbers) await take(account, number);
});

beforeEach(() => {
  Object.assign(carrier, { count: 0, rung: 0, ended: 0 });
  carrier.answers.length = 0;
});

afterAll(async () => {
  await beside?.stop();
  await tandem?.stop();
  carrier?.close();
});

const [first, second] = [() => numbers[0] ?? "", () => numbers[1] ?? ""];

async function forward(number: string, callsForwardedTo: string): Promise<void> {
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo })), 200);
}

const callsOf = async (status: string) =>
  (await answerOf<List<CallBody>>(await account.call(`/v1/Calls?PageSize=1000&Status=${status}`), 200)).items;

/** The reasons given for calls that were stopped because they came back. */
async function whys(): Promise<readonly string[]> {
  const told = (await callsOf("Completed")).map(async ({ sid }) => {
    const answer = await account.call(`/v1/Calls/${sid}/why`);
    return (await answerOf<{ summary: { why: string } }>(answer, 200)).summary.why;
  });
  return (await Promise.all(told)).filter((why) =>
    why.includes(`The call came back to ${first()}, which has forwarded it already.`),
  );
}

/** Waits until every call of the round has ended, for the carrier and in its record. */
async function ended(): Promise<void> {
  await carrier.until(() => carrier.count > 0 && carrier.ended === carrier.count);
  await expect
    .poll(async () => (await Promise.all(["Started", "Ringing", "Answered"].map(callsOf))).flat(), SOON)
    .toEqual([]);
}

test(
  "two numbers that forward to each other: the call that comes back is refused, and why says so",
  async () => {
    await forward(first(), second());
    await forward(second(), first());
    for (let round = 1; round <= ROUNDS; round++) {
      carrier.count = 0;
      carrier.ended = 0;
      carrier.answers.length = 0;
      carrier.call(first(), { from: CALLER });
      await ended();
      expect([carrier.count, carrier.answers]).toEqual([3, [200, 200, 482]]);
      await expect.poll(whys, SOON).toHaveLength(round);
      console.log(`round ${round}/${ROUNDS}: stopped at call ${carrier.count}`);
    }
    await expect.poll(() => `${tandem.output()}${beside.output()}`, SOON).toContain("forwarding loop refused");
  },
  LONG_TIMEOUT_MS,
);

test("a caller whom nobody knows is stopped at the sixth hop", async () => {
  await forward(first(), second());
  await forward(second(), first());
  carrier.call(first(), { from: "<sip:anonymous@anonymous.invalid>", lines: "Privacy: id\r\n" });
  await ended();
  expect([carrier.count, carrier.answers]).toEqual([6, [200, 200, 200, 200, 200, 482]]);
});

test("redials, and a call centre's many calls to one number, are no loops", async () => {
  carrier.ringing.add(FAR);
  await forward(first(), second());
  await forward(second(), FAR);
  for (let times = 0; times < CALLS / 2; times++) {
    // To the number, and to the one that it forwards to, while both calls are being set up for the same caller.
    carrier.call(first(), { from: CALLER });
    carrier.call(second(), { from: CALLER });
  }
  await carrier.until(() => carrier.rung === CALLS);
  carrier.call(first(), { from: CALLER });
  await carrier.until(() => carrier.rung === CALLS + 1);
  expect(carrier.answers.filter((status) => status !== 200)).toEqual([]);
  carrier.refuseRinging();
  await ended();
});
