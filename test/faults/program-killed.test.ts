// kill -9 of the server while a call's program gathers keys, dials, or streams: every leg ends, with one event of that,
// and no URL of the program is asked again. In the long form the next round is the next server's.

import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { newAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, take, WIDE } from "../contract/numbers.ts";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

/** Answers at once, and sounds a tone until it is hung up. */
const SPEAKS = "+14155550111";
const RINGS_ON = "+14155550102";
const ROUNDS = roundsOf({ quick: 1, long: 20 });
const UNTIL = { timeout: 120_000, interval: 50 };

interface Call {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly legs: readonly { readonly leg: string; readonly status: string }[];
}

interface Event {
  readonly resourceSid: string;
  readonly payload: { readonly Leg: string; readonly Status: string };
}

/** Path → what it answers. */
const answers = new Map<string, string>();
const asked: string[] = [];
const streams: WebSocket[] = [];
let server: Server;
let sockets: WebSocketServer;
const place = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => {
  server = createServer((request, response) => {
    const { url = "" } = request;
    asked.push(url);
    request.resume();
    const answer = answers.get(url);
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("Content-Type", "text/xml").end(answer);
  });
  sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => void streams.push(socket));
  server.listen(0, "127.0.0.1");
});
afterAll(() => {
  sockets.close();
  server.close();
});

interface Step {
  /** What the program does when the server is killed. */
  readonly does: string;
  readonly program: (round: string) => string;
  /** What its legs are then. */
  readonly legs: readonly string[];
  /** Whether its trail, or the program itself, says so. */
  readonly isUnderWay: (trail: string) => boolean;
}

const STEPS: readonly Step[] = [
  {
    does: "gathers keys",
    program: (round) => `<Gather Timeout="60" Action="/${round}/next"><Pause Length="60"/></Gather>`,
    legs: ["First Answered"],
    isUnderWay: (trail) => trail.includes('"gather"'),
  },
  {
    does: "rings a telephone",
    program: (round) => `<Dial Timeout="60" Action="/${round}/next"><Number>${RINGS_ON}</Number></Dial>`,
    legs: ["First Answered", "Second Ringing"],
    isUnderWay: () => true,
  },
  {
    does: "has joined a telephone",
    program: (round) => `<Dial Action="/${round}/next"><Number Url="/${round}/whisper">${SPEAKS}</Number></Dial>`,
    legs: ["First Answered", "Second Answered"],
    isUnderWay: (trail) => trail.includes('"joined"'),
  },
  {
    does: "streams",
    program: (round) => `<Connect Action="/${round}/next"><Stream Url="ws://${place()}/${round}/stream"/></Connect>`,
    legs: ["First Answered"],
    isUnderWay: () => streams.some(({ readyState }) => readyState === 1),
  },
];

test.each(STEPS)(
  "a call whose program $does, ends when the server is killed",
  async ({ program, legs, isUnderWay }) => {
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-program-killed-"));
    let tandem: Tandem = await startTandem({ dataDir });
    try {
      const limits = { read: WIDE, write: WIDE, call: WIDE };
      const account = await newAccount(tandem, { features: ["voice"], limits, token: { signs: true } });
      await take(account, await newNumber(tandem));
      const headers = basic(account.sid, account.token);
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(tandem.url + path, { ...init, headers: { ...headers, ...init.headers } });
      for (let round = 1; round <= ROUNDS; round++) {
        const name = `${account.sid}-${round}`;
        answers.set(`/${name}`, `<Response>${program(name)}</Response>`);
        answers.set(`/${name}/whisper`, '<Response><Pause Length="1"/></Response>');
        answers.set(`/${name}/next`, "<Response><Hangup/></Response>");
        const order = json("POST", { to: SPEAKS, scriptUrl: `http://${place()}/${name}` });
        const { sid } = await answerOf<Call>(await ask("/v1/Voice/Calls", order), 201);
        const callOf = async () => answerOf<Call>(await ask(`/v1/Voice/Calls/${sid}`), 200);
        const trailOf = async () => (await ask(`/v1/Voice/Calls/${sid}/why`)).text();
        const legsOf = async () => (await callOf()).legs.map(({ leg, status }) => `${leg} ${status}`);
        await expect.poll(legsOf, UNTIL).toEqual(legs);
        await expect.poll(async () => isUnderWay(await trailOf()), UNTIL).toBe(true);
        const before = asked.filter((url) => url.includes(name));
        await tandem.kill();
        tandem = await startTandem({ dataDir });
        await expect.poll(async () => (await callOf()).status, UNTIL).toBe("Completed");
        expect((await callOf()).endReason).toBe("Failed");
        expect(await legsOf()).toEqual(legs.map((leg) => leg.replace(/ .*/, " Completed")));
        const ended = async () => {
          const path = "/v1/Events?Type=CallStatusChangedWebhook&PageSize=1000";
          const { items } = await answerOf<List<Event>>(await ask(path), 200);
          return items
            .filter(({ resourceSid, payload }) => resourceSid === sid && payload.Status === "Completed")
            .map(({ payload }) => payload.Leg)
            .toSorted();
        };
        await expect.poll(ended, UNTIL).toEqual(legs.map((leg) => leg.replace(/ .*/, "")));
        expect(asked.filter((url) => url.includes(name))).toEqual(before);
        expect(new Set(before).size).toBe(before.length);
        await expect.poll(() => streams.map(({ readyState }) => readyState), UNTIL).not.toContain(1);
      }
    } finally {
      await tandem.stop();
      forgetTandem(dataDir);
    }
  },
  LONG_TIMEOUT_MS,
);
