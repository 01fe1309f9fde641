// Voice agents of others, written for Twilio's Media Streams, hold a conversation with a telephone of the sandbox,
// unchanged: OpenAI's transport for its agents, and npm's twilio-realtime-agents. The model is our own.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { openPhone } from "../contract/speaking-phone.ts";
import { decodeSample } from "../fakes/g711.ts";
import { RealtimeModel } from "../fakes/realtime-model.ts";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { encodeUlaw } from "../fakes/tone.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";

/** Obeys the test. */
const CALLER = { number: "+14154740279", hertz: 440 };
const AGENT_HERTZ = 1_000;
const PIECES = 5;
const ANSWER_SECONDS = 20;

interface OpenAiAgents {
  setTracingDisabled(isDisabled: boolean): void;
}
interface OpenAiRealtime {
  readonly RealtimeAgent: new (options: object) => object;
  readonly RealtimeSession: new (agent: object, options: object) => { connect(options: object): Promise<void> };
}
interface OpenAiExtensions {
  readonly TwilioRealtimeTransportLayer: new (options: object) => object;
}
interface Bridges {
  readonly Agent: new (options: object) => object;
  readonly TwilioRealtimeBridge: new (options: object) => { handleConnection(socket: WebSocket): void };
}
interface BridgeProviders {
  readonly openaiRealtime: (options: object) => object;
}

/** Their types are not needed, and take the compiler longer than all of the tests. */
const load = async <Module>(name: string) => (await import(name)) as Module;

/** Connects the socket of a stream with an agent. */
type Connect = (socket: WebSocket, model: RealtimeModel) => unknown;

async function openAiAgent(): Promise<Connect> {
  const { setTracingDisabled } = await load<OpenAiAgents>("@openai/agents");
  const { RealtimeAgent, RealtimeSession } = await load<OpenAiRealtime>("@openai/agents/realtime");
  const { TwilioRealtimeTransportLayer } = await load<OpenAiExtensions>("@openai/agents-extensions");
  setTracingDisabled(true);
  return (twilioWebSocket, { url }) => {
    const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket, url });
    // Without it, the model is asked for another format.
    const config = { audio: { output: { voice: "marin" } } };
    const session = new RealtimeSession(new RealtimeAgent({ name: "Agent" }), { transport, config });
    return session.connect({ apiKey: "any" });
  };
}

async function bridgeAgent(): Promise<Connect> {
  const { Agent, TwilioRealtimeBridge } = await load<Bridges>("twilio-realtime-agents");
  const { openaiRealtime } = await load<BridgeProviders>("twilio-realtime-agents/openai");
  return (socket, { url }) => {
    const agent = new Agent({ name: "Agent", instructions: "Be brief." });
    const provider = openaiRealtime({ apiKey: "any", baseUrl: url });
    const session = { greeting: { mode: "user-initiates" } };
    new TwilioRealtimeBridge({ agent, provider, session }).handleConnection(socket);
  };
}

const tandem = useTandem();
let account: TestAccount;
let number: string;
let server: Server;
let sockets: WebSocketServer;
let model: RealtimeModel | undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
    const twiml = `<Response><Connect><Stream url="${url}"/></Connect></Response>`;
    response.setHeader("Content-Type", "text/xml").end(twiml);
  });
  sockets = new WebSocketServer({ server });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const limits = { read: WIDE, write: WIDE, call: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits, token: { signs: true } });
  number = await newNumber(tandem);
  await take(account, number);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const order = { type: "InboundCallReceived", url, payloadShape: "Twilio" };
  await answerOf(await account.call("/v1/Webhooks", json("POST", order)), 201);
});
afterEach(() => {
  sockets.removeAllListeners("connection");
  model?.close();
});
afterAll(() => {
  sockets?.close();
  server?.closeAllConnections();
  server?.close();
});

const lastCall = async () => {
  const path = "/v1/Voice/Calls?PageSize=1";
  const { items } = await answerOf<List<{ sid: string; status: string }>>(await account.call(path), 200);
  return items[0];
};

test.each([
  ["OpenAI's agents", openAiAgent],
  ["twilio-realtime-agents", bridgeAgent],
])("%s hear a caller, are heard, and fall silent when the caller interrupts", async (_name, load) => {
  const connect = await load();
  const listening = await RealtimeModel.start();
  model = listening;
  const connected = new Promise<WebSocket>((resolve) => void sockets.once("connection", resolve));
  sockets.on("connection", (socket) => connect(socket, listening));
  const phone = await openPhone(tandem, account, CALLER);
  phone.order({ do: "call", to: number });
  const socket = await connected;
  let marks = 0;
  socket.on("message", (data: Buffer) => {
    if ((JSON.parse(data.toString()) as { event: string }).event === "mark") marks++;
  });

  const heard = () => [...listening.heard(8_000)].map((octet) => decodeSample("PCMU", octet));
  await expect.poll(() => piecesOfTone(heard(), CALLER.hertz), SOON).toBeGreaterThan(PIECES);
  listening.say(encodeUlaw(AGENT_HERTZ, ANSWER_SECONDS));
  await expect.poll(() => phone.hears(AGENT_HERTZ), SOON).toBeGreaterThan(PIECES);
  await expect.poll(() => marks, SOON).toBeGreaterThan(0);
  listening.hearSpeech();
  await expect.poll(() => phone.loudest(800), SOON).toBeLessThan(100);
  // By the marks that came back the agent knows how much was heard.
  await expect.poll(() => listening.truncations.length, SOON).toBe(1);
  expect(listening.truncations[0]).toBeGreaterThan(0);
  expect(listening.truncations[0]).toBeLessThan(ANSWER_SECONDS * 1_000);
  // It goes on.
  listening.say(encodeUlaw(AGENT_HERTZ, 1));
  await expect.poll(() => phone.hears(AGENT_HERTZ), SOON).toBeGreaterThan(PIECES);

  phone.order({ do: "hangUp" });
  await expect.poll(lastCall, SOON).toMatchObject({ status: "Completed" });
  await expect.poll(() => socket.readyState, SOON).toBe(socket.CLOSED);
  phone.close();
});
