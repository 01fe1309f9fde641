// Programs that mean harm: answers, sounds and streams without end or against their form. Each call ends as its trail
// says, what is read of the program is bounded, and a call of another account goes on meanwhile.

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, newNumber, take, WIDE } from "./numbers.ts";

/** Answers at once, and sounds a tone until it is hung up. */
const SPEAKS = "+14155550111";
const UNTIL = { timeout: 60_000, interval: 50 };
const MIB = 1024 * 1024;

interface Call {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
}

const tandem = useTandem();
const answers = new Map<string, (response: ServerResponse) => void>();
/** Path → how often it was asked. */
const asked = new Map<string, number>();
/** Path → what is done with its WebSocket. */
const streams = new Map<string, (socket: WebSocket, raw: Socket) => void>();
let server: Server;
let sockets: WebSocketServer;
let bystander: TestAccount;
let standing: Call;

const base = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = "" } = request;
    request.resume();
    asked.set(url, (asked.get(url) ?? 0) + 1);
    response.on("error", () => {});
    const answer = answers.get(url);
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    socket.on("error", () => {});
    streams.get(request.url ?? "")?.(socket, request.socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  bystander = await newCaller();
  standing = await order(bystander, `<Response><Dial>${SPEAKS}</Dial></Response>`);
  await vi.waitFor(expectUndisturbed, UNTIL);
});

afterAll(() => {
  sockets.close();
  server.close();
  server.closeAllConnections();
});

async function newCaller(): Promise<TestAccount> {
  const limits = { read: WIDE, write: WIDE, call: WIDE };
  const account = await newAccount(tandem, { features: ["voice"], limits });
  await take(account, await newNumber(tandem));
  return account;
}

async function order(account: TestAccount, script: string): Promise<Call> {
  return answerOf(await account.call("/v1/Voice/Calls", json("POST", { to: SPEAKS, script })), 201);
}

const callOf = async (account: TestAccount, { sid }: Call) =>
  answerOf<Call>(await account.call(`/v1/Voice/Calls/${sid}`), 200);

const trailOf = async (account: TestAccount, { sid }: Call) =>
  (await account.call(`/v1/Voice/Calls/${sid}/why`)).text();

/** The call of a new account that runs this program, when it has ended, and its trail. */
async function ran(script: string) {
  const account = await newCaller();
  const ordered = await order(account, `<Response>${script}</Response>`);
  await expect.poll(async () => (await callOf(account, ordered)).status, UNTIL).toBe("Completed");
  return { ...(await callOf(account, ordered)), trail: await trailOf(account, ordered) };
}

async function expectUndisturbed(): Promise<void> {
  expect(await callOf(bystander, standing)).toMatchObject({ status: "Answered", endReason: null });
}

/** Writes until the other side wants no more, and tells how much that was. */
function writeForEver(response: ServerResponse, piece: string | Buffer): () => number {
  let written = 0;
  const more = () => {
    while (!response.destroyed && response.write(piece)) written += piece.length;
  };
  response.on("drain", more);
  more();
  return () => written;
}

function document(path: string, text: string): string {
  answers.set(path, (response) => response.setHeader("Content-Type", "text/xml").end(text));
  return `<Redirect>http://${base()}${path}</Redirect>`;
}

test("an answer that redirects for ever is followed ten times", async () => {
  answers.set("/again", (response) => response.writeHead(307, { Location: "/again" }).end());
  const call = await ran(`<Redirect>http://${base()}/again</Redirect>`);
  expect(call).toMatchObject({ endReason: "ScriptUnavailable", trail: expect.stringMatching(/redirect/i) });
  expect(asked.get("/again")).toBe(11);
  await expectUndisturbed();
});

test("a program that goes back to its beginning for ever ends after its thousandth instruction", async () => {
  const call = await ran(document("/loop", `<Response><Redirect>/loop</Redirect></Response>`));
  expect(call).toMatchObject({ endReason: "ScriptInvalid", trail: expect.stringContaining("begun 1000") });
  expect(call.trail).toMatch(/"step":"omitted","details":\{"steps":1\d{3}\}/);
  expect(asked.get("/loop")).toBeLessThanOrEqual(1_000);
  await expectUndisturbed();
});

test("a document without end is left", async () => {
  let written = () => 0;
  answers.set("/endless", (response) => {
    response.setHeader("Content-Type", "text/xml").write("<Response>");
    written = writeForEver(response, "<Pause/>".repeat(8_192));
  });
  const call = await ran(`<Redirect>http://${base()}/endless</Redirect>`);
  expect(call).toMatchObject({ endReason: "ScriptUnavailable", trail: expect.stringContaining("longer than 65536") });
  expect(written()).toBeLessThan(20 * MIB);
  await expectUndisturbed();
});

test.each([
  [
    "entities of entities",
    `<!DOCTYPE R [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><Response><Say>&b;</Say></Response>`,
  ],
  ["a file's content", `<!DOCTYPE R [<!ENTITY a SYSTEM "file:///etc/passwd">]><Response><Say>&a;</Say></Response>`],
  ["ten thousand elements, one in another", `<Response>${"<Say>".repeat(10_000)}`],
])("a document with %s is invalid", async (what, text) => {
  const call = await ran(document(`/${encodeURIComponent(what)}`, text));
  expect(call.endReason).toBe("ScriptInvalid");
  expect(call.trail).not.toContain("root:");
  await expectUndisturbed();
});

test.each([
  [
    "says that it is longer than it is",
    (response: ServerResponse) => void response.setHeader("Content-Length", MIB).write("ID3"),
  ],
  ["never ends", (response: ServerResponse) => void writeForEver(response, Buffer.alloc(65_536, 0xff))],
  ["is of noise", (response: ServerResponse) => void response.end(Buffer.alloc(MIB, 0xfb))],
])("a sound that %s is left out, and the program goes on", async (what, answer) => {
  const path = `/${encodeURIComponent(what)}.mp3`;
  answers.set(path, (response) => {
    response.setHeader("Content-Type", "audio/mpeg");
    answer(response);
  });
  const call = await ran(`<Play>http://${base()}${path}</Play><Hangup/>`);
  expect(call).toMatchObject({ endReason: "ScriptHangup", trail: expect.stringMatching(/sound|file/i) });
  await expectUndisturbed();
});

test("a stream that says 100 MB in one message is closed, and the program goes on", async () => {
  streams.set("/flood", (socket) => {
    for (let sent = 0; sent < 100; sent++) socket.send(Buffer.alloc(MIB), { fin: false });
  });
  const call = await ran(`<Connect><Stream Url="ws://${base()}/flood"/></Connect><Hangup/>`);
  expect(call).toMatchObject({
    endReason: "ScriptHangup",
    trail: expect.stringMatching(/refused: Max payload size exceeded/),
  });
  await expectUndisturbed();
});

test("a stream that says half a frame waits for the rest, and ends with its call", async () => {
  const ended = new Promise<void>((resolve) => {
    streams.set("/half", (_socket, raw) => {
      raw.write(Buffer.from([0x81, 0x7e, 0x10, 0x00, 0x7b]));
      raw.on("close", () => resolve());
    });
  });
  const account = await newCaller();
  const call = await order(account, `<Response><Connect><Stream Url="ws://${base()}/half"/></Connect></Response>`);
  await expect.poll(() => trailOf(account, call), UNTIL).toContain('"stream"');
  await answerOf(await account.call(`/v1/Voice/Calls/${call.sid}/hangup`, json("POST", {})), 200);
  await ended;
  await expect.poll(async () => (await callOf(account, call)).status, UNTIL).toBe("Completed");
  await expectUndisturbed();
});
