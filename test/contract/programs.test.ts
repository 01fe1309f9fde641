// Calls that run programs, from both languages, against the telephones of the sandbox.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import twilio from "twilio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { listen } from "./messages.ts";
import { answerOf, newNumber, take, WIDE } from "./numbers.ts";

const BUSY = "+14155550101";
const HANGS_UP = "+14155550107";

interface CallBody {
  readonly sid: string;
  readonly endReason: string | null;
  readonly legs: readonly { readonly leg: string; readonly to: string; readonly endReason: string | null }[];
}

interface Why {
  readonly steps: readonly { readonly step: string; readonly details: Readonly<Record<string, unknown>> }[];
}

const tandem = useTandem();
/** Path → what it answers. */
const answers = new Map<string, string>();
let server: Server;

beforeAll(() => {
  server = createServer((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "text/xml").end(answers.get(request.url ?? ""));
  });
  server.listen(0, "127.0.0.1");
});
afterAll(() => void server.close());

/** A number whose calls run this program. */
async function newProgram(payloadShape: "A" | "Twilio", xml: string): Promise<readonly [TestAccount, string]> {
  const limits = { read: WIDE, write: WIDE, call: WIDE };
  const account = await newAccount(tandem, { features: ["voice"], limits });
  const number = await newNumber(tandem);
  await take(account, number);
  answers.set(`/${account.sid}`, xml);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${account.sid}`;
  const order = json("POST", { type: "InboundCallReceived", url, payloadShape });
  await answerOf(await account.call("/v1/Webhooks", order), 201);
  return [account, number];
}

/** Calls the number, and resolves when the call has ended. */
async function run(payloadShape: "A" | "Twilio", xml: string, durationSeconds = 60) {
  const [account, number] = await newProgram(payloadShape, xml);
  const ear = await listen(account);
  const order = json("POST", { from: "+12125550123", to: number, durationSeconds });
  const emulated = await account.call("/testkit/v1/Emulate/inbound-call", order);
  await answerOf(emulated, xml.includes("<Reject") ? 409 : 200);
  await ear.until(
    ({ type, payload }) =>
      type === "CallStatusChangedWebhook" && payload.Leg === "First" && payload.Status === "Completed",
  );
  const told = ear.heard
    .filter(({ type }) => type === "CallStatusChangedWebhook")
    .map(({ payload }) => `${payload.To} ${payload.Status}`);
  await ear.leave();
  const { items } = await answerOf<{ items: readonly CallBody[] }>(await account.call("/v1/Voice/Calls"), 200);
  const [call] = items as readonly [CallBody];
  const { steps } = await answerOf<Why>(await account.call(`/v1/Voice/Calls/${call.sid}/why`), 200);
  return { call, steps, number, told };
}

const busyThenTalk = (own: boolean) => {
  const response = new twilio.twiml.VoiceResponse();
  response.say("One moment.");
  response.pause({ length: 1 });
  response.dial(BUSY);
  response.say("Nobody is there.");
  response.dial().number(HANGS_UP);
  response.say("Goodbye.");
  response.hangup();
  const text = response.toString();
  return own ? text.replace("length", "Length") : text;
};

test.each([
  ["our own language", "A"],
  ["TwiML", "Twilio"],
] as const)("in %s a program dials one party after another and has the last word", async (_, shape) => {
  const { call, steps, number, told } = await run(shape, busyThenTalk(shape === "A"));
  expect(told).toEqual([
    `${number} Answered`,
    `${BUSY} Completed`,
    ...["Ringing", "Answered", "Completed"].map((status) => `${HANGS_UP} ${status}`),
    `${number} Completed`,
  ]);
  expect(call).toMatchObject({
    endReason: "ScriptHangup",
    legs: [
      { leg: "First", to: number, endReason: "ScriptHangup" },
      { leg: "Second", to: BUSY, endReason: "Busy" },
      { leg: "Second", to: HANGS_UP, endReason: "Completed" },
    ],
  });
  expect(steps.filter(({ step }) => step === "instruction").map(({ details }) => details)).toEqual([
    { say: "One moment." },
    { pause: 1 },
    { dial: BUSY },
    { say: "Nobody is there." },
    { dial: HANGS_UP },
    { say: "Goodbye." },
    { hangUp: true },
  ]);
});

test("a caller who hangs up ends the program and the party that it dialled", async () => {
  const script = "<Response><Dial>+14155550111</Dial><Say>Nobody hears this.</Say></Response>";
  const { call, steps } = await run("A", script, 2);
  expect(call).toMatchObject({
    endReason: "Completed",
    legs: [{ endReason: "Completed" }, { endReason: "Completed" }],
  });
  expect(JSON.stringify(steps.filter(({ step }) => step === "instruction"))).not.toContain("Nobody hears");
});

const PAGE = readFileSync(fileURLToPath(new URL("../../docs/programs.md", import.meta.url)), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^<!-- (A|Twilio) -->\n```xml\n(.*?)^```$/gms)].flatMap(([, shape, block = ""]) =>
  block
    .trim()
    .split("\n")
    .map((line) => [shape as "A" | "Twilio", line] as const),
);

test.concurrent.each(EXAMPLES)("the example in %s runs: %s", async (shape, line) => {
  const { call, steps } = await run(shape, line, 8);
  const script = steps.find(({ step }) => step === "script");
  expect(script?.details.reason).toBeUndefined();
  expect(["ScriptHangup", "Completed", "Canceled"]).toContain(call.endReason);
});
